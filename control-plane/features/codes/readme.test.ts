/** The guide's lines work when pasted, and answer as shown. */
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestRedis } from '../../../deploy/testing/redis.ts';
import { startTestRedirector } from '../../../redirector/testing/redirector.ts';
import { secretKey, startTestControlPlane } from '../../testing/control-plane.ts';

const blocksOf = async (guide: string): Promise<string[]> => {
  const markdown = await readFile(path.join(import.meta.dirname, guide), 'utf8');
  return [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
};

const run = async (script: string) =>
  promisify(execFile)('bash', ['-c', script], { cwd: await temporaryFolder() });

/** A block step by step: lines, and the parts of their answer that the guide shows after an arrow. */
const stepsOf = (block: string) =>
  [...block.matchAll(/([\s\S]*?)^# → (.*)\n/gm)].map(([, lines, shown]) => ({
    lines: lines!,
    shown: shown!.split(' … '),
  }));

test.skipIf(!hasProgram('curl'))(
  'each block of the guide works when pasted after the first, and answers as the guide shows',
  async () => {
    const server = await startTestRedis();
    const plane = await startTestControlPlane({ redisUrl: server.url });
    const redirector = await startTestRedirector({
      REDIS_URL: server.url,
      SECRET_KEY: secretKey,
      CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
    });
    await redirector.connected();
    const { apiKey } = await plane.workspace();
    const blocks = await blocksOf('README.md');
    expect(blocks.map((block) => stepsOf(block).length)).toEqual([
      1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 2, 2, 2, 2, 3,
    ]);
    const steps = blocks.flatMap(stepsOf);
    const script = [
      'set -eo pipefail',
      `KEY=${apiKey}`,
      ...steps.map(({ lines }) => `${lines}\nprintf '\\f'`),
    ]
      .join('\n')
      .replaceAll('localhost:3000', plane.url.slice(7))
      .replaceAll('localhost:8080', redirector.url.slice(7));
    const answers = (await run(script)).stdout.split('\f');
    for (const [index, { shown }] of steps.entries())
      for (const part of shown) expect(answers[index]).toContain(part);
  },
);

test.each(['../../../README.md', 'README.md', '../images/README.md'])(
  'without a key the first calls of %s send no request, and say that KEY is missing',
  async (guide) => {
    const block = (await blocksOf(guide)).find((lines) => lines.includes('KEY'));
    // As typed by a person: such a shell continues after a failure. Detached, it does not touch the terminal.
    const shell = spawn('bash', ['--norc', '-i'], { cwd: await temporaryFolder(), detached: true });
    shell.stdin.end(`unset KEY; curl() { echo called; }; sleep() { :; }\n${block}\nexit\n`);
    const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    expect(stderr).toMatch(/^bash: KEY: /m);
    expect(stdout).not.toContain('called');
  },
);
