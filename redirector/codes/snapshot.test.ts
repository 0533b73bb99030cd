import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/index.ts';
import { createDiskQueue } from '../instance/disk-queue.ts';
import { keepSnapshot as keep, readSnapshot, type SnapshotOptions } from './snapshot.ts';

const logger = pino({ level: 'silent' });
const keepSnapshot = (
  options: Omit<SnapshotOptions, 'timeoutMs'>,
  hotRecords: (max: number) => CodeRecord[],
  diskQueue = createDiskQueue(10_000),
) => keep({ timeoutMs: 10_000, ...options }, hotRecords, diskQueue, logger);

const record = (id: string): CodeRecord => sampleRecord({ id, version: 3 });

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

test('a snapshot that cannot be written is logged, and ends nothing', async () => {
  const folder = path.join(await temporaryFolder(), 'missing');
  await keepSnapshot({ folder, codesMax: 9, everyMs: 60_000 }, () => [record('a')]).close();
  expect(fs.existsSync(folder)).toBe(false);
});

test('a snapshot is written again and again while the process runs: a process that is killed has one', async () => {
  const folder = await temporaryFolder();
  let records = [record('first')];
  const snapshot = keepSnapshot({ folder, codesMax: 9, everyMs: 20 }, () => records);
  afterFile(() => snapshot.close());
  await vi.waitFor(async () => expect(await readSnapshot(folder, logger)).toEqual([record('first')]));
  records = [record('second')];
  await vi.waitFor(async () => expect(await readSnapshot(folder, logger)).toEqual([record('second')]));
});

test('a disk that hangs holds one snapshot, for the time of the lane, and the one before stays', async () => {
  const folder = await temporaryFolder();
  const diskQueue = createDiskQueue(100);
  const snapshot = keepSnapshot({ folder, codesMax: 9, everyMs: 60_000 }, () => [record('a')], diskQueue);
  await snapshot.write();
  // Opening it waits for its other end.
  const fifo = path.join(folder, 'snapshot.new');
  execFileSync('mkfifo', [fifo]);
  await snapshot.write();
  expect(diskQueue.hanging).toBe(true);
  await snapshot.close();
  expect(await readSnapshot(folder, logger)).toEqual([record('a')]);
  const otherEnd = fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  afterFile(() => fs.closeSync(otherEnd));
  await vi.waitFor(() => expect(diskQueue.hanging).toBe(false));
});
