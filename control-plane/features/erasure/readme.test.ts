/** The guide's lines work when pasted. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';

test.skipIf(!hasProgram('curl'))(
  'the calls of the guide erase the scans of a code, and the code',
  async () => {
    const plane = await startTestControlPlane();
    const { apiKey } = await plane.workspace();
    const guide = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8');
    const [, block] = /```sh\n([\s\S]*?)```/.exec(guide)!;
    const script = `set -e\nKEY=${apiKey}\n${block}`.replaceAll('localhost:3000', plane.url.slice(7));
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    expect([...stdout.matchAll(/"subject":"(\w+)"/g)].map(([, subject]) => subject)).toEqual([
      'scans',
      'code',
      'code',
      'scans',
    ]);
  },
);
