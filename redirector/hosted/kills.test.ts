/** Redirectors killed while they serve hosted pages: processes as in production. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { createInstance } from '../testing/instance.ts';
import { startLoad } from '../testing/load.ts';
import { samplePage } from './testing/sample-page.ts';

/** Each client has one view under way. */
const clients = 8;
const workers = 2;

test('kill -9 loses no view that was answered: the next start sends the views of every folder, each once', async () => {
  // Views that the disk does not take in time are in memory, and lost with the process.
  const instance = await createInstance({ SPOOL_WRITE_TIMEOUT_MS: '60000' });
  const { reports, documents } = instance.controlPlane;
  const { document, target } = samplePage();
  documents.set(document.id, document);
  let acknowledged = 0;
  for (const status of [200, 503]) {
    reports.status = status;
    const redirector = await instance.start({ REDIRECTOR_WORKERS: String(workers) });
    await eventually(async () => expect(await redirector.complete()).toBe(true));
    const load = startLoad(instance.url, target, { clients });
    await eventually(() => expect(load.acknowledged).toBeGreaterThan(300));
    for (const pid of redirector.workers()) process.kill(pid, 'SIGKILL');
    redirector.kill('SIGKILL');
    await redirector.exited;
    acknowledged += (await load.stop()).acknowledged;
  }
  reports.status = 200;
  // One process: the folder of the other worker is an orphan.
  const last = await instance.start({ REDIRECTOR_WORKERS: '1' });
  const spooled = () =>
    instance.folders().flatMap((folder) => fs.readdirSync(path.join(folder, 'page-views')));
  await eventually(() => expect(spooled()).toEqual([]));
  await eventually(() => expect(reports.views.length).toBeGreaterThanOrEqual(acknowledged));
  last.kill('SIGTERM');
  expect(await last.exited).toBe(0);
  // A view being answered at the kill is counted or not.
  expect(reports.views.length).toBeLessThanOrEqual(acknowledged + 2 * workers * clients);
});
