/** What a process finds that starts after a kill: the journal, and the disk as far as it was written. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { canMount, fillDisk, mountDisk } from '../../deploy/testing/disk.ts';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { sampleEvent } from '../testing/sample-event.ts';
import { append, batchOf, drain, drainRows, openTestSpool, rowsOf } from '../testing/spool.ts';
import { wholeRows } from '../testing/whole-rows.ts';
import { createRecorder } from './recorder.ts';
import type { RowBatch } from './row-batches.ts';
import { createScanEncoder } from './scan-encoder.ts';
import { sealFrame } from './segment-frames.ts';
import type { Place, Spool, SpoolOptions } from './spool.ts';

interface Folders {
  folder: string;
  journal: string;
}

const newFolders = async (): Promise<Folders> => {
  const home = await temporaryFolder();
  return { folder: path.join(home, 'spool'), journal: path.join(home, 'journal') };
};

const open = async (folders: Folders, options: Partial<SpoolOptions> = {}): Promise<Spool> =>
  (await openTestSpool({ ...folders, ...options })).spool;

/** The folders as a kill at this moment would leave them. */
const killed = async ({ folder, journal }: Folders): Promise<Folders> => {
  const copies = await newFolders();
  fs.cpSync(folder, copies.folder, { recursive: true });
  fs.cpSync(journal, copies.journal, { recursive: true });
  return copies;
};

const filesIn = (folder: string): string[] => fs.readdirSync(folder).sort();

const batch = (codeId: string, count = 1) => batchOf(Array.from({ length: count }, () => ({ codeId })));

/** The codes of rows, in order. */
const codesOf = (rows: Buffer): string[] => rows.toString('latin1').match(/code-\d+\./g) ?? [];

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('scans' as const), count: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'hand over' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'end segment' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'send' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'disk away' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'disk back' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'kill' as const }) },
);

/** A spool with its recorder, which loses its process from time to time. */
const createStory = async () => {
  let folders = await newFolders();
  let spool = await open(folders);
  let recorder = createRecorder(createScanEncoder([1, 2]), 4096, spool);
  let scans = 0;
  let away = false;
  /** By the segment's name, by which the sink deduplicates. */
  const sent = new Map<string, Buffer>();
  const send = async (): Promise<void> => {
    for (const [{ name }, rows] of await drain(spool)) {
      // A kill may have come before the file was deleted.
      expect(rows).toEqual(sent.get(name) ?? rows);
      sent.set(name, rows);
    }
  };
  const diskAway = (): void => {
    if (!away) fs.renameSync(folders.folder, `${folders.folder}.away`);
    away = true;
  };
  const diskBack = (): void => {
    if (away) fs.renameSync(`${folders.folder}.away`, folders.folder);
    away = false;
  };
  return {
    steps: {
      scans(count: number) {
        for (let scan = 0; scan < count; scan++) {
          let released = false;
          recorder.record(sampleEvent({ codeId: `code-${scans++}.` }), {
            aborted: false,
            release() {
              released = true;
            },
          });
          // The 4,096 bytes of a batch are far from load.
          expect(released).toBe(true);
        }
      },
      'hand over': () => recorder.flush(),
      'end segment': async () => {
        await recorder.flush();
        await spool.rotate();
      },
      async send() {
        if (!away) await send();
      },
      'disk away': async () => {
        await recorder.flush();
        diskAway();
      },
      'disk back': diskBack,
      async kill() {
        const wasAway = away;
        diskBack();
        folders = await killed(folders);
        spool = await open(folders);
        // It may have begun to take what the journal has.
        if (wasAway) diskAway();
        recorder = createRecorder(createScanEncoder([1, 2 + scans]), 4096, spool);
      },
    },
    async sentCodes() {
      diskBack();
      await recorder.flush();
      await spool.rotate();
      await eventually(() => expect(spool.statistics.memoryBytes).toBe(0));
      await send();
      await eventually(() => expect(filesIn(folders.journal)).toEqual([]));
      return codesOf(Buffer.concat([...sent.values()]));
    },
    get scans() {
      return scans;
    },
  };
};

test('whatever happens to the disk and the process, in any order, each answered scan is sent once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const story = await createStory();
      for (const each of steps) {
        if (each.kind === 'scans') story.steps.scans(each.count);
        else await story.steps[each.kind]();
      }
      const codes = await story.sentCodes();
      expect(codes.toSorted()).toEqual(
        Array.from({ length: story.scans }, (_, scan) => `code-${scan}.`).toSorted(),
      );
    }),
    { numRuns: 100 },
  );
});

test('rows that the disk does not have follow the rows that it has, in their segment and under its name', async () => {
  const folders = await newFolders();
  const spool = await open(folders);
  const [first, second] = [batch('first', 2), batch('second', 3)];
  await append(spool, first);
  const before = await killed(folders);
  await append(spool, second);
  const after = await killed(folders);
  const name = path.basename(filesIn(folders.folder)[0]!, '.frames');
  // The disk as it was, the journal as it is.
  const next = await open({ folder: before.folder, journal: after.journal });
  const [[segment, rows]] = (await drain(next)) as [Awaited<ReturnType<typeof drain>>[number]];
  expect(segment).toMatchObject({ name, rows: 5 });
  expect(rows).toEqual(Buffer.concat([first, second].map(rowsOf)));
});

test('a torn last frame is cut, and the frames before it are sent', async () => {
  const folders = await newFolders();
  const spool = await open(folders);
  for (const codeId of ['one', 'two']) await append(spool, batch(codeId));
  const { folder, journal } = await killed(folders);
  const [file] = filesIn(journal).map((name) => path.join(journal, name));
  fs.truncateSync(file!, fs.statSync(file!).size - 1);
  fs.rmSync(folder, { recursive: true });
  const next = await open({ folder, journal });
  expect(wholeRows(await drainRows(next)).rows).toBe(1);
});

test('if the file of a segment cannot be read, its rows in the journal stay where they are, and so does the file', async () => {
  const folders = await newFolders();
  await append(await open(folders), batch('one', 4));
  const { folder, journal } = await killed(folders);
  const file = path.join(folder, filesIn(folder)[0]!);
  const left = filesIn(journal);
  fs.rmSync(file);
  fs.mkdirSync(file);
  const spool = await open({ folder, journal });
  expect(spool.statistics).toMatchObject({ unreadableFiles: 1, recoveredRows: 0, memoryBytes: 0 });
  expect(filesIn(journal)).toEqual(left);
  expect(fs.statSync(file).isDirectory()).toBe(true);
});

test('rows found in the journal are on disk soon, and then gone from the journal', async () => {
  const folders = await newFolders();
  const rows = batch('one', 4);
  await append(await open(folders), rows);
  const { folder, journal } = await killed(folders);
  fs.rmSync(folder, { recursive: true });
  const spool = await open({ folder, journal });
  await eventually(() => expect(spool.statistics).toMatchObject({ memoryBytes: 0, journalBytes: 0 }));
  expect(filesIn(journal)).toEqual([]);
  expect(fs.readFileSync(path.join(folder, filesIn(folder)[0]!))).toEqual(rows.frames);
});

test('a file of the journal stays until the disk has its last row', async () => {
  const folders = await newFolders();
  const spool = await open(folders);
  const storeIn = (place: Place, { rows, frames }: RowBatch): Buffer => {
    sealFrame(frames, rows, place.seed);
    expect(place.store(rows, frames, 0, frames.length)).toBe(true);
    return frames;
  };
  const [first, second, third] = [batch('one', 2000), batch('two', 2000), batch('three', 1)];
  const place = spool.begin(2 ** 20);
  storeIn(place, first);
  const onDisk = new Promise((resolve) => spool.append(place, first, resolve));
  // While the first is written, the journal's file gets full, and another one is begun.
  const next = spool.begin(2 ** 20);
  const frames = [second, third].map((one) => storeIn(next, one));
  expect(filesIn(folders.journal)).toHaveLength(2);
  await onDisk;
  const found = await open(await killed(folders));
  expect((await drain(found)).map(([segment]) => segment.rows)).toEqual([4001]);
  await new Promise((resolve) => spool.append(next, { rows: 2001, frames: Buffer.concat(frames) }, resolve));
  expect(filesIn(folders.journal)).toHaveLength(1);
});

test.skipIf(!canMount)(
  'of what waits for a full disk, the journal keeps what has not found room, also after a restart',
  async () => {
    const disk = await mountDisk();
    const { journal } = await newFolders();
    const folders = { folder: path.join(disk, 'spool'), journal };
    const spool = await open(folders, { segmentBytesMax: 2 ** 24 });
    const filling = fillDisk(disk);
    // Each is as much as is written at once.
    for (let count = 0; count < 3; count++) await append(spool, batch('one', 14_000));
    await spool.rotate();
    const { bytes, memoryBytes } = spool.statistics;
    expect(memoryBytes).toBe(bytes);
    expect(memoryBytes).toBeGreaterThan(2.5 * 2 ** 20);
    const giveRoom = () => fs.truncateSync(filling, fs.statSync(filling).size - memoryBytes / 3 - 2 ** 17);
    const expectWaiting = ({ statistics }: Spool, thirds: number) =>
      expect(statistics.memoryBytes).toBe((memoryBytes * thirds) / 3);
    const expectAllFound = async () => {
      const found = await open(await killed(folders));
      expect((await drain(found)).map(([segment]) => segment.rows)).toEqual([42_000]);
    };
    giveRoom();
    await eventually(() => expectWaiting(spool, 2));
    await expectAllFound();
    await spool.close();
    const next = await open(folders, { segmentBytesMax: 2 ** 24 });
    giveRoom();
    await eventually(() => expectWaiting(next, 1));
    await expectAllFound();
  },
);

test('a segment that is sent leaves the journal before its file leaves the disk', async () => {
  const folders = await newFolders();
  const spool = await open(folders);
  await append(spool, batch('one'));
  await spool.rotate();
  const segment = spool.first()!;
  spool.remove(segment);
  expect(filesIn(folders.journal)).toEqual([]);
  expect(filesIn(folders.folder)).toEqual([path.basename(`${segment.name}.frames`)]);
});

test('of a segment that grows, the journal keeps little more than the disk lacks', async () => {
  const folders = await newFolders();
  const spool = await open(folders, { segmentBytesMax: 2 ** 24 });
  const rows = batch('one', 1000);
  let most = 0;
  for (let count = 0; count < 30; count++) {
    await append(spool, { ...rows, frames: Buffer.from(rows.frames) });
    most = Math.max(most, spool.statistics.journalBytes);
  }
  expect(rows.frames.length * 30).toBeGreaterThan(2 ** 21);
  expect(most).toBeLessThan(2 ** 19);
});

test('a journal that is full takes nothing in part: what it has not taken is answered once it is on disk', async () => {
  const folders = await newFolders();
  const spool = await open(folders, { journalBytesMax: 2 ** 12 });
  const place = spool.begin(2 ** 12);
  expect(place.journaled).toBe(true);
  expect(spool.begin(2 ** 12).journaled).toBe(false);
});

test('once the journal takes rows again after a refusal, a kill loses none of them', async () => {
  const folders = await newFolders();
  const spool = await open(folders);
  const released: string[] = [];
  const recorder = createRecorder(createScanEncoder([1, 2]), 2 ** 20, spool);
  const record = (codeId: string) =>
    recorder.record(sampleEvent({ codeId }), {
      aborted: false,
      release: () => released.push(codeId),
    });
  fs.renameSync(folders.journal, `${folders.journal}.gone`);
  record('code-0.');
  await recorder.flush();
  fs.renameSync(`${folders.journal}.gone`, folders.journal);
  await sleep(1010);
  expect(released).toEqual(['code-0.']);
  // In the journal alone: the disk gets it 20 ms later.
  record('code-1.');
  expect(released).toEqual(['code-0.', 'code-1.']);
  const next = await open(await killed(folders));
  expect(codesOf(await drainRows(next))).toEqual(['code-0.', 'code-1.']);
});

test('while RUNTIME_DIR takes nothing, it is tried after a second, then after pauses that double up to 30 seconds; and from the beginning once it has taken a scan', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const folders = await newFolders();
  const spool = await open(folders);
  const refusals = async (): Promise<number> => {
    await append(spool, batch('code'));
    return spool.statistics.journalRefusals;
  };
  /** Seconds until it is tried next, in halves. */
  const nextTry = async (): Promise<number> => {
    const before = spool.statistics.journalRefusals;
    for (let halves = 1; ; halves++) {
      vi.advanceTimersByTime(500);
      if ((await refusals()) > before) return halves / 2;
    }
  };
  const nextTries = async (count: number): Promise<number[]> => {
    const seconds: number[] = [];
    while (seconds.length < count) seconds.push(await nextTry());
    return seconds;
  };
  fs.rmdirSync(folders.journal);
  expect(await refusals()).toBe(1);
  expect(await nextTries(7)).toEqual([1, 2, 4, 8, 16, 30, 30]);
  fs.mkdirSync(folders.journal);
  vi.advanceTimersByTime(30_000);
  expect(await refusals()).toBe(8);
  await spool.rotate();
  fs.rmdirSync(folders.journal);
  expect(await refusals()).toBe(9);
  expect(await nextTries(3)).toEqual([1, 2, 4]);
});

test('the journal keeps a refused segment until the disk has all of it', async () => {
  const folders = await newFolders();
  const spool = await open(folders);
  fs.renameSync(folders.folder, `${folders.folder}.away`);
  const rows = [batch('one', 2), batch('two', 3)];
  for (const one of rows) await append(spool, one);
  await spool.rotate();
  spool.reject(spool.first()!);
  await eventually(() => expect(spool.statistics).toMatchObject({ rejectedRows: 5, rejectedPending: 1 }));
  fs.mkdirSync(folders.folder);
  const next = await open(await killed(folders));
  expect((await drain(next)).map(([segment]) => segment.rows)).toEqual([5]);
  await eventually(() => expect(spool.statistics).toMatchObject({ rejectedPending: 0, bytes: 0 }));
  expect(filesIn(folders.journal)).toEqual([]);
  const [file] = filesIn(folders.folder);
  expect(fs.readFileSync(path.join(folders.folder, file!))).toEqual(
    Buffer.concat(rows.map(({ frames }) => frames)),
  );
});

test('rows that the journal has, and rows that waited for the disk meanwhile, are in segments of their own', async () => {
  const folders = await newFolders();
  const length = 2 ** 12;
  const spool = await open(folders, { journalBytesMax: length });
  const store = (place: Place, { rows, frames }: RowBatch): Promise<boolean> => {
    sealFrame(frames, rows, place.seed);
    if (place.journaled) place.store(rows, frames, 0, frames.length);
    return new Promise((resolve) => spool.append(place, { rows, frames }, resolve));
  };
  await store(spool.begin(length), batch('one', 1));
  // There is no room for so many in the journal.
  const waits = spool.begin(2 * length);
  expect(waits.journaled).toBe(false);
  await store(waits, batch('two', 2));
  const last = spool.begin(length);
  expect(last.journaled).toBe(true);
  const stored = store(last, batch('three', 3));
  const found = await open(await killed(folders));
  expect((await drain(found)).map(([segment]) => segment.rows)).toEqual([1, 2, 3]);
  await stored;
});

test('refused rows that are dropped, since memory is full, leave the journal', async () => {
  const { length } = batch('one').frames;
  const folders = await newFolders();
  const spool = await open(folders, { memoryBytesMax: length });
  fs.renameSync(folders.folder, `${folders.folder}.away`);
  await append(spool, batch('one'));
  await spool.rotate();
  spool.reject(spool.first()!);
  await eventually(() => expect(spool.statistics.dropped.refused).toBe(1));
  expect(spool.statistics).toMatchObject({ rejectedPending: 0, bytes: 0, memoryBytes: 0 });
  expect(filesIn(folders.journal)).toEqual([]);
});

test('rows that the journal has are never dropped, however little memory there is for others', async () => {
  const folders = await newFolders();
  const spool = await open(folders, { memoryBytesMax: 0 });
  fs.renameSync(folders.folder, `${folders.folder}.away`);
  await append(spool, batch('one', 3));
  expect(spool.statistics).toMatchObject({ appended: 3, dropped: { disk_error: 0 } });
  fs.renameSync(`${folders.folder}.away`, folders.folder);
  await spool.rotate();
  expect(wholeRows(await drainRows(spool)).rows).toBe(3);
});
