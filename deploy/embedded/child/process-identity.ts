/**
 * The identity of a process. A pid alone proves nothing: the kernel gives it to another process after the first one ended.
 * A pid and the moment of the process's start together name one process.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** On Linux: the id of this boot, and the clock tick since the boot at which the process started (proc(5), field 22). */
const startOnLinux = async (pid: number): Promise<string | null> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name is in brackets and may hold anything, so the fields are counted after the last one.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; its parent has not waited for it yet.
  if (state === 'Z' || state === 'X') return null;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return `${boot.trim()} ${fields[18]}`;
};

const startElsewhere = async (pid: number): Promise<string | null> => {
  const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
  const [, state = '', start = ''] = /^(\S+)\s+(.*\S)/.exec(stdout.trim()) ?? [];
  return state === '' || state.startsWith('Z') ? null : start;
};

/** Tells a process from every earlier and later one with the same pid; null when no such process runs. */
export const startOfProcess = async (pid: number): Promise<string | null> => {
  try {
    return await (process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid));
  } catch {
    // No such file, or ps found no such process: it does not run.
    return null;
  }
};

/** One process, as a file records it for a later run. */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

export const isRunning = async ({ pid, start }: ProcessIdentity): Promise<boolean> =>
  (await startOfProcess(pid)) === start;

/** @throws {Error} when the process ended before it could be identified */
export const identify = async (pid: number): Promise<ProcessIdentity> => {
  const start = await startOfProcess(pid);
  if (start === null) throw new Error(`process ${pid} ended at once`);
  return { pid, start };
};

/** The command line of a process; an empty string when no such process runs. */
export const commandLineOf = async (pid: number): Promise<string> => {
  try {
    if (process.platform === 'linux') {
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    }
    return (await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).stdout;
  } catch {
    return '';
  }
};
