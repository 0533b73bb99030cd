/** README's lines about forms work when they are pasted. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { FormObject } from '#schemas/api/forms.ts';
import { temporaryFolder } from '../../../deploy/testing/index.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';

const readme = new URL('../../../README.md', import.meta.url);

test.skipIf(!hasProgram('curl'))('the calls of the section "Forms" are accepted as they are', async () => {
  const [, section = ''] = (await readFile(readme, 'utf8')).split('\n### Forms\n');
  const block = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  expect(block.match(/\bcurl /g)).toHaveLength(4);
  const plane = await startTestControlPlane();
  const { apiKey, call } = await plane.workspace();
  const fields = [{ id: 'email', type: 'email', label: 'E-mail' }];
  const { formId } = (await call('POST', '/api/qr/forms', { name: 'Contact', fields })).body as FormObject;
  const folder = await temporaryFolder();
  // A refusal ends the script, and tells why.
  const script = `set -eo pipefail; KEY=${apiKey}; FORM=${formId}; curl() { command curl --fail-with-body "$@"; }\n${block}`;
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', script.replaceAll(/localhost:(3000|8080)/g, plane.url)],
    { cwd: folder },
  );
  expect(stdout).toContain(`{"location":"/f/${formId}?sent=1"}`);
  expect(await readFile(path.join(folder, 'submissions.csv'), 'utf8')).toContain('E-mail');
  const { body } = await call('GET', `/api/qr/forms/${formId}/submissions`);
  expect(body).toMatchObject({ submissions: [{ values: { email: 'ann@example.com' } }] });
});
