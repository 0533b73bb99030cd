/**
 * Stalls that end: a disk that was frozen for a moment, and processes that got no CPU. Processes as in production, on a
 * disk of their own; during each story ClickHouse is down, so that only this disk keeps the answered scans.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { canMount, failDisk, fillDisk, mountAgain, mountDisk, run } from '../../deploy/testing/disk.ts';
import { afterFile, createTestClickHouse } from '../../deploy/testing/index.ts';
import { type Relay, startRelay } from '../../deploy/testing/relay.ts';
import { createInstance, type Instance, patient, type RedirectorProcess } from '../testing/instance.ts';
import { type Load, startLoad, totalsFor, totalsOf, untilCounted } from '../testing/load.ts';
import { createRecord } from '../testing/redirector.ts';

const workers = 2;
const clients = 16;
/** On a busy machine, processes start while scans are running. */
const pauseMs = 5;

/** Longer than a write takes while the disk is frozen for a moment, even on a busy machine. */
const patientWrites = { ms: 2500, environment: { SPOOL_WRITE_TIMEOUT_MS: '2500' } };

const until = (assertion: () => unknown) => vi.waitFor(assertion, patient);

const moreScans = async (load: Load, count: number): Promise<void> => {
  const before = load.acknowledged;
  await until(() => expect(load.acknowledged).toBeGreaterThan(before + count));
};

/** Each test starts the processes that deliver the scans of the previous ones, and that the next test uses. */
describe.skipIf(!canMount)('a stall that ends costs no answered scan', () => {
  let disk: string;
  let clickhouseUrl: string;
  let clickhouse: Relay;
  let instance: Instance;
  let record: CodeRecord;
  let redirector: RedirectorProcess;
  /** Scans acknowledged so far, and how often the processes were ended meanwhile. */
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
    // Enough connections that each worker gets some.
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

  /** Freezes the disk until each worker has scans in memory and `meanwhile` is done. */
  const stall = (load: Load, meanwhile = async () => {}): Promise<void> =>
    frozen(async () => {
      await until(async () => expect(await redirector.metric('spool_hanging')).toBe(workers));
      await moreScans(load, 50);
      expect(await redirector.metric('spool_memory_bytes')).toBeGreaterThan(0);
      await meanwhile();
    });

  /**
   * Waits for the end of the load and of the processes, and restarts them with ClickHouse: then each scan is counted,
   * once.
   */
  const expectCounted = async (load: Load, nextEnvironment = {}): Promise<void> => {
    const { acknowledged: last } = await load.stop();
    await redirector.exited;
    clickhouse.mend();
    await start(nextEnvironment);
    await expectAllSent(last);
  };

  /** @param last the scans acknowledged by the processes that ended last */
  const expectAllSent = async (last: number): Promise<void> => {
    acknowledged += last;
    ends++;
    await untilCounted(clickhouseUrl, acknowledged);
    await until(async () => expect(await redirector.metric('spool_bytes')).toBe(0));
    const counted = await totalsOf(clickhouseUrl);
    expect(counted).toEqual(totalsFor(counted.raw));
    // There may be more: scans stored but not yet answered when their worker ended.
    expect(counted.raw).toBeLessThanOrEqual(acknowledged + ends * clients);
  };

  test('scans in memory are on the disk as soon as it is back, and a stop some seconds later loses none', async () => {
    const load = await beginScans();
    await stall(load);
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBe(0));
    await moreScans(load, 50);
    redirector.kill('SIGTERM');
    await expectCounted(load);
  });

  test('processes stopped during the stall, twice, write their scans in memory once it is over', async () => {
    const load = await beginScans();
    await stall(load, async () => {
      redirector.kill('SIGTERM');
      redirector.kill('SIGTERM');
      await until(async () => expect(await redirector.ready()).not.toBe(200));
      await sleep(1000);
    });
    await expectCounted(load);
  });

  test('if the primary is killed as soon as the disk is back, its workers write their scans in memory before they end', async () => {
    const load = await beginScans();
    redirector.workers();
    await stall(load);
    redirector.kill('SIGKILL');
    await expectCounted(load, patientWrites.environment);
  });

  /** The primary first, so that it starts no new workers. */
  const killAll = (pids: readonly number[]): void => {
    for (const pid of [redirector.pid, ...pids]) process.kill(pid, 'SIGKILL');
  };

  test('all processes killed while the disk is frozen, twice, have lost no scan', async () => {
    for (let round = 0; round < 2; round++) {
      const load = await beginScans();
      await stall(load, async () => killAll(redirector.workers()));
      await expectCounted(load);
    }
  });

  test('all processes killed while the disk is full have lost no scan', async () => {
    const load = await beginScans();
    const filling = fillDisk(disk);
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBeGreaterThan(0));
    await moreScans(load, 200);
    killAll(redirector.workers());
    fs.rmSync(filling);
    await expectCounted(load);
  });

  /** Restarts the processes while the disk is full. They have no journal. @returns makes room */
  const startOnFullDisk = async (): Promise<() => void> => {
    redirector.kill('SIGTERM');
    await redirector.exited;
    // As after a restart of the machine; the old name would be a block that the new one could have.
    const stateFolders = path.join(disk, 'redirector');
    for (const name of fs.readdirSync(stateFolders))
      fs.rmSync(path.join(stateFolders, name, 'runtime'), { force: true });
    const filling = fillDisk(disk);
    const makeRoom = () => fs.rmSync(filling, { force: true });
    afterFile(makeRoom);
    await start();
    const unnamed = redirector.log.filter(({ msg }) => msg.includes('has nothing in RUNTIME_DIR'));
    expect(unnamed).toHaveLength(workers);
    return makeRoom;
  };

  test('processes that start while the disk is full, with an empty RUNTIME_DIR, redirect, and count each scan once there is room', async () => {
    const makeRoom = await startOnFullDisk();
    const load = await beginScans();
    await moreScans(load, 200);
    makeRoom();
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBe(0));
    redirector.kill('SIGTERM');
    await expectCounted(load);
  });

  test('processes that started on a full disk count each scan after it had room, was frozen, and is back', async () => {
    const makeRoom = await startOnFullDisk();
    const load = await beginScans();
    makeRoom();
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBe(0));
    await stall(load);
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBe(0));
    await moreScans(load, 50);
    redirector.kill('SIGTERM');
    await expectCounted(load);
  });

  test('processes that started on a full disk, killed once there is room, have lost no scan', async () => {
    const makeRoom = await startOnFullDisk();
    const load = await beginScans();
    makeRoom();
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBe(0));
    await moreScans(load, 200);
    killAll(redirector.workers());
    await expectCounted(load);
  });

  test('workers that got no CPU for a while, with a healthy disk, have nothing in memory that a kill would lose', async () => {
    const load = await beginScans();
    const pids = redirector.workers();
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids) process.kill(pid, name);
    };
    const hangs = async (): Promise<number> => {
      const count = await redirector.metric('spool_hangs_total');
      expect(count).toBeTypeOf('number');
      return count!;
    };
    const stopThreeTimes = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        // Each worker is stopped while a write is under way, which completes meanwhile.
        await frozen(async () => {
          await sleep(100);
          signal('SIGSTOP');
        });
        await sleep(patientWrites.ms + 200);
        signal('SIGCONT');
        await moreScans(load, 50);
      }
    };
    // On a busy machine one thread of the pool may get no CPU while the others do, which looks like a disk that hangs:
    // then all of it is tried again. Workers that do not ask the pool count hangs each time.
    let before: number;
    for (let attempt = 1; ; attempt++) {
      before = await hangs();
      await stopThreeTimes();
      if (attempt === 3 || (await hangs()) === before) break;
    }
    expect(await hangs()).toBe(before);
    await until(async () => expect(await redirector.metric('spool_memory_bytes')).toBe(0));
    killAll(pids);
    await expectCounted(load);
  });

  test('a disk that fails and allows no write or delete costs no scan: those on it and in memory are sent once, even after it is mounted again', async () => {
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
