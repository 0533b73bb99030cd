/** A small fault test: the whole one is `npm run loadtest -- webhook-faults`. */
import { expect, test } from 'vitest';
import { createCloser } from '#shared/lifecycle.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { runChaos } from './chaos.ts';
import { openFaults } from './faults.ts';
import { faultsIn } from './judge.ts';

test('kills, a PostgreSQL that is away, a clock that jumps and endpoints that fail: each event is delivered, under one id, and the log tells the truth', async () => {
  const said: string[] = [];
  const options = { codes: 60, seconds: 6, planeKills: 2, postgresKills: 1, jumps: 3 };
  const closer = createCloser();
  afterFile(() => closer.close());
  const say = (line: string) => void said.push(line);
  const result = await runChaos(await openFaults({ options, say, closer }));
  expect(faultsIn(result).join('; '), said.join('\n')).toBe('');
  expect(result.codes).toBeGreaterThanOrEqual(60);
  expect(result).toMatchObject({ planeKills: 2, postgresKills: 1, jumps: 3, deliveries: 5 * result.codes });
}, 900_000);
