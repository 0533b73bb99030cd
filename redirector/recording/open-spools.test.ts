import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestRedirector } from '../testing/redirector.ts';
import { append, batchOf, openTestSpool } from '../testing/spool.ts';
import { giveBack } from './open-spools.ts';

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

test('a folder is given back only if the disk has no write of its spools', async () => {
  const options = { writeTimeoutMs: 300, folder: path.join(await temporaryFolder(), 'spool') };
  const { spool, folder } = await openTestSpool(options);
  let releases = 0;
  const state = { release: async () => void releases++ };
  await giveBack(state, [spool]);
  expect(releases).toBe(1);
  await append(spool, batchOf([{}]));
  await spool.rotate();
  // Opening a FIFO hangs until there is another end.
  const fifo = path.join(folder, fs.readdirSync(folder)[0]!.replace(/0\.frames$/, '1.frames'));
  execFileSync('mkfifo', [fifo]);
  await append(spool, batchOf([{}]));
  expect(spool.statistics.hanging).toBe(true);
  await giveBack(state, [spool]);
  expect(releases).toBe(1);
  const end = fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  afterFile(() => fs.closeSync(end));
  await eventually(() => expect(spool.statistics.hanging).toBe(false));
});
