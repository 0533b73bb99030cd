import { expect, test } from 'vitest';
import { createHealth } from './health.ts';

/** A dependency that answers on request. */
const dependency = () => {
  const asked: ((fault?: Error) => void)[] = [];
  const run = () =>
    new Promise<void>((resolve, reject) => {
      asked.push((fault) => (fault ? reject(fault) : resolve()));
    });
  return { asked, check: { required: true, run } };
};

test('a crowd of probes checks each dependency once, and the next probe checks again', async () => {
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

test('a process that is about to stop is not ready, even according to a check that began earlier', async () => {
  const { asked, check } = dependency();
  const health = createHealth({ database: check });
  const report = health.check();
  health.retire();
  asked[0]!();
  expect(await report).toEqual({ ready: false, unhealthy: { process: 'it is about to stop' } });
});
