import { expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { startTestControlPlane } from '../../../testing/control-plane.ts';
import { changeCodes } from '../../codes/store/change-many.ts';
import type { Change } from '../../codes/store/write.ts';
import { findMatches, reportMatches } from './matches.ts';

/** A change that is refused, and records the iteration of the event loop. */
const createNotingChange = () => {
  const iterations: number[] = [];
  let iteration = 0;
  let clock: NodeJS.Immediate;
  const tick = () => {
    iteration++;
    clock = setImmediate(tick);
  };
  tick();
  const change: Change = () => {
    iterations.push(iteration);
    throw new ClientError('UNPROCESSABLE', 'refused');
  };
  return { change, iterations, stop: () => clearImmediate(clock) };
};

test('each code of a replacement gets its own iteration of the event loop, in a dry run as in a real one', async () => {
  const plane = await startTestControlPlane();
  const { workspaceId, createCode } = await plane.workspace();
  await Promise.all([1, 2, 3, 4].map(() => createCode({ data: 'https://turns.example/' })));
  const texts = { find: 'turns', replace: 'x', dryRun: true };
  const found = await findMatches(plane.pool, workspaceId, texts);

  const dry = createNotingChange();
  const report = await reportMatches(
    plane.pool,
    workspaceId,
    { replacement: () => dry.change },
    texts,
    found,
  );
  dry.stop();
  expect(report.changes.map(({ message }) => message)).toEqual(Array(4).fill('refused'));
  expect(new Set(dry.iterations).size).toBe(4);

  const real = createNotingChange();
  const planned = found.ids.map((id) => ({ id, change: real.change, needsStyle: false }));
  const results = await inTransaction(plane.pool, (tx) =>
    changeCodes(tx, createOutbox([]), workspaceId, planned),
  );
  real.stop();
  expect(results).toEqual(Array(4).fill(expect.any(ClientError)));
  expect(new Set(real.iterations).size).toBe(4);
});

test('a dry run has a few codes in memory, however many it reports', async () => {
  const plane = await startTestControlPlane();
  const { workspaceId, createCode } = await plane.workspace();
  for (let n = 0; n < 45; n++) await createCode({ data: 'https://memory.example/' });
  const texts = { find: 'memory', replace: 'x', dryRun: true };
  const read: number[] = [];
  const counting: Pool = Object.assign(Object.create(plane.pool), {
    query: async (...given: Parameters<Pool['query']>) => {
      const { name, values } = given[0] as unknown as { name: string; values: [string, string[]] };
      if (name === 'read-unstyled-codes') read.push(values[1].length);
      return plane.pool.query(...given);
    },
  });
  const found = await findMatches(counting, workspaceId, texts);
  const change: Change = () => ({ destination: 'https://x.example/' });
  const report = await reportMatches(counting, workspaceId, { replacement: () => change }, texts, found);
  expect([report.total, report.changes.length, read]).toEqual([45, 45, [20, 20, 5]]);
});
