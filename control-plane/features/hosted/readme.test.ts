/** README's lines about hosted pages work when they are pasted. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../deploy/testing/index.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';

const readme = new URL('../../../README.md', import.meta.url);

test.skipIf(!hasProgram('curl'))(
  'the calls of the section "Hosted pages" are accepted as they are',
  async () => {
    const [, section = ''] = (await readFile(readme, 'utf8')).split('\n## Hosted pages\n');
    const block = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
    expect(block.match(/^curl /gm)).toHaveLength(7);
    const plane = await startTestControlPlane();
    const { apiKey, call } = await plane.workspace();
    // A refusal ends the script, and tells why.
    const script = `set -eo pipefail; KEY=${apiKey}; curl() { command curl --fail-with-body "$@"; }\n${block}`;
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-c', script.replaceAll('localhost:3000', plane.url)],
      {
        cwd: await temporaryFolder(),
      },
    );
    expect(stdout).toContain('"dataType":"url"');
    expect((await call('GET', '/api/qr/menus')).body).toMatchObject({ menus: [{ name: 'Evening' }] });
    expect((await call('GET', '/api/qr/landing-pages')).body).toMatchObject({
      pages: [{ headline: null, buttons: [], status: 'paused' }],
    });
    expect((await call('GET', '/api/qr/forms')).body).toEqual({ forms: [] });
  },
);
