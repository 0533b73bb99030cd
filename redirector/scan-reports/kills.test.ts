/** Redirectors killed while they report scans: processes as in production. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { createInstance } from '../testing/instance.ts';
import { startLoad, totalsOf } from '../testing/load.ts';
import { createRecord } from '../testing/redirector.ts';

/** Each client has one scan under way. */
const clients = 8;

test('kill -9 loses no report of an acknowledged scan: the next start sends the reports of every folder, each once', async () => {
  // Scans that the disk does not take in time are in memory, and lost with the process.
  const instance = await createInstance({ SPOOL_WRITE_TIMEOUT_MS: '60000' });
  const { reports, documents } = instance.controlPlane;
  const record = createRecord({ workspaceId: 'ws_kills' });
  await instance.publish(record);
  documents.set('ws_kills', { id: 'ws_kills', version: 1, ...{ scanEvents: true } });
  let acknowledged = 0;
  for (const status of [200, 503]) {
    reports.status = status;
    const redirector = await instance.start({ REDIRECTOR_WORKERS: '2' });
    await eventually(async () => expect(await redirector.complete()).toBe(true));
    const load = startLoad(instance.url, record.id, { clients });
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
    instance.folders().flatMap((folder) => fs.readdirSync(path.join(folder, 'scan-reports')));
  await eventually(() => expect(spooled()).toEqual([]));
  await eventually(() => expect(reports.scans.length).toBeGreaterThanOrEqual(acknowledged));
  const recorded = async () => (await totalsOf(instance.clickhouseUrl)).raw;
  await eventually(async () => expect(await recorded()).toBeGreaterThanOrEqual(acknowledged));
  last.kill('SIGTERM');
  expect(await last.exited).toBe(0);
  // A scan being answered at the kill is recorded and reported, only recorded, or neither.
  expect(reports.scans.length).toBeLessThanOrEqual(await recorded());
  const workers = 2;
  expect(reports.scans.length).toBeLessThanOrEqual(acknowledged + 2 * workers * clients);
  expect(new Set(reports.scans.map(({ id }) => id)).size).toBe(reports.scans.length);
});
