import { expect, test } from 'vitest';
import { createHealth } from './health.ts';

/** A dependency that answers when it is told to. */
const dependency = () => {
  const asked: ((fault?: Error) => void)[] = [];
  const run = () =>
    new Promise<void>((resolve, reject) => {
      asked.push((fault) => (fault ? reject(fault) : resolve()));
    });
  return { asked, check: { required: true, run } };
};

test('a crowd of probes asks each dependency once, and the next one asks anew', async () => {
  const { asked, check } = dependency();
  const health = createHealth({ database: check });
  const crowd = Promise.all(Array.from({ length: 125 }, () => health.check()));
  expect(asked).toHaveLength(1);
  asked[0]!(new Error('no room'));
  const failed = { ready: false, unhealthy: { database: 'no room' } };
  expect(await crowd).toEqual(Array(125).fill(failed));
  const next = health.check();
  expect(asked).toHaveLength(2);
  asked[1]!();
  expect(await next).toEqual({ ready: true, unhealthy: {} });
});

test('a process that is about to stop is not ready, also by a check that began before', async () => {
  const { asked, check } = dependency();
  const health = createHealth({ database: check });
  const report = health.check();
  health.retire();
  asked[0]!();
  expect(await report).toEqual({ ready: false, unhealthy: { process: 'it is about to stop' } });
});
