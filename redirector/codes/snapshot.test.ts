import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type CodeRecord, serializeRecord } from '#schemas/code-record.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { createCodeIds } from '#shared/ids.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import {
  keepSnapshot as keep,
  readSnapshot as read,
  type SnapshotOptions,
  type SnapshotSource,
} from '../held/snapshot.ts';
import { createDiskQueue, type DiskQueue } from '../instance/disk-queue.ts';
import { eventually } from '../testing/eventually.ts';
import { codeSnapshot } from './snapshot.ts';

const logger = pino({ level: 'silent' });
const readSnapshot = (folder: string, to: typeof logger) => read(codeSnapshot, folder, to);
const keepSnapshot = (
  options: Omit<SnapshotOptions, 'timeoutMs' | 'everyMsMax' | 'bytesMax'> & Partial<SnapshotOptions>,
  source: SnapshotSource<CodeRecord> | SnapshotSource<CodeRecord>['hot'],
  diskQueue = createDiskQueue(10_000),
) =>
  keep(
    codeSnapshot,
    { timeoutMs: 10_000, everyMsMax: 60_000, bytesMax: 2 ** 24, ...options },
    typeof source === 'function' ? { hot: source, news: 1 } : source,
    diskQueue,
    logger,
  );

const codeIds = createCodeIds(Buffer.alloc(32));
const ids = new Map<string, string>();
/** A record with an id that a code can have, the same one for the same name. */
const record = (name: string): CodeRecord =>
  sampleRecord({ id: ids.get(name) ?? ids.set(name, codeIds.create()).get(name)!, version: 3 });

test('a snapshot is read back, the most recently scanned first, up to the bound', async () => {
  const folder = await temporaryFolder();
  const records = Array.from({ length: 2000 }, (_, index) => record(`code${index}`));
  const snapshot = keepSnapshot({ folder, codesMax: 1200, everyMs: 60_000 }, (max) => records.slice(0, max));
  await snapshot.close();
  expect(await readSnapshot(folder, logger)).toEqual(records.slice(0, 1200));
});

test('without a snapshot there is nothing, and a broken line costs only itself', async () => {
  const folder = await temporaryFolder();
  expect(await readSnapshot(folder, logger)).toEqual([]);
  await keepSnapshot({ folder, codesMax: 9, everyMs: 60_000 }, () => [record('a'), record('b')]).close();
  const file = path.join(folder, 'snapshot');
  fs.writeFileSync(file, `not a record\n${fs.readFileSync(file, 'utf8').slice(0, -20)}`);
  expect(await readSnapshot(folder, logger)).toEqual([record('a')]);
});

/** Writes the records, and has the file's text changed. */
const writeChanged = async (records: CodeRecord[], change: (text: string) => string): Promise<string> => {
  const folder = await temporaryFolder();
  await keepSnapshot({ folder, codesMax: 99, everyMs: 60_000 }, () => records).close();
  const file = path.join(folder, 'snapshot');
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
  return folder;
};

test('a line of which a byte has changed on the disk is left out and counted', async () => {
  const lines: { unreadable: number }[] = [];
  const written = [record('a'), { ...record('b'), destination: 'https://example.org/path' }, record('c')];
  const folder = await writeChanged(written, (text) => text.replace('example.org', 'exbmple.org'));
  const listening = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  expect(await readSnapshot(folder, listening)).toEqual([record('a'), record('c')]);
  expect(lines).toMatchObject([{ unreadable: 1 }]);
});

test('a line without a checksum is left out', async () => {
  const folder = await writeChanged([record('a')], () => `${serializeRecord(record('a'))}\n`);
  expect(await readSnapshot(folder, logger)).toEqual([]);
});

test('a line whose id no code can have is left out', async () => {
  const written = [{ ...record('a'), id: 'abc,defgh' }, record('b'), { ...record('c'), id: '' }];
  const folder = await writeChanged(written, (text) => text);
  expect(await readSnapshot(folder, logger)).toEqual([record('b')]);
});

test('a snapshot that cannot be written is logged, and ends nothing', async () => {
  const folder = path.join(await temporaryFolder(), 'missing');
  await keepSnapshot({ folder, codesMax: 9, everyMs: 60_000 }, () => [record('a')]).close();
  expect(fs.existsSync(folder)).toBe(false);
});

test('a snapshot is written again and again while what is held changes: a process that is killed has one', async () => {
  const folder = await temporaryFolder();
  const source = { records: [record('first')], news: 1, hot: () => source.records };
  const snapshot = keepSnapshot({ folder, codesMax: 9, everyMs: 20 }, source);
  afterFile(() => snapshot.close());
  await eventually(async () => expect(await readSnapshot(folder, logger)).toEqual([record('first')]));
  Object.assign(source, { records: [record('second')], news: 2 });
  await eventually(async () => expect(await readSnapshot(folder, logger)).toEqual([record('second')]));
});

/** Counts how often its records are asked for. */
const createSource = (count: number) => {
  const records = Array.from({ length: count }, (_, index) => record(`code${index}`));
  const source = {
    written: 0,
    news: count,
    hot: () => {
      source.written++;
      return records;
    },
  };
  return source;
};

test('a process that holds nothing writes no snapshot: it would be taken for the newest', async () => {
  const folder = await temporaryFolder();
  const snapshot = keepSnapshot({ folder, codesMax: 9, everyMs: 5 }, { hot: () => [], news: 0 });
  await sleep(50);
  await snapshot.close();
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('a snapshot is not written again if nothing has changed, not even by a process that starts with it', async () => {
  const folder = await temporaryFolder();
  const source = createSource(10);
  const options = { folder, codesMax: 9, everyMs: 10, everyMsMax: 20 };
  const first = keepSnapshot(options, source);
  await eventually(() => expect(source.written).toBe(1));
  await sleep(100);
  await first.close();
  const second = keepSnapshot(options, source);
  await sleep(100);
  expect(source.written).toBe(1);
  source.news++;
  await second.close();
  expect(source.written).toBe(2);
});

test('a snapshot of which little has changed is written later than one of which much has', async () => {
  const folder = await temporaryFolder();
  const source = createSource(2000);
  const options = { folder, codesMax: 2000, everyMs: 10 };
  const snapshot = keepSnapshot({ ...options, everyMsMax: 600_000 }, source);
  await snapshot.write();
  source.news += 5;
  await sleep(200);
  expect(source.written).toBe(1);
  source.news += 200;
  await eventually(() => expect(source.written).toBe(2));
  await snapshot.close();
  const second = keepSnapshot({ ...options, everyMsMax: 100 }, source);
  await second.write();
  source.news += 5;
  await eventually(() => expect(source.written).toBe(4));
  await second.close();
});

test('a snapshot is written in parts with pauses, which a process that ends does not wait for', async () => {
  const folder = await temporaryFolder();
  const records = 10_000;
  const source = createSource(records);
  const snapshot = keepSnapshot({ folder, codesMax: records, everyMs: 60_000 }, source);
  const startedAtMs = performance.now();
  await snapshot.write();
  const writtenMs = performance.now() - startedAtMs;
  // 20 pauses of 25 ms.
  expect(writtenMs).toBeGreaterThan(450);
  await snapshot.close();
  const endInTheMiddle = async (): Promise<number> => {
    const ending = keepSnapshot({ folder, codesMax: records, everyMs: 60_000 }, source);
    source.news++;
    const writing = ending.write();
    await sleep(30);
    const { written } = source;
    const closedAtMs = performance.now();
    await ending.close();
    await writing;
    const closedMs = performance.now() - closedAtMs;
    expect(source.written).toBe(written);
    expect(await readSnapshot(folder, logger)).toHaveLength(records);
    return closedMs;
  };
  // A machine that is busy may take its time once.
  await eventually(async () => expect(await endInTheMiddle()).toBeLessThan(writtenMs / 2));
});

/** Its line has 50 kB. */
const largeRecord = (id: string): CodeRecord => ({ ...record(id), destination: 'x'.repeat(50_000) });

test('a part of a snapshot is bounded in bytes: large records take no longer steps than plain ones', async () => {
  const folder = await temporaryFolder();
  const records = Array.from({ length: 40 }, (_, index) => largeRecord(`code${index}`));
  const sizes = [0];
  const diskQueue = createDiskQueue(10_000);
  const watched: DiskQueue = {
    ...diskQueue,
    async run(operation) {
      const result = await diskQueue.run(operation);
      sizes.push(fs.statSync(path.join(folder, 'snapshot.new'), { throwIfNoEntry: false })?.size ?? 0);
      return result;
    },
  };
  await keepSnapshot({ folder, codesMax: 99, everyMs: 60_000 }, () => records, watched).close();
  const parts = sizes.map((size, index) => size - (sizes[index - 1] ?? 0));
  expect(Math.max(...parts)).toBeGreaterThan(0);
  expect(Math.max(...parts)).toBeLessThan(2 ** 18 + 60_000);
  expect(await readSnapshot(folder, logger)).toEqual(records);
});

test('a snapshot.new that a killed process left is not appended to', async () => {
  const folder = await writeChanged([record('left')], (text) => text);
  fs.renameSync(path.join(folder, 'snapshot'), path.join(folder, 'snapshot.new'));
  await keepSnapshot({ folder, codesMax: 9, everyMs: 60_000 }, () => [record('a')]).close();
  expect(await readSnapshot(folder, logger)).toEqual([record('a')]);
});

test('a snapshot is bounded in bytes, of which large records have half', async () => {
  const folder = await temporaryFolder();
  const records = [
    ...Array.from({ length: 100 }, (_, index) => largeRecord(`large${index}`)),
    ...Array.from({ length: 2000 }, (_, index) => record(`plain${index}`)),
  ];
  const write = async (bytesMax: number) => {
    const snapshot = keepSnapshot({ folder, codesMax: 9999, everyMs: 60_000, bytesMax }, () => records);
    await snapshot.write();
    await snapshot.close();
  };
  await write(2 ** 22);
  expect(await readSnapshot(folder, logger)).toEqual([...records.slice(0, 41), ...records.slice(100)]);
  await write(2 ** 17);
  expect(fs.statSync(path.join(folder, 'snapshot')).size).toBeLessThan(2 ** 17);
  expect((await readSnapshot(folder, logger)).length).toBeGreaterThan(100);
});

test('a disk that hangs holds one snapshot, for the time of the lane, and the one before stays', async () => {
  const folder = await temporaryFolder();
  await keepSnapshot({ folder, codesMax: 9, everyMs: 60_000 }, () => [record('a')]).close();
  const diskQueue = createDiskQueue(100);
  const snapshot = keepSnapshot({ folder, codesMax: 9, everyMs: 60_000 }, () => [record('b')], diskQueue);
  // Opening it waits for its other end.
  const fifo = path.join(folder, 'snapshot.new');
  execFileSync('mkfifo', [fifo]);
  await snapshot.write();
  expect(diskQueue.hanging).toBe(true);
  await snapshot.close();
  expect(await readSnapshot(folder, logger)).toEqual([record('a')]);
  const otherEnd = fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  afterFile(() => fs.closeSync(otherEnd));
  await eventually(() => expect(diskQueue.hanging).toBe(false));
});
