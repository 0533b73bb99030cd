import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { expect, test } from 'vitest';
import { afterFile, temporaryFolder } from '../deploy/testing/local.ts';
import { acquireProcessLock } from './process-lock.ts';

const holder = path.join(import.meta.dirname, 'testing', 'lock-holder.ts');

interface Holder {
  child: ChildProcess;
  /** The words printed by it, or by each of its workers: `held` or `refused`. */
  said: string[];
}

/** Starts a process that tries to take the lock, and waits until it, or each of its workers, has printed a word. */
const startHolder = async (file: string, { around = [] as string[], workers = 0 } = {}): Promise<Holder> => {
  const said: string[] = [];
  const [command = '', ...args] = [...around, process.execPath, holder, file, String(workers)];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // Must stay empty: Node warns that its SQLite is experimental.
  child.stderr.on('data', (text) => said.push(String(text)));
  afterFile(() => child.kill('SIGKILL'));
  for await (const line of readline.createInterface({ input: child.stdout })) {
    if (said.push(line) === Math.max(workers, 1)) break;
  }
  return { child, said };
};

const lockFile = async (): Promise<string> => path.join(await temporaryFolder(), 'lock');

test('one process at a time holds the lock, and the kernel releases it when that process is killed', async () => {
  const file = await lockFile();
  const first = await startHolder(file);
  expect(first.said).toEqual(['held']);
  expect((await startHolder(file)).said).toEqual(['refused']);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  expect((await startHolder(file)).said).toEqual(['held']);
});

test("one of a cluster's workers holds the lock", async () => {
  const { said } = await startHolder(await lockFile(), { workers: 4 });
  expect(said.sort()).toEqual(['held', 'refused', 'refused', 'refused']);
});

/**
 * A network and a process namespace of its own, like a container; the kernel kills everything in it along with its
 * first process.
 */
const container = ['unshare', '--net', '--pid', '--fork', '--kill-child'];
const canUnshare =
  process.platform === 'linux' && spawnSync('unshare', [...container.slice(1), 'true']).status === 0;

test.skipIf(!canUnshare)(
  'one of two containers with a common volume holds the lock (skipped only if `unshare --net --pid` is not allowed)',
  async () => {
    const file = await lockFile();
    const first = await startHolder(file, { around: container });
    expect(first.said).toEqual(['held']);
    expect((await startHolder(file, { around: container })).said).toEqual(['refused']);
    expect((await startHolder(file)).said).toEqual(['refused']);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect((await startHolder(file, { around: container })).said).toEqual(['held']);
  },
);

test('within one process the lock is also held once, until it is released', async () => {
  const file = await lockFile();
  const lock = await acquireProcessLock(file);
  expect(lock).toBeDefined();
  expect(await acquireProcessLock(file)).toBeUndefined();
  await lock?.release();
  await lock?.release();
  const again = await acquireProcessLock(file);
  expect(again).toBeDefined();
  await again?.release();
});

test('a lock in a missing folder is an error that names the file', async () => {
  const file = path.join(await temporaryFolder(), 'missing', 'lock');
  await expect(acquireProcessLock(file)).rejects.toThrow(file);
});
