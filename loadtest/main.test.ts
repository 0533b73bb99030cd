import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasCode } from '#shared/errors.ts';
import { temporaryFolder } from '../deploy/testing/local.ts';
import { hasProgram } from '../deploy/testing/programs.ts';
import { callLoadTest } from './load-test/call.ts';
import { loadTests } from './load-tests.ts';
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

const titleOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
};

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
      { timeout: 120_000, interval: 5 },
    );
    onTestFinished(() => {
      for (const pid of below) if (runs(pid)) process.kill(pid, 'SIGKILL');
    });
    command.kill('SIGTERM');
    expect(await once(command, 'exit')).toEqual([1, null]);
    await expect.poll(() => below.filter(runs).map(titleOf)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  },
  240_000,
);

const names = [
  'redirect',
  'real',
  'handshakes',
  'api',
  'bulk',
  'hosted',
  'gs1',
  'verify',
  'claims',
  'render',
  'paint',
  'serialized',
  'webhooks',
  'webhook-faults',
  'ranges',
];

/** The load tests whose usage a text has. */
const usagesIn = (text: string): string[] =>
  [...text.matchAll(/^Usage: npm run loadtest -- ([\w-]+)/gm)].map((match) => match[1]!);

const callProcess = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

/** All that the process does, in this one. */
const call = async (...args: string[]) => {
  const outcome = { status: 0, stdout: '', stderr: '' };
  outcome.status = await callLoadTest(args, loadTests, {
    say: (text) => {
      outcome.stdout += `${text}\n`;
    },
    complain: (text) => {
      outcome.stderr += `${text}\n`;
    },
  });
  return outcome;
};

describe('the usage', () => {
  test.each(names)('of %s alone is printed for --help, and after a wrong flag', async (name) => {
    const help = await call(name, '--help');
    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(usagesIn(help.stdout)).toEqual([name]);

    const wrong = await call(name, '--fast');
    expect(wrong).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining("'--fast'") });
    expect(usagesIn(wrong.stderr)).toEqual([name]);
  });

  test('of every load test is printed if the call names no load test', async () => {
    const help = await call('--help');
    expect([help.status, usagesIn(help.stdout)]).toEqual([0, names]);

    const none = await call();
    expect([none.status, usagesIn(none.stderr)]).toEqual([2, names]);
    expect(none.stderr).toMatch(
      /^no load test is named; there are redirect, real, handshakes, api, bulk, hosted, gs1, verify, claims, render, paint, serialized, webhooks, webhook-faults, ranges\n/,
    );
    expect((await call('rendre')).stderr).toMatch(/^there is no load test rendre; there are redirect, real,/);
  });

  test('is printed on standard output if the call asks for it, and on standard error if the call is wrong', () => {
    const help = callProcess('render', '--help');
    expect([help.status, usagesIn(help.stdout), help.stderr]).toEqual([0, ['render'], '']);
    const wrong = callProcess('render', '--fast');
    expect([wrong.status, wrong.stdout, usagesIn(wrong.stderr)]).toEqual([2, '', ['render']]);
  });
});
