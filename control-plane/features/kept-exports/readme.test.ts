/** The lines of the guide work when pasted. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../deploy/testing/local.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';

const guide = await readFile(new URL('./README.md', import.meta.url), 'utf8');

test.skipIf(!hasProgram('curl'))(
  'the guide begins an export, waits for it and downloads its file',
  async () => {
    const plane = await startTestControlPlane();
    const { apiKey } = await plane.workspace();
    const folder = await temporaryFolder();
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(guide)!;
    const script = `set -eo pipefail; KEY=${apiKey};\n${block}`.replaceAll(
      'localhost:3000',
      plane.url.slice(7),
    );
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });
    expect(stdout).toContain('"status":"completed"');
    expect(gunzipSync(await readFile(path.join(folder, 'scans.ndjson.gz'))).toString()).toBe('');
  },
);
