import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../deploy/testing/index.ts';
import { hasProgram } from '../deploy/testing/programs.ts';
import { treeOf } from './measure/processes.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

const start = (args: string[], folder: string): ChildProcess => {
  const command = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  });
  onTestFinished(() => {
    command.kill('SIGKILL');
  });
  return command;
};

const titleOf = (pid: number): string =>
  existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';

/** Whether a process runs; one that has ended and is not waited for has no memory left. */
const runs = (pid: number): boolean => titleOf(pid) !== '';

test.skipIf(!hasProgram('nginx') || !hasProgram('openssl'))(
  'a signal ends every process that the command started, nginx workers as well, and removes its folder',
  async () => {
    const folder = await temporaryFolder();
    const command = start(['handshakes', '--quick'], folder);
    const below = await vi.waitUntil(
      () => {
        const tree = treeOf(command.pid!).slice(1);
        return tree.some((pid) => titleOf(pid).startsWith('nginx: worker')) && tree;
      },
      { timeout: 25_000, interval: 5 },
    );
    onTestFinished(() => {
      for (const pid of below) if (runs(pid)) process.kill(pid, 'SIGKILL');
    });
    command.kill('SIGTERM');
    expect(await once(command, 'exit')).toEqual([1, null]);
    await vi.waitFor(() => expect(below.filter(runs).map(titleOf)).toEqual([]));
    expect(readdirSync(folder)).toEqual([]);
  },
);
