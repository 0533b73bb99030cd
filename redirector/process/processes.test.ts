/** Several workers, as in production, really killed. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { createInstance, type RedirectorProcess } from '../testing/instance.ts';
import { type Load, startLoad, totalsFor, totalsOf } from '../testing/load.ts';
import { createRecord } from '../testing/redirector.ts';

const workers = 4;
const clients = 16;

const allRunning = (redirector: RedirectorProcess) =>
  vi.waitFor(async () => expect(await redirector.complete()).toBe(true), { timeout: 30_000 });

const moreScans = (load: Load, count: number): Promise<void> => {
  const before = load.acknowledged;
  return vi.waitFor(() => expect(load.acknowledged).toBeGreaterThan(before + count), { timeout: 20_000 });
};

test('six workers and then everything killed under load: each acknowledged scan is counted, once', async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: String(workers) });
  const record = createRecord();
  await instance.publish(record);
  const killed = await instance.start();
  await allRunning(killed);
  const load = startLoad(instance.url, record.id, { clients });
  for (let volley = 0; volley < 2; volley++) {
    await moreScans(load, 300);
    const victims = killed.workers().slice(0, 3);
    for (const pid of victims) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(killed.workers().filter((pid) => victims.includes(pid))).toEqual([]));
    await allRunning(killed);
  }
  expect(await killed.metric('worker_deaths_total')).toBe(6);
  await moreScans(load, 300);
  killed.kill('SIGKILL');
  const { acknowledged } = await load.stop();
  await killed.exited;
  const last = await instance.start();
  await allRunning(last);
  expect(instance.folders()).toHaveLength(workers);
  last.kill('SIGTERM');
  expect(await last.exited).toBe(0);
  const counted = await totalsOf(instance.clickhouseUrl);
  // There may be more: scans that were stored and not yet answered when the worker was killed.
  expect(counted.raw).toBeGreaterThanOrEqual(acknowledged);
  expect(counted.raw).toBeLessThanOrEqual(acknowledged + 3 * clients);
  expect(counted).toEqual(totalsFor(counted.raw));
}, 120_000);

test('a start with fewer workers sends the scans that the others left, though one of their folders is broken', async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: '3' });
  const record = createRecord();
  await instance.publish(record);
  // No ClickHouse listens there: all scans stay in the folders.
  const before = await instance.start({ CLICKHOUSE_URL: 'http://127.0.0.1:9/none' });
  await allRunning(before);
  const load = startLoad(instance.url, record.id, { clients });
  await moreScans(load, 300);
  before.kill('SIGKILL');
  const { acknowledged } = await load.stop();
  await before.exited;
  // The folder of a fourth worker, whose disk is broken.
  const broken = path.join(instance.dataDir, 'redirector', '3');
  fs.mkdirSync(broken);
  fs.writeFileSync(path.join(broken, 'spool'), 'not a folder');
  const after = await instance.start({ REDIRECTOR_WORKERS: '2' });
  await vi.waitFor(
    async () => expect((await totalsOf(instance.clickhouseUrl)).raw).toBeGreaterThanOrEqual(acknowledged),
    { timeout: 20_000 },
  );
  await vi.waitFor(async () => expect(await after.metric('orphan_folders')).toBe(0), { timeout: 10_000 });
  expect(await after.metric('orphan_rows_sent_total')).toBeGreaterThan(0);
  expect(await after.metric('orphan_folders_unusable')).toBe(1);
  // As of the last beat: the killed ones count until their lines are old, or written by others.
  await vi.waitFor(async () => expect(await after.metric('known_processes')).toBe(2 * 2), {
    timeout: 20_000,
  });
  // Scans that the workers found in their own folders may still be on their way, and rollups come after rows.
  after.kill('SIGTERM');
  expect(await after.exited).toBe(0);
  const counted = await totalsOf(instance.clickhouseUrl);
  // Each killed worker may have stored one scan of each client without answering it.
  expect(counted.raw).toBeLessThanOrEqual(acknowledged + 3 * clients);
  expect(counted).toEqual(totalsFor(counted.raw));
}, 120_000);

test('workers find their snapshots again: with everything else away, each goes on with the codes that were scanned', async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: '2' });
  const record = createRecord();
  await instance.publish(record);
  const before = await instance.start();
  await allRunning(before);
  const load = startLoad(instance.url, record.id, { clients, newConnections: true });
  await moreScans(load, 100);
  await load.stop();
  before.kill('SIGTERM');
  expect(await before.exited).toBe(0);
  instance.controlPlane.away = true;
  const after = await instance.start({ REDIS_URL: 'redis://127.0.0.1:9', REDIRECTOR_WORKERS: '3' });
  await allRunning(after);
  const again = startLoad(instance.url, record.id, { clients, newConnections: true });
  await moreScans(again, 100);
  expect((await again.stop()).failures).toEqual([]);
}, 120_000);
