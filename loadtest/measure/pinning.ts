/**
 * The use of the cores. The server under test has core 0 for itself; the load generator, Redis, ClickHouse and this command
 * have core 1. ClickHouse, which works in the background, gives way to the generator, which must not wait.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { hasCode } from '#shared/errors.ts';

export const serverCore = 0;
export const loadCore = 1;
/** For processes that run on both: children inherit the core of this command. */
export const bothCores = `${serverCore},${loadCore}`;

let pinned: boolean | undefined;

/** Whether processes can be pinned here: taskset (util-linux) and two cores. */
export const canPin = (): boolean => {
  pinned ??=
    os.availableParallelism() >= 2 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;
  return pinned;
};

/** The command that runs on the given cores; unchanged if nothing can be pinned. taskset becomes the program: one pid. */
export const onCore = (core: number | string, command: string, args: string[]): [string, string[]] =>
  canPin() ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];

/** Moves a running process with all its threads. Its later children inherit the cores. */
export const moveToCores = (pid: number, cores: string): void => {
  if (!canPin()) return;
  const args = ['-a', '-c', '-p', cores, String(pid)];
  // A thread that ends while taskset goes through them makes it fail.
  for (let attempt = 1; ; attempt++) {
    const { status, stderr } = spawnSync('taskset', args, { encoding: 'utf8' });
    if (status === 0) return;
    if (attempt === 5) throw new Error(`taskset ${args.join(' ')}: ${stderr}`);
  }
};

/**
 * Lets a process give way to every other one on its core, with all its threads. If the scheduler weighs whole
 * sessions (autogroup), the session's own nice value counts.
 */
export const giveWay = (pid: number): void => {
  for (const thread of readdirSync(`/proc/${pid}/task`)) os.setPriority(Number(thread), 19);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, '19');
  } catch (error) {
    // A kernel without autogroups: the threads' own nice values count.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
};
