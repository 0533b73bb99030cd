/** A small fault test: the whole one is `npm run loadtest -- webhook-faults`. */
import { expect, test } from 'vitest';
import { createCloser } from '#shared/lifecycle.ts';
import {
  afterFile,
  createTestClickHouse,
  startTestRedis,
  temporaryFolder,
} from '../../deploy/testing/index.ts';
import { runChaos } from './chaos.ts';
import { openFaults } from './index.ts';
import { faultsIn } from './judge.ts';

test('kills, a PostgreSQL that is away, a clock that jumps and endpoints that fail: each event is delivered, under one id, and the log tells the truth', async () => {
  const closer = createCloser();
  afterFile(() => closer.close());
  const home = await temporaryFolder();
  const [redis, clickhouseUrl] = await Promise.all([startTestRedis(), createTestClickHouse()]);
  const faults = await openFaults(home, { redisUrl: redis.url, clickhouseUrl }, closer);
  const said: string[] = [];
  const result = await runChaos({
    ...faults,
    codes: 60,
    seconds: 6,
    planeKills: 2,
    postgresKills: 1,
    jumps: 3,
    settleSecondsMax: 90,
    say: (line) => said.push(line),
  });
  expect(faultsIn(result), said.join('\n')).toEqual([]);
  expect(result.codes).toBeGreaterThanOrEqual(60);
  expect(result).toMatchObject({ planeKills: 2, postgresKills: 1, jumps: 3, deliveries: 5 * result.codes });
}, 240_000);
