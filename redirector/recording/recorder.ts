/**
 * Records scans (or verifications, reports, views), and answers each once it is stored.
 *
 *   request ─ record(event, answer) ─▶ journal ─▶ answer
 *                                         └─▶ every 20 ms: one batch to the spool
 *
 * The journal is memory that outlives this process (journal.ts): an answered scan is stored, whatever happens to this process
 * afterwards. At low rates each scan is stored and answered in its request's own call, so nothing wakes for it. Under load the
 * scans of an iteration of the event loop are stored together and answered at its end: in their own calls they would cost
 * 4 of 20 µs more (measured at 50,000 scans a second: a frame and a write each, and the code of scans and sends in turn).
 *
 * If there is no journal, or it takes no more, or `SPOOL_SYNC` is `always`, a scan is answered once the disk has it: scans that
 * come while a write is under way share the next one.
 */
import type { ScanEvent } from '#schemas/scan-event.ts';
import { createRowBatches, type RowBatch, type RowEncoder } from './row-batches.ts';
import type { Place, Spool } from './spool.ts';

export interface Recorder<Row = ScanEvent> {
  /**
   * Records a scan, unless its connection has closed already. Once it is stored (or counted as dropped), `answer` is released, or gets
   * `afterWrite` if it has that.
   */
  record(event: Row, answer: PendingAnswer): void;
  /** Resolves once all scans recorded so far are in the spool, and their answers released. */
  flush(): Promise<void>;
}

/** An answer that waits for its scan to be stored. */
export interface PendingAnswer {
  /** Whether the connection has closed. */
  readonly aborted: boolean;
  release(): void;
  /**
   * Called instead of `release`, even if the connection has closed, for an answer that depends on its row.
   * @param stored false if the row was dropped, or not recorded since the connection had closed
   */
  afterWrite?(stored: boolean): void;
}

/**
 * How long answered rows are gathered for one write to the disk, in ms. A container whose journal ends with it loses at most
 * these if it is killed.
 */
const gatherMs = 20;

/** A batch of as many rows, which is 10,000 a second, is load. */
const loadedRows = 200;

const release = (answers: readonly PendingAnswer[], stored: boolean): void => {
  for (const answer of answers) {
    if (answer.afterWrite) answer.afterWrite(stored);
    else if (!answer.aborted) answer.release();
  }
};

/** @param batchBytes the size of a batch */
export const createRecorder = <Row = ScanEvent>(
  encoder: RowEncoder<Row>,
  batchBytes: number,
  spool: Pick<Spool, 'begin' | 'append'>,
): Recorder<Row> => {
  const batches = createRowBatches(encoder, batchBytes);
  /** Where the batch that is being gathered goes. */
  let place: Place | undefined;
  let gathering: NodeJS.Timeout | undefined;
  /** The answers to its rows that are in no frame yet. */
  let pending: PendingAnswer[] = [];
  /** The answers to its rows that the journal has not taken. */
  let waiting: PendingAnswer[] = [];
  let isLoaded = false;
  let scheduled = false;
  /** Batches handed to the spool and not stored yet. */
  let storing = 0;
  let flushed: (() => void)[] = [];

  const onStored = (batch: RowBatch, answers: PendingAnswer[], reusable: boolean, stored: boolean): void => {
    storing--;
    if (reusable) batches.giveBack(batch);
    release(answers, stored);
    if (storing > 0) return;
    if (flushed.length > 0 || (place && !place.journaled)) handOver();
    if (storing > 0) return;
    for (const resolve of flushed) resolve();
    flushed = [];
  };

  const handOver = (): void => {
    if (pending.length > 0) storePending();
    // The journal may have refused them, which has handed over the batch.
    if (place === undefined) return;
    const from = place;
    const answers = waiting;
    place = undefined;
    waiting = [];
    clearTimeout(gathering);
    const batch = batches.take();
    isLoaded = batch.rows >= loadedRows;
    storing++;
    spool.append(from, batch, (reusable, stored) => onStored(batch, answers, reusable, stored));
  };

  /** Makes a frame of the pending rows, and stores it in the journal if there is one. */
  const storePending = (): void => {
    const { seed, journaled, store } = place!;
    const answers = pending;
    pending = [];
    const stored = batches.seal(
      seed,
      (buffer, from, to) => journaled && store(answers.length, buffer, from, to),
    );
    if (stored) return release(answers, true);
    waiting.push(...answers);
    if (journaled) handOver();
  };

  const begin = (): Place => {
    place = spool.begin(batchBytes);
    if (place.journaled) gathering = setTimeout(handOver, gatherMs);
    return place;
  };

  const onIterationEnd = (): void => {
    scheduled = false;
    if (pending.length === 0 || place === undefined) return;
    if (place.journaled) storePending();
    else if (storing === 0) handOver();
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(onIterationEnd);
  };

  return {
    record(event, answer) {
      if (answer.aborted) return answer.afterWrite?.(false);
      if (!batches.hasRoom()) handOver();
      const { journaled } = place ?? begin();
      batches.write(event);
      pending.push(answer);
      if (journaled && !isLoaded) storePending();
      else schedule();
    },
    flush() {
      handOver();
      return storing === 0 ? Promise.resolve() : new Promise((resolve) => flushed.push(resolve));
    },
  };
};
