import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { startTestRedirector } from '../testing/redirector.ts';

/** This process's open files in a folder. */
const openIn = (folder: string): string[] =>
  fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    const link = `/proc/self/fd/${fd}`;
    const file = fs.existsSync(link) ? fs.readlinkSync(link) : '';
    return file.startsWith(folder) ? [path.relative(folder, file)] : [];
  });

test.runIf(process.platform === 'linux')(
  'a state folder of which one spool cannot be opened is given back with none of them open',
  async () => {
    const dataDir = await temporaryFolder();
    const [broken, next] = ['0', '1'].map((name) => path.join(dataDir, 'redirector', name)) as [
      string,
      string,
    ];
    fs.mkdirSync(broken, { recursive: true });
    fs.writeFileSync(path.join(broken, 'verifications'), 'not a folder');
    const { redirector } = await startTestRedirector({ DATA_DIR: dataDir });
    expect(redirector.folder).toBe(next);
    expect(openIn(next)).toContain('spool');
    expect(openIn(broken)).toEqual([]);
  },
);
