/** The calls of the guide work when they are pasted one after the other. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';

const guide = await readFile(new URL('./README.md', import.meta.url), 'utf8');
const calls = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, block]) => block!)
  .filter((block) => block.includes('curl'));

test.skipIf(!hasProgram('curl'))('no call of the guide is refused', async () => {
  const plane = await startTestControlPlane();
  const { apiKey } = await plane.workspace();
  const script = [`set -eo pipefail; KEY=${apiKey}`, ...calls].join('\n');
  const pasted = script.replaceAll('localhost:3000', plane.url.slice(7));
  const { stdout } = await promisify(execFile)('bash', ['-c', pasted]);
  expect(stdout).toContain('"received":true');
  expect(stdout).toContain('"healthCheck":true');
  expect(stdout).not.toContain('"error"');
});
