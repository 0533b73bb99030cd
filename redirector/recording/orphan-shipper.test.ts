import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { createDiskQueue } from '../instance/disk-queue.ts';
import { listFolders, takeFolder } from '../instance/state-folder.ts';
import { eventually } from '../testing/eventually.ts';
import { logger } from '../testing/redirector.ts';
import { append, batchOf, openTestSpool } from '../testing/spool.ts';
import { type OrphanShipperOptions, startOrphanShipper } from './orphan-shipper.ts';
import type { Sink } from './shipper.ts';

const spoolOf = (folder: string) => openTestSpool({ folder: path.join(folder, 'spool') });

/** Folders as killed processes leave them, each with three scans of a code named after the folder's number. */
const leaveFolders = async (count: number): Promise<string> => {
  const dataDir = await temporaryFolder();
  for (let number = 0; number < count; number++) {
    const folder = path.join(dataDir, 'redirector', String(number));
    fs.mkdirSync(folder, { recursive: true });
    const { spool } = await spoolOf(folder);
    await append(spool, batchOf(Array.from({ length: 3 }, () => ({ codeId: `code-${number}` }))));
    await spool.close();
  }
  return dataDir;
};

/** Refuses segments that contain one of the texts, and remembers the names of the others. */
const createSink = (refused: string[] = []): Sink & { taken: string[] } => {
  const taken: string[] = [];
  return {
    name: 'test',
    taken,
    async send(segment) {
      const bytes = await segment.read();
      if (refused.some((text) => bytes.includes(text))) throw new Error('not taken');
      taken.push(segment.name);
    },
  };
};

const optionsFor = (dataDir: string): OrphanShipperOptions => ({
  dataDir,
  runtimeDir: path.join(dataDir, 'runtime'),
  everyMs: 60_000,
  folderMs: 200,
  reserved: () => new Set(),
  announce: async () => undefined,
});

const start = async (
  dataDir: string,
  sink: Sink,
  options: Partial<OrphanShipperOptions> = {},
  diskQueue = createDiskQueue(60_000),
) => {
  const orphans = await startOrphanShipper(
    { ...optionsFor(dataDir), ...options },
    [{ spool: 'spool', open: async (folder) => (await spoolOf(folder.path)).spool, sink }],
    diskQueue,
    logger,
  );
  afterFile(() => orphans.close());
  return orphans;
};

const folder = (dataDir: string, number: number): string => path.join(dataDir, 'redirector', String(number));

/** Whether no process holds the folder. */
const isFree = async (dataDir: string, number: number): Promise<boolean> => {
  const taken = await takeFolder(folder(dataDir, number), path.join(dataDir, 'runtime'));
  await taken?.release();
  return taken !== undefined;
};

test('scans of dead processes are sent, and their folders become free', async () => {
  const dataDir = await leaveFolders(3);
  const sink = createSink();
  const orphans = await start(dataDir, sink);
  await eventually(() => expect(orphans.statistics.rowsSent).toBe(9));
  await eventually(() => expect(orphans.statistics.folders).toBe(0));
  expect(sink.taken).toHaveLength(3);
  for (let number = 0; number < 3; number++) {
    await eventually(async () => expect(await isFree(dataDir, number)).toBe(true));
    const left = fs.readdirSync(path.join(folder(dataDir, number), 'spool'));
    expect(left.filter((name) => name.endsWith('.frames'))).toEqual([]);
  }
  expect(await listFolders(dataDir)).toHaveLength(3);
});

test('scans that wait in the folders are counted, and announced in the membership while they wait', async () => {
  const dataDir = await leaveFolders(2);
  const orphans = await start(dataDir, createSink(['code-']));
  await eventually(() => expect(orphans.statistics).toMatchObject({ folders: 2, rows: 6, rowsSent: 0 }));
  expect(orphans.statistics.bytes).toBeGreaterThan(0);
  await eventually(() => expect(orphans.lines(0)).toHaveLength(2));
  for (const line of orphans.lines(0)) {
    expect(line.living).toBe(false);
    expect(line.waitedMs).toBeGreaterThan(0);
  }
  await orphans.close();
  expect(await isFree(dataDir, 0)).toBe(true);
});

test('the line of a folder says that its scans are sent before the folder is given back', async () => {
  const dataDir = await leaveFolders(3);
  const sent = new Set<string>();
  const orphans = await start(dataDir, createSink(), {
    async announce() {
      for (const { id, waitedMs, stays } of orphans.lines(0)) if (waitedMs === 0 && !stays) sent.add(id);
    },
  });
  await eventually(() => expect(orphans.statistics).toMatchObject({ folders: 0, rowsSent: 9 }));
  expect(sent.size).toBe(3);
});

test('a folder whose line is being written is held until it is written', async () => {
  const dataDir = await leaveFolders(1);
  const freeWhileWritten: boolean[] = [];
  const orphans = await start(dataDir, createSink(), {
    async announce() {
      await sleep(200);
      freeWhileWritten.push(await isFree(dataDir, 0));
    },
  });
  await eventually(() => expect(orphans.statistics).toMatchObject({ folders: 0, rowsSent: 3 }));
  expect(freeWhileWritten).toEqual([false]);
});

test('a stop ends the time of a folder at once', async () => {
  const dataDir = await leaveFolders(1);
  const orphans = await start(dataDir, createSink(['code-0']), { folderMs: 60_000 });
  await eventually(() => expect(orphans.statistics).toMatchObject({ folders: 1, rows: 3 }));
  const stopMs = performance.now();
  await orphans.close();
  // It waits for two seconds for a folder that is being opened.
  expect(performance.now() - stopMs).toBeLessThan(1_500);
  expect(await isFree(dataDir, 0)).toBe(true);
});

test('a process that ends before its first search leaves a line only for folders in which scans still wait', async () => {
  const dataDir = await leaveFolders(2);
  const orphans = await start(dataDir, createSink(), { reserved: () => undefined });
  expect(orphans.lines(0)).toHaveLength(2);
  const spool = path.join(folder(dataDir, 0), 'spool');
  for (const name of fs.readdirSync(spool)) fs.rmSync(path.join(spool, name), { recursive: true });
  await orphans.close();
  expect(orphans.lines(0)).toHaveLength(1);
});

test('the line of a folder that is given back with scans in it stays, until a process holds it again', async () => {
  const dataDir = await leaveFolders(2);
  const orphans = await start(dataDir, createSink(['code-1']));
  await eventually(() => expect(orphans.statistics).toMatchObject({ folders: 1, rowsSent: 3 }));
  const [held] = orphans.lines(0);
  expect(held!.stays).toBeUndefined();
  await orphans.close();
  expect(orphans.lines(0)).toEqual([{ id: held!.id, living: false, waitedMs: 0, stays: true }]);
});

test('the line of a folder that cannot be opened stays as it was before the search', async () => {
  const dataDir = await leaveFolders(2);
  const spool = path.join(folder(dataDir, 0), 'spool');
  let reserved: ReadonlySet<string> | undefined;
  const orphans = await start(dataDir, createSink(), { reserved: () => reserved });
  const [unopened] = orphans.lines(0);
  expect(orphans.lines(0)).toMatchObject([{ stays: false }, { stays: false }]);
  fs.renameSync(spool, `${spool} of before`);
  fs.writeFileSync(spool, 'not a folder');
  reserved = new Set();
  await eventually(() => expect(orphans.statistics).toMatchObject({ unusable: 1, rowsSent: 3 }));
  await eventually(() => expect(orphans.lines(0)).toMatchObject([{ id: unopened!.id, stays: true }]));
  await orphans.close();
  expect(orphans.lines(0)).toMatchObject([{ id: unopened!.id, stays: true }]);
});

test('a folder of which one spool cannot be opened closes the others', async () => {
  const dataDir = await leaveFolders(1);
  const closed: string[] = [];
  const sink = createSink();
  const orphans = await startOrphanShipper(
    optionsFor(dataDir),
    [
      {
        spool: 'spool',
        async open(taken) {
          const { spool } = await spoolOf(taken.path);
          const { close } = spool;
          spool.close = async () => {
            closed.push(taken.path);
            await close();
          };
          return spool;
        },
        sink,
      },
      { spool: 'other', open: () => Promise.reject(new Error('not readable')), sink },
    ],
    createDiskQueue(60_000),
    logger,
  );
  afterFile(() => orphans.close());
  await eventually(() => expect(orphans.statistics.unusable).toBe(1));
  expect(closed).toEqual([folder(dataDir, 0)]);
});

test('a folder that cannot be opened is counted, and the others are sent', async () => {
  const dataDir = await leaveFolders(3);
  fs.rmSync(path.join(folder(dataDir, 0), 'spool'), { recursive: true });
  fs.writeFileSync(path.join(folder(dataDir, 0), 'spool'), 'not a folder');
  const orphans = await start(dataDir, createSink());
  await eventually(() => expect(orphans.statistics).toMatchObject({ unusable: 1, rowsSent: 6 }));
  await eventually(async () => expect(await isFree(dataDir, 0)).toBe(true));
});

test('a folder whose scans are not taken does not hold up the others', async () => {
  const dataDir = await leaveFolders(3);
  const orphans = await start(dataDir, createSink(['code-0']));
  await eventually(() => expect(orphans.statistics).toMatchObject({ folders: 1, rows: 3, rowsSent: 6 }));
});

test('folders of live and restarting processes are left alone', async () => {
  const dataDir = await leaveFolders(3);
  const living = await takeFolder(folder(dataDir, 0), path.join(dataDir, 'runtime'));
  const orphans = await start(dataDir, createSink(), { reserved: () => new Set([folder(dataDir, 1)]) });
  await eventually(() => expect(orphans.statistics).toMatchObject({ folders: 0, rowsSent: 3 }));
  await living?.release();
});

test('no search starts before all processes of the start have their folders; until then, folders with scans are waited for', async () => {
  const dataDir = await leaveFolders(2);
  fs.mkdirSync(folder(dataDir, 2));
  let reserved: ReadonlySet<string> | undefined;
  const asked = vi.fn(() => reserved);
  const orphans = await start(dataDir, createSink(), { reserved: asked });
  const atStart = orphans.lines(0);
  await eventually(() => expect(asked.mock.calls.length).toBeGreaterThan(3));
  expect(await isFree(dataDir, 0)).toBe(true);
  expect(atStart).toHaveLength(2);
  for (const line of orphans.lines(0)) expect(line.living).toBe(false);
  for (const line of orphans.lines(0)) expect(line.waitedMs).toBeGreaterThan(1e12);
  reserved = new Set();
  await eventually(() => expect(orphans.statistics.rowsSent).toBe(6));
  await eventually(() => expect(orphans.lines(0)).toEqual([]));
});

test('a killed start and the next one wait for the same folders, and for none without scans', async () => {
  const dataDir = await leaveFolders(2);
  for (const number of [0, 1])
    await (await takeFolder(folder(dataDir, number), path.join(dataDir, 'runtime')))?.release();
  const notYet = { reserved: () => undefined };
  const [killed, next] = [
    await start(dataDir, createSink(), notYet),
    await start(dataDir, createSink(), notYet),
  ];
  const ids = killed.lines(0).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(next.lines(0).map(({ id }) => id)).toEqual(ids);
  const empty = await start(await temporaryFolder(), createSink(), notYet);
  expect(empty.lines(0)).toEqual([]);
});

test('a folder is held until its spool is closed: the next holder finds it unused', async () => {
  const dataDir = await leaveFolders(2);
  const freeWhileOpen: boolean[] = [];
  const orphans = await startOrphanShipper(
    optionsFor(dataDir),
    [
      {
        spool: 'spool',
        async open(taken) {
          const { spool } = await spoolOf(taken.path);
          const { close } = spool;
          spool.close = async () => {
            await close();
            freeWhileOpen.push(await isFree(dataDir, Number(path.basename(taken.path))));
          };
          return spool;
        },
        sink: createSink(['code-1']),
      },
    ],
    createDiskQueue(60_000),
    logger,
  );
  // One is given back when it is sent, the other when the process stops.
  await eventually(() => expect(orphans.statistics).toMatchObject({ rowsSent: 3, folders: 1 }));
  await orphans.close();
  expect(freeWhileOpen).toEqual([false, false]);
  for (const number of [0, 1]) expect(await isFree(dataDir, number)).toBe(true);
});

test('while the disk hangs there is no search, and no lock is opened on the event loop', async () => {
  const dataDir = await leaveFolders(1);
  const diskQueue = createDiskQueue(2000);
  let reserved: ReadonlySet<string> | undefined;
  const orphans = await start(dataDir, createSink(), { everyMs: 50, reserved: () => reserved }, diskQueue);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await expect(diskQueue.run(() => answered)).rejects.toThrow('has not answered');
  let searches = 0;
  const asked = vi.spyOn(diskQueue, 'run').mockImplementation((work) => {
    searches++;
    asked.mockRestore();
    return diskQueue.run(work);
  });
  reserved = new Set();
  await eventually(() => expect(searches).toBe(1));
  expect(orphans.statistics).toMatchObject({ folders: 0, rowsSent: 0 });
  expect(fs.readdirSync(folder(dataDir, 0))).not.toContain('lock');
  answer();
  await eventually(() => expect(orphans.statistics.rowsSent).toBe(3));
});

test('a folder whose process dies later is found by a later search', async () => {
  const dataDir = await leaveFolders(1);
  const living = await takeFolder(folder(dataDir, 0), path.join(dataDir, 'runtime'));
  const orphans = await start(dataDir, createSink(), { everyMs: 100 });
  await eventually(() => expect(orphans.lines(0)).toEqual([]));
  expect(orphans.statistics.rowsSent).toBe(0);
  await living?.release();
  await eventually(() => expect(orphans.statistics.rowsSent).toBe(3));
});
