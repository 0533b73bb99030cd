/**
 * Rows of the log of requests on their way to ClickHouse: gathered in memory, and sent in the background once a second.
 *
 * A row costs its request a push. If ClickHouse is away or slow, rows wait up to a bound; further ones are dropped and
 * counted. A workspace adds so many rows between two flushes: its flood costs its own rows. A batch that failed is sent
 * again under its name, by which ClickHouse recognises it if only the answer was lost. One that ClickHouse refuses again
 * and again is dropped: it would hold up all rows behind it.
 */
import { randomUUID } from 'node:crypto';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';

/** A row of the table, by its columns. */
export interface LogRow {
  workspace_id: string;
  /** Milliseconds since 1970. */
  at: number;
  seq: string;
  request_id: string;
  method: string;
  route: string;
  path: string;
  status: number;
  error_code: string;
  error_param: string;
  error_message: string;
  duration_ms: number;
  key_id: string;
  network: string;
  idempotency_key: boolean;
  body: string;
}

export const rowEnds = ['written', 'dropped'] as const;
export type RowEnd = (typeof rowEnds)[number];

export interface Recorder extends Closeable {
  add(row: LogRow): void;
  /** Rows in memory. */
  waiting(): number;
}

export interface RecorderOptions {
  /** Stores rows under a name; the same name again stores nothing. */
  insert(name: string, rows: readonly LogRow[]): Promise<void>;
  /** Whether the storage answered, and took nothing. */
  isRefusal(error: unknown): boolean;
  onEnded(how: RowEnd, rows: number): void;
  logger: Logger;
  flushIntervalMs?: number;
}

const defaultFlushIntervalMs = 1_000;
/** Some 10 MB, or 80 MB if all of them failed with the longest bodies. */
const waitingMax = 10_000;
/** Of one workspace, between two flushes: twice the rate of the largest plan. */
const perWorkspaceMax = 1_000;
/** Rows become text in one step of the event loop: a megabyte at most, or 3 ms. */
const batchRowsMax = 1_000;
const batchBytesMax = 2 ** 20;

/** About its size as JSON. */
const bytesOf = ({ path, error_message, body }: LogRow): number =>
  400 + path.length + error_message.length + body.length;

/** A batch that is refused so often is at fault itself. */
const refusalsMax = 5;

export const createRecorder = ({
  insert,
  isRefusal,
  onEnded,
  logger,
  flushIntervalMs = defaultFlushIntervalMs,
}: RecorderOptions): Recorder => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const rows: LogRow[] = [];
  const added = new Map<string, number>();
  let batch: { name: string; rows: readonly LogRow[]; refusals: number } | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let isFlushing = false;

  const waiting = (): number => rows.length + (batch?.rows.length ?? 0);

  const nextBatch = (): typeof batch => {
    let bytes = 0;
    let count = 0;
    while (count < Math.min(rows.length, batchRowsMax) && bytes < batchBytesMax)
      bytes += bytesOf(rows[count++]!);
    return count === 0 ? undefined : { name: randomUUID(), rows: rows.splice(0, count), refusals: 0 };
  };

  const flush = async (): Promise<void> => {
    added.clear();
    for (;;) {
      batch ??= nextBatch();
      if (!batch) return;
      await insert(batch.name, batch.rows);
      onEnded('written', batch.rows.length);
      batch = undefined;
    }
  };

  const dropRefused = (error: unknown): void => {
    if (!batch || !isRefusal(error) || ++batch.refusals < refusalsMax) return;
    onEnded('dropped', batch.rows.length);
    batch = undefined;
  };

  /** A flush that takes longer than the interval is not begun twice. */
  const flushSafely = (): void => {
    if (isFlushing) return;
    isFlushing = true;
    flushing = flush()
      .catch((error: unknown) => {
        warn(
          'flush',
          { err: error, waiting: waiting() },
          'the log of requests is not written; its rows wait',
        );
        dropRefused(error);
      })
      .finally(() => {
        isFlushing = false;
      });
  };
  const timer = setInterval(flushSafely, flushIntervalMs);

  return {
    waiting,
    add(row) {
      const ofWorkspace = (added.get(row.workspace_id) ?? 0) + 1;
      if (ofWorkspace > perWorkspaceMax || waiting() >= waitingMax) return onEnded('dropped', 1);
      added.set(row.workspace_id, ofWorkspace);
      rows.push(row);
    },
    async close() {
      clearInterval(timer);
      await flushing;
      const held = waiting();
      flushSafely();
      await flushing;
      const lost = waiting();
      if (lost > 0) onEnded('dropped', lost);
      const fields = { held, written: held - lost, lost };
      if (lost > 0) logger.warn(fields, 'rows of the log of requests are lost at the stop');
      else if (held > 0) logger.info(fields, 'the log of requests is written');
    },
  };
};
