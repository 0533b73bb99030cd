import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createLoadingThreads } from './loading-threads.ts';

/** A thread that is ready on request. */
const startThread = () =>
  new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.once('message', () => parentPort.postMessage('ready'));`,
    { eval: true },
  );

test('a close waits for loading threads, including replacements', async () => {
  const [first, second] = [startThread(), startThread()];
  const loading = createLoadingThreads();
  loading.watch([first]);
  loading.watch([second]);
  const over: string[] = [];
  const waits = loading.over(60_000).then(() => over.push('over'));
  first.postMessage('be ready');
  await new Promise((resolve) => first.once('message', resolve));
  expect(over).toEqual([]);
  second.postMessage('be ready');
  await waits;
  expect(over).toEqual(['over']);
  await Promise.all([first.terminate(), second.terminate()]);
});

test('a thread that has ended is not waited for, and a hanging thread only for the given time', async () => {
  const [ended, hanging] = [startThread(), startThread()];
  const loading = createLoadingThreads();
  loading.watch([ended]);
  await ended.terminate();
  await loading.over(60_000);
  loading.watch([hanging]);
  await loading.over(1);
  await hanging.terminate();
});
