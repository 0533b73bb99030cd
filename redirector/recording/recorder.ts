/**
 * Records the scans (or verifications) of a few event-loop turns, and holds their answers back until they are stored.
 *
 *   request ─ record(event, answer) ─┐
 *   request ─ record(event, answer) ─┼─ one write to the spool; when it is done, every answer is released
 *   request ─ record(event, answer) ─┘
 *
 * While a write is under way, the scans of all turns are collected for the next one. An answered scan is on disk, whatever
 * happens to this process next.
 *
 * A scan whose connection closes before it reaches the spool is not recorded: nobody was redirected. This happens with
 * pipelined requests: at the second one uWebSockets.js closes the connection and answers neither. A scan whose connection
 * closes while it is being stored is recorded, and counted as unanswered.
 */
import type { ScanEvent } from '#schemas/scan-event.ts';
import type { RowBatch, RowWriter } from './row-writer.ts';
import type { Spool } from './spool.ts';

export interface Recorder<Row = ScanEvent> {
  /** Records a scan; `answer` is released once it is stored (or counted as dropped), or settles its own fate. */
  record(event: Row, answer: PendingAnswer): void;
  /** Resolves once all scans recorded so far are stored and their answers released. */
  flush(): Promise<void>;
  readonly statistics: RecorderStatistics;
}

export interface RecorderStatistics {
  /** Scans that were not recorded because their connection closed first. */
  withdrawn: number;
  /** Scans that were recorded, and whose connection closed before the answer. */
  unanswered: number;
}

/** An answer that waits for its scan to be stored. */
export interface PendingAnswer {
  /** Whether the connection has closed. */
  readonly aborted: boolean;
  release(): void;
  /**
   * Called in place of `release`, also where the connection has closed, for an answer that depends on its row.
   * @param stored false where the row is dropped, or withdrawn since the connection closed before
   */
  settle?(stored: boolean): void;
}

/**
 * A write costs 15 µs more CPU in libuv's pool than on the event loop (two context switches, a wake-up): as much as a
 * redirect. So scans are collected over several turns, as long as each turn brings more, up to this number; then a write
 * costs 0.5 µs a scan. A turn that brings none ends the collecting, so that no scan waits for one that may not come.
 */
const gatheredRows = 32;

/**
 * A turn with fewer scans than this, after a write of fewer, is no load: the turn's scans are written at its end. To wait for
 * another turn would only cost that turn.
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
  /** Rows in the buffer when the last turn ended. */
  let gathered = 0;
  /** Rows of the last write. */
  let written = 0;
  /** Batches handed to the spool and not stored yet. */
  let storing = 0;
  let flushed: (() => void)[] = [];

  /** Rows and answers have the same order. */
  const withdrawAborted = (): void => {
    if (!pending.some(isAborted)) return;
    const before = pending;
    writer.keep((index) => !before[index]!.aborted);
    pending = before.filter(({ aborted }) => !aborted);
    statistics.withdrawn += before.length - pending.length;
    for (const answer of before) if (answer.aborted) answer.settle?.(false);
  };

  const release = (answers: PendingAnswer[], stored: boolean): void => {
    for (const answer of answers) {
      if (answer.aborted) statistics.unanswered++;
      if (answer.settle) answer.settle(stored);
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

  const onTurnEnd = (): void => {
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
    setImmediate(onTurnEnd);
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
