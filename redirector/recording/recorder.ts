/**
 * Records the scans (or verifications) of a few event-loop iterations, and holds back their answers until they are stored.
 *
 *   request ─ record(event, answer) ─┐
 *   request ─ record(event, answer) ─┼─ one write to the spool; when it is done, every answer is released
 *   request ─ record(event, answer) ─┘
 *
 * While a write is under way, the scans of all iterations are collected for the next write. An answered scan is on disk,
 * whatever happens to this process afterwards.
 *
 * A scan whose connection closes before it reaches the spool is not recorded: the visitor was not redirected. This
 * happens with pipelined requests: at the second one uWebSockets.js closes the connection and answers neither. A scan
 * whose connection closes while it is being stored is recorded, and counted as unanswered.
 */
import type { ScanEvent } from '#schemas/scan-event.ts';
import type { RowBatch, RowWriter } from './row-writer.ts';
import type { Spool } from './spool.ts';

export interface Recorder<Row = ScanEvent> {
  /** Records a scan. Once it is stored (or counted as dropped), `answer` is released, or gets `afterWrite` if it has that. */
  record(event: Row, answer: PendingAnswer): void;
  /** Resolves once all scans recorded so far are stored and their answers released. */
  flush(): Promise<void>;
  readonly statistics: RecorderStatistics;
}

export interface RecorderStatistics {
  /** Scans not recorded because their connection closed first. */
  withdrawn: number;
  /** Scans recorded whose connection closed before the answer. */
  unanswered: number;
}

/** An answer that waits for its scan to be stored. */
export interface PendingAnswer {
  /** Whether the connection has closed. */
  readonly aborted: boolean;
  release(): void;
  /**
   * Called instead of `release`, even if the connection has closed, for an answer that depends on its row.
   * @param stored false if the row was dropped, or withdrawn because the connection had closed
   */
  afterWrite?(stored: boolean): void;
}

/**
 * A write costs 15 µs more CPU in libuv's pool than on the event loop (two context switches, a wake-up): as much as a
 * redirect. So scans are collected over several iterations, up to this number, while each iteration brings more; then a write
 * costs 0.5 µs a scan. An iteration without scans ends the collecting, so that no scan waits for one that may not come.
 */
const gatheredRows = 32;

/**
 * An iteration with fewer scans than this, after a write of fewer, is not load: its scans are written at its end. Waiting for
 * another iteration would only add that iteration.
 */
const loadedRows = 4;

const isAborted = ({ aborted }: PendingAnswer): boolean => aborted;

export const createRecorder = <Row = ScanEvent>(
  writer: RowWriter<Row>,
  spool: Pick<Spool, 'append'>,
): Recorder<Row> => {
  const statistics: RecorderStatistics = { withdrawn: 0, unanswered: 0 };
  let pending: PendingAnswer[] = [];
  let scheduled = false;
  /** Rows in the buffer at the end of the last iteration. */
  let gathered = 0;
  /** Rows of the last write. */
  let written = 0;
  /** Batches handed to the spool and not stored yet. */
  let storing = 0;
  let flushed: (() => void)[] = [];

  /** Rows and answers are in the same order. */
  const withdrawAborted = (): void => {
    if (!pending.some(isAborted)) return;
    const before = pending;
    writer.keep((index) => !before[index]!.aborted);
    pending = before.filter(({ aborted }) => !aborted);
    statistics.withdrawn += before.length - pending.length;
    for (const answer of before) if (answer.aborted) answer.afterWrite?.(false);
  };

  const release = (answers: PendingAnswer[], stored: boolean): void => {
    for (const answer of answers) {
      if (answer.aborted) statistics.unanswered++;
      if (answer.afterWrite) answer.afterWrite(stored);
      else if (!answer.aborted) answer.release();
    }
  };

  const onStored = (batch: RowBatch, answers: PendingAnswer[], reusable: boolean, stored: boolean): void => {
    storing--;
    if (reusable) writer.giveBack(batch);
    release(answers, stored);
    if (storing > 0) return;
    if (flushed.length > 0 || writer.rows >= gatheredRows) store();
    else if (writer.rows > 0) schedule();
    if (storing > 0) return;
    for (const resolve of flushed) resolve();
    flushed = [];
  };

  const store = (): void => {
    withdrawAborted();
    if (writer.rows === 0) return;
    const batch = writer.take();
    gathered = 0;
    written = batch.rows;
    const storingNow = pending;
    pending = [];
    storing++;
    spool.append(batch, (reusable, stored) => onStored(batch, storingNow, reusable, stored));
  };

  const onIterationEnd = (): void => {
    scheduled = false;
    if (storing > 0) return;
    const { rows } = writer;
    const isLoaded = rows >= loadedRows || written >= loadedRows;
    if (!isLoaded || rows === gathered || rows >= gatheredRows) return store();
    gathered = rows;
    schedule();
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(onIterationEnd);
  };

  return {
    statistics,
    record(event, answer) {
      if (!writer.hasRoom()) store();
      writer.write(event);
      pending.push(answer);
      if (!scheduled && storing === 0) schedule();
    },
    flush() {
      if (storing === 0) store();
      return storing === 0 ? Promise.resolve() : new Promise((resolve) => flushed.push(resolve));
    },
  };
};
