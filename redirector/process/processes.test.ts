/** Several workers, as in production, really killed. */
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { createInstance, type Instance, patient, type RedirectorProcess } from '../testing/instance.ts';
import { type Load, startLoad, totalsFor, totalsOf, untilCounted } from '../testing/load.ts';
import { createRecord } from '../testing/redirector.ts';

const workers = 3;
const clients = 16;
/** On a busy machine, processes start while scans are running. */
const pauseMs = 5;

const until = (assertion: () => unknown) => vi.waitFor(assertion, patient);

const allRunning = (redirector: RedirectorProcess) =>
  until(async () => expect(await redirector.complete()).toBe(true));

const moreScans = async (load: Load, count: number): Promise<void> => {
  const before = load.acknowledged;
  await until(() => expect(load.acknowledged).toBeGreaterThan(before + count));
};

/** The tests build on each other: each starts from the state that the previous one left. */
describe('three workers', () => {
  let instance: Instance;
  let record: CodeRecord;
  /** Scans acknowledged so far. */
  let acknowledged = 0;

  beforeAll(async () => {
    instance = await createInstance({
      REDIRECTOR_WORKERS: String(workers),
      // A scan that waits too long for the disk is acknowledged from memory, which a kill loses.
      SPOOL_WRITE_TIMEOUT_MS: '60000',
    });
    record = createRecord();
    await instance.publish(record);
  });

  /** Stops the instance: then all acknowledged scans are counted, once. */
  const expectCounted = async (redirector: RedirectorProcess): Promise<void> => {
    redirector.kill('SIGTERM');
    expect(await redirector.exited).toBe(0);
    const counted = await totalsOf(instance.clickhouseUrl);
    expect(counted).toEqual(totalsFor(counted.raw));
    expect(counted.raw).toBeGreaterThanOrEqual(acknowledged);
    // There may be more: scans stored but not yet answered when their worker was killed.
    expect(counted.raw).toBeLessThanOrEqual(acknowledged + 3 * clients);
  };

  test('lose no acknowledged scan and count each once, if four and then all are killed under load', async () => {
    const killed = await instance.start();
    await allRunning(killed);
    const load = startLoad(instance.url, record.id, { clients, pauseMs });
    for (let volley = 0; volley < 2; volley++) {
      await moreScans(load, 300);
      const victims = killed.workers().slice(0, 2);
      for (const pid of victims) process.kill(pid, 'SIGKILL');
      await until(() => expect(killed.workers().filter((pid) => victims.includes(pid))).toEqual([]));
      await allRunning(killed);
    }
    expect(await killed.metric('worker_deaths_total')).toBe(4);
    await moreScans(load, 300);
    killed.kill('SIGKILL');
    acknowledged += (await load.stop()).acknowledged;
    await killed.exited;
    const last = await instance.start();
    await allRunning(last);
    expect(instance.folders()).toHaveLength(workers);
    // Enough connections that each worker holds the code.
    const again = startLoad(instance.url, record.id, { clients, pauseMs, newConnections: true });
    await moreScans(again, 100);
    acknowledged += (await again.stop()).acknowledged;
    await untilCounted(instance.clickhouseUrl, acknowledged);
    await expectCounted(last);
  });

  test('find their snapshots again: with everything else down, each keeps serving the scanned codes', async () => {
    instance.controlPlane.away = true;
    const after = await instance.start({
      REDIS_URL: 'redis://127.0.0.1:9',
      CLICKHOUSE_URL: 'http://127.0.0.1:9/none',
    });
    await allRunning(after);
    const load = startLoad(instance.url, record.id, { clients, pauseMs, newConnections: true });
    await moreScans(load, 300);
    const result = await load.stop();
    expect(result.failures).toEqual([]);
    acknowledged += result.acknowledged;
    after.kill('SIGKILL');
    await after.exited;
    instance.controlPlane.away = false;
  });

  test('leave scans that a start with fewer workers sends, even if one of their folders is broken', async () => {
    // The folder of a fourth worker, whose disk is broken.
    const broken = path.join(instance.dataDir, 'redirector', '3');
    fs.mkdirSync(broken);
    fs.writeFileSync(path.join(broken, 'spool'), 'not a folder');
    const fewer = await instance.start({ REDIRECTOR_WORKERS: '2' });
    await untilCounted(instance.clickhouseUrl, acknowledged);
    await until(async () => expect(await fewer.metric('orphan_folders_unusable')).toBe(1));
    await until(async () => expect(await fewer.metric('orphan_folders')).toBe(0));
    expect(await fewer.metric('orphan_rows_sent_total')).toBeGreaterThan(0);
    await until(async () => expect(await fewer.metric('known_processes')).toBe(2 * 2));
    await expectCounted(fewer);
  });
});
