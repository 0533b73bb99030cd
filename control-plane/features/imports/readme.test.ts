/** The guide's commands work when they are pasted. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  importBytesMax,
  importKeptDays,
  importRowsMax,
  importSources,
  importsMax,
} from '#schemas/api/imports.ts';
import { temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { vendors } from './read/vendors/index.ts';

const guide = await readFile(new URL('./README.md', import.meta.url), 'utf8');

test('the guide has a section for each service, and states the limits that hold', () => {
  for (const source of importSources) expect(guide).toContain(`\n## ${vendors[source].title}\n`);
  expect(guide).toContain(`at most ${importRowsMax.toLocaleString('en')} links in 16 MB`);
  expect(guide).toContain(
    `removed ${importKeptDays} days after their last progress. A workspace has at most ${importsMax}, and their links have at most `,
  );
  expect(guide).toContain(`${importBytesMax / 2 ** 20} MB together`);
});

test.skipIf(!hasProgram('curl'))('the commands of the guide import its file', async () => {
  const plane = await startTestControlPlane();
  const { apiKey } = await plane.workspace();
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(guide) ?? [];
  const script = `set -eo pipefail; KEY=${apiKey};\n${block}`.replaceAll(
    'localhost:3000',
    plane.url.slice(7),
  );
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: await temporaryFolder() });
  expect(stdout).toContain('"reason":"alias_reserved"');
  expect(stdout).toMatch(/"status":"completed".*"created":1/);
  expect(stdout).not.toContain('"error":"');
});
