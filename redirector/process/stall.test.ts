/**
 * Stalls that are over: a disk that was frozen for a moment, and processes that got no CPU. Processes as in production, on a
 * disk of their own; during each story ClickHouse is away, so that this disk alone keeps what they have answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { canMount, failDisk, mountAgain, mountDisk, run } from '../../deploy/testing/disk.ts';
import { afterFile, createTestClickHouse } from '../../deploy/testing/index.ts';
import { type Relay, startRelay } from '../../deploy/testing/relay.ts';
import { createInstance, type Instance, patient, type RedirectorProcess } from '../testing/instance.ts';
import { type Load, startLoad, totalsFor, totalsOf, untilCounted } from '../testing/load.ts';
import { createRecord } from '../testing/redirector.ts';

const workers = 2;
const clients = 16;
/** On a busy machine, processes start beside the scans. */
const pauseMs = 5;

/** More than the disk takes for a write while it is frozen for a moment, also on a busy machine. */
const patientWrites = { ms: 2500, environment: { SPOOL_WRITE_TIMEOUT_MS: '2500' } };

const until = (assertion: () => unknown) => vi.waitFor(assertion, patient);

const moreScans = async (load: Load, count: number): Promise<void> => {
  const before = load.acknowledged;
  await until(() => expect(load.acknowledged).toBeGreaterThan(before + count));
};

/** Each test starts the processes that deliver what those before them have left, and are those of the next test. */
describe.skipIf(!canMount)('a stall that is over costs no scan that was answered', () => {
  let disk: string;
  let clickhouseUrl: string;
  let clickhouse: Relay;
  let instance: Instance;
  let record: CodeRecord;
  let redirector: RedirectorProcess;
  /** Scans that were acknowledged so far, and how often processes were ended below them. */
  let acknowledged = 0;
  let ends = 0;

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    redirector = await instance.start(environment);
    await until(async () => expect(await redirector.complete()).toBe(true));
  };

  beforeAll(async () => {
    disk = await mountDisk(64);
    clickhouseUrl = await createTestClickHouse();
    clickhouse = await startRelay(clickhouseUrl);
    instance = await createInstance({
      REDIRECTOR_WORKERS: String(workers),
      DATA_DIR: disk,
      CLICKHOUSE_URL: clickhouse.url,
    });
    record = createRecord();
    await instance.publish(record);
    await start();
  });

  const beginScans = async (): Promise<Load> => {
    clickhouse.cut();
    // So many connections that each worker has its part.
    const load = startLoad(instance.url, record.id, { clients, pauseMs, newConnections: true });
    await moreScans(load, 200);
    return load;
  };

  const frozen = async (during: () => Promise<void>): Promise<void> => {
    let isFrozen = true;
    const thaw = () => {
      if (isFrozen) run('fsfreeze', '-u', disk);
      isFrozen = false;
    };
    run('fsfreeze', '-f', disk);
    afterFile(thaw);
    await during().finally(thaw);
  };

  /** Freezes the disk until each worker has scans in memory, and something else is done. */
  const stall = (load: Load, meanwhile = async () => {}): Promise<void> =>
    frozen(async () => {
      await until(async () => expect(await redirector.metric('spool_hanging')).toBe(workers));
      await moreScans(load, 50);
      expect(await redirector.metric('spool_memory_bytes')).toBeGreaterThan(0);
      await meanwhile();
    });

  /** Waits for the end of the load and of the processes, and starts them with ClickHouse: then each scan is counted, once. */
  const expectCounted = async (load: Load, nextEnvironment = {}): Promise<void> => {
    const { acknowledged: last } = await load.stop();
    await redirector.exited;
    clickhouse.mend();
    await start(nextEnvironment);
    await expectAllSent(last);
  };

  /** @param last those that the processes have acknowledged which ended last */
  const expectAllSent = async (last: number): Promise<void> => {
    acknowledged += last;
    ends++;
    await untilCounted(clickhouseUrl, acknowledged);
    await until(async () => expect(await redirector.metric('spool_bytes')).toBe(0));
    const counted = await totalsOf(clickhouseUrl);
    expect(counted).toEqual(totalsFor(counted.raw));
    // There may be more: scans that were stored and not yet answered when their worker ended.
    expect(counted.raw).toBeLessThanOrEqual(acknowledged + ends * clients);
  };

  test('what is in memory is on the disk as soon as it is back, and a stop some seconds later loses none', async () => {
    const load = await beginScans();
    await stall(load);
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBe(0));
    await moreScans(load, 50);
    redirector.kill('SIGTERM');
    await expectCounted(load);
  });

  test('processes that are told to stop while it lasts, twice, write what they have in memory once it is over', async () => {
    const load = await beginScans();
    await stall(load, async () => {
      redirector.kill('SIGTERM');
      redirector.kill('SIGTERM');
      await until(async () => expect(await redirector.ready()).not.toBe(200));
      await sleep(1000);
    });
    await expectCounted(load);
  });

  test('if the primary is killed as soon as the disk is back, its workers write what they have in memory before they end', async () => {
    const load = await beginScans();
    redirector.workers();
    await stall(load);
    redirector.kill('SIGKILL');
    await expectCounted(load, patientWrites.environment);
  });

  test('workers that got no CPU for a time, on a disk that is well, have nothing in memory that a kill takes with it', async () => {
    const load = await beginScans();
    const pids = redirector.workers();
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids) process.kill(pid, name);
    };
    for (let round = 0; round < 3; round++) {
      // Each has a write under way when it is stopped, which is done while it is.
      await frozen(async () => {
        await sleep(100);
        signal('SIGSTOP');
      });
      await sleep(patientWrites.ms + 200);
      signal('SIGCONT');
      await moreScans(load, 50);
    }
    expect(await redirector.metric('spool_hangs_total')).toBe(0);
    // The primary first, so that it starts no others.
    for (const pid of [redirector.pid, ...pids]) process.kill(pid, 'SIGKILL');
    await expectCounted(load);
  });

  test('a disk that fails and lets nothing be written or deleted costs none: what it has and what is in memory is sent, once, also after it is mounted again', async () => {
    const load = await beginScans();
    failDisk(disk);
    await moreScans(load, 200);
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBeGreaterThan(0));
    const { acknowledged: last } = await load.stop();
    clickhouse.mend();
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBe(0));
    await untilCounted(clickhouseUrl, acknowledged + last);
    redirector.kill('SIGTERM');
    await redirector.exited;
    mountAgain(disk);
    await start();
    await expectAllSent(last);
  });
});
