/**
 * Records the scans of an event-loop turn and holds their responses until they are stored.
 *
 *   request ─ record(event, respond) ─┐
 *   request ─ record(event, respond) ─┼─ end of the turn: one write to the spool, then every respond()
 *   request ─ record(event, respond) ─┘
 *
 * Holding the responses until the write costs nothing that could be measured, since it is one write for all of them;
 * it means that a scan whose phone got its answer is on disk, whatever happens to this process next.
 */
import type { ScanEvent } from '#schemas/scan-event.ts';
import type { RowWriter } from './row-binary.ts';
import type { Spool } from './spool.ts';

export interface Recorder {
  /** Records a scan; `held` is released once it is stored (or counted as dropped). */
  record(event: ScanEvent, held: Held): void;
  /** Stores and releases what has been recorded so far, now. */
  flush(): void;
}

/** A response that waits for its scan to be stored. */
export interface Held {
  release(): void;
}

export const createRecorder = (writer: RowWriter, spool: Spool): Recorder => {
  let held: Held[] = [];
  let scheduled = false;

  const store = (): void => {
    if (writer.rows === 0) return;
    spool.append(writer.rows, writer.bytes());
    writer.reset();
  };

  const flush = (): void => {
    scheduled = false;
    store();
    const releasing = held;
    held = [];
    for (const response of releasing) response.release();
  };

  return {
    record(event, response) {
      if (!writer.hasRoom()) store();
      writer.write(event);
      held.push(response);
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
    flush,
  };
};
