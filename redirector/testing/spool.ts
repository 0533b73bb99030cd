/** A spool for tests, and scans to put into it. */
import path from 'node:path';
import { pino } from 'pino';
import type { ScanEvent } from '#schemas/scan-event.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { createDiskQueue } from '../instance/disk-queue.ts';
import { createRowBatches, type RowBatch } from '../recording/row-batches.ts';
import { createScanEncoder } from '../recording/scan-encoder.ts';
import type { Segment } from '../recording/segment.ts';
import { headerBytes, sealFrame } from '../recording/segment-frames.ts';
import type { RowReader } from '../recording/segment-reader.ts';
import { type OnStored, openSpool, type Spool, type SpoolOptions } from '../recording/spool.ts';
import { sampleEvent } from './sample-event.ts';

/** No segment is closed because of its size or age, and no write times out, unless the options say so. */
export const openTestSpool = async ({
  diskTimeoutMs = 60_000,
  readRows,
  ...options
}: Partial<SpoolOptions> & { diskTimeoutMs?: number; readRows?: RowReader } = {}): Promise<{
  spool: Spool;
  folder: string;
}> => {
  const folder = options.folder ?? path.join(await temporaryFolder(), 'spool');
  const defaults: SpoolOptions = {
    folder,
    bytesMax: 2 ** 30,
    memoryBytesMax: 2 ** 20,
    journal: undefined,
    journalBytesMax: 2 ** 24,
    segmentBytesMax: 2 ** 20,
    segmentAgeMs: () => 60_000,
    sync: 'none',
    syncEveryMs: 1000,
    writeTimeoutMs: 60_000,
  };
  const diskQueue = createDiskQueue(diskTimeoutMs);
  const spool = await openSpool({ ...defaults, ...options }, diskQueue, pino({ level: 'silent' }), readRows);
  afterFile(() => spool.close());
  return { spool, folder };
};

/** @returns a batch with a row per event in one frame, which is not sealed yet */
export const batchOf = (events: readonly Partial<ScanEvent>[]): RowBatch => {
  const batches = createRowBatches(createScanEncoder([Math.floor(Math.random() * 2 ** 32), 1]), 2 ** 22);
  for (const event of events) batches.write(sampleEvent(event));
  const { rows, frames } = batches.take();
  return { rows, frames: Buffer.from(frames) };
};

/** The rows of a batch, as ClickHouse gets them. */
export const rowsOf = ({ frames }: RowBatch): Buffer => Buffer.from(frames.subarray(headerBytes));

/** Appends a batch, which is stored in the journal first if there is one. */
export const appendTo = (spool: Spool, { rows, frames }: RowBatch, onStored: OnStored): void => {
  const place = spool.begin(frames.length);
  sealFrame(frames, rows, place.seed);
  if (place.journaled) place.store(rows, frames, 0, frames.length);
  spool.append(place, { rows, frames }, onStored);
};

/** Appends a batch. Resolves once it is stored or dropped, with whether its buffer may be reused. */
export const append = (spool: Spool, batch: RowBatch): Promise<boolean> =>
  new Promise((resolve) => appendTo(spool, batch, resolve));

/** Reads and removes every closed segment, as if a sink had taken it. */
export const drain = async (spool: Spool): Promise<[Segment, Buffer][]> => {
  const read: [Segment, Buffer][] = [];
  for (let segment = spool.first(); segment; segment = spool.first()) {
    read.push([segment, Buffer.from(await segment.read())]);
    spool.remove(segment);
  }
  return read;
};

export const drainRows = async (spool: Spool): Promise<Buffer> =>
  Buffer.concat((await drain(spool)).map(([, bytes]) => bytes));
