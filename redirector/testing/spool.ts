/** A spool for tests, and scans to put into it. */
import path from 'node:path';
import { pino } from 'pino';
import type { ScanEvent } from '#schemas/scan-event.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { createDiskQueue } from '../instance/disk-queue.ts';
import { createRowWriter, type RowBatch } from '../recording/row-writer.ts';
import type { Segment } from '../recording/segment.ts';
import { headerBytes } from '../recording/segment-frames.ts';
import type { RowReader } from '../recording/segment-reader.ts';
import { openSpool, type Spool, type SpoolOptions } from '../recording/spool.ts';
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

/** @returns a batch with a row per event, as the recorder makes it */
export const batchOf = (events: readonly Partial<ScanEvent>[]): RowBatch => {
  const writer = createRowWriter(2 ** 22, [Math.floor(Math.random() * 2 ** 32), 1]);
  for (const event of events) writer.write(sampleEvent(event));
  const { rows, frame } = writer.take();
  return { rows, frame: Buffer.from(frame) };
};

/** The rows of a batch, as ClickHouse gets them. */
export const rowsOf = ({ frame }: RowBatch): Buffer => Buffer.from(frame.subarray(headerBytes));

/** Appends a batch. Resolves once it is stored or dropped, with whether its buffer may be reused. */
export const append = (spool: Spool, batch: RowBatch): Promise<boolean> =>
  new Promise((resolve) => spool.append(batch, resolve));

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
