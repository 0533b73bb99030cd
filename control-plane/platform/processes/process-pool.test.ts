/** Processes that end before, or in the middle of, a task. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { afterFile, temporaryFolder } from '../../../deploy/testing/local.ts';
import { createProcessPool } from './process-pool.ts';

const poolUrl = new URL('./process-pool.ts', import.meta.url).href;

/** A pool whose processes run this code for each `task`, and `start` before they are ready. `once(name)` is true the first time. */
const createPool = async (code: string, start = '') => {
  const folder = await temporaryFolder();
  const program = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { answerTasks } from ${JSON.stringify(poolUrl)};
    const once = (name) => {
      const file = ${JSON.stringify(folder)} + '/' + name;
      if (existsSync(file)) return false;
      writeFileSync(file, '');
      return true;
    };
    ${start}
    answerTasks(async (task, { parts, say }) => { ${code} });
  `;
  const file = path.join(folder, 'program.mjs');
  await writeFile(file, program);
  const pool = createProcessPool<string, string, string>({
    file: pathToFileURL(file),
    processesMax: 1,
    taskMsMax: 60_000,
    memoryBytesMax: 2 ** 30,
    heapBytesMax: 64 * 2 ** 20,
    waitingMax: 4,
    waitingPerTenantMax: 4,
    waitMsMax: 60_000,
  });
  afterFile(pool.close);
  return { ...pool, folder };
};

describe('a process', () => {
  test('that ends while it starts is no fault of the task: another one is started', async () => {
    const { run } = await createPool(`return task;`, `if (once('start')) process.exit(1);`);
    expect(await run('a', 'tenant')).toMatchObject({ kind: 'answered', answer: 'a' });
  });

  test('that cannot start is reported as such, and not as an end of the task', async () => {
    const { run, pids } = await createPool(`return task;`, `process.exit(1);`);
    await expect(run('a', 'tenant')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: { kind: 'ended', why: 'exit 1' },
    });
    expect(pids()).toEqual([]);
  });

  test('that ends in a task is replaced once by a fresh one; what ends both is at fault', async () => {
    const { run } = await createPool(
      `if (task === 'fatal' || (task === 'unlucky' && once(task))) process.abort(); return task + process.pid;`,
    );
    const outcome = await run('first', 'tenant');
    expect(outcome.kind).toBe('answered');
    expect((await run('unlucky', 'tenant')).kind).toBe('answered');
    expect(await run('fatal', 'tenant')).toEqual({ kind: 'ended', why: 'exit SIGABRT' });
    expect((await run('next', 'tenant')).kind).toBe('answered');
  });

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'that %s from outside ends is an outcome of its own, and the task is not tried again',
    async (signal) => {
      const { run, pids, folder } = await createPool(`once('begun'); return new Promise(() => {});`);
      const outcome = run('a', 'tenant');
      await expect.poll(() => existsSync(path.join(folder, 'begun'))).toBe(true);
      for (const pid of pids()) process.kill(pid, signal);
      expect(await outcome).toEqual({ kind: 'killed', why: `exit ${signal}` });
      expect(pids()).toEqual([]);
    },
  );
});

test('a task has bytes that are handed over in parts, and an answer that comes in parts; they are of this task alone', async () => {
  const { run } = await createPool(
    `for (const part of parts) await say(Buffer.from(part).toString() + task);
    if (once('whole')) process.abort();
    return String(parts.length);`,
  );
  const parts = ['a', 'b'].map((text) => Buffer.from(text));
  expect(await run('1', 'tenant', parts)).toEqual({ kind: 'answered', answer: '2', some: ['a1', 'b1'] });
  expect(await run('2', 'tenant', parts.slice(1))).toEqual({ kind: 'answered', answer: '1', some: ['b2'] });
  expect(await run('3', 'tenant')).toEqual({ kind: 'answered', answer: '0', some: [] });
});
