/** How much the spool may hold, on disk and in memory, and the rows dropped because it is full. */

export interface SpoolBudgetOptions {
  /** Bytes of all segments, on disk and in memory. */
  bytesMax: number;
  /** Bytes of rows that the disk did not take. */
  memoryBytesMax: number;
  /** The same, for rows that the journal has as well. */
  journalBytesMax: number;
}

export interface SpoolBudget {
  readonly bytes: number;
  readonly memoryBytes: number;
  /** Whether nothing is held or waiting to be stored. */
  readonly isEmpty: boolean;
  /** Rows taken since the start. */
  readonly appended: number;
  /** Rows dropped since the start, by reason. */
  readonly dropped: { readonly spool_full: number; readonly disk_error: number };
  /** Whether a batch may wait to be stored; otherwise its rows are counted as dropped. */
  admit(batchBytes: number, rows: number): boolean;
  /** Reserves room, on disk and in memory, for a batch that will be answered before it is handed over. */
  reserve(batchBytesMax: number): boolean;
  /** A batch has been handed over for which more was reserved. */
  settle(batchBytesMax: number, batchBytes: number): void;
  /** A batch is no longer waiting. @param storedBytes that it takes from now on; 0 if it was dropped */
  finish(batchBytes: number, rows: number, storedBytes: number): void;
  /** Takes memory for rows that the disk did not take, if any is left; for rows in the journal it has been reserved. */
  reserveMemory(bytes: number, journaled: boolean): boolean;
  /** Takes memory for rows that an earlier process left in the journal. */
  addLeft(bytes: number): void;
  /** Rows have moved from memory to disk. */
  move(bytes: number): void;
  /** Counts a file of an earlier process. */
  addRecovered(fileBytes: number): void;
  /** Bytes of a segment are released. */
  free(fileBytes: number, memoryBytes: number): void;
}

export const createSpoolBudget = ({
  bytesMax,
  memoryBytesMax,
  journalBytesMax,
}: SpoolBudgetOptions): SpoolBudget => {
  const dropped = { spool_full: 0, disk_error: 0 };
  let bytes = 0;
  let memoryBytes = 0;
  let appended = 0;
  /** The bytes of batches waiting to be stored. */
  let waitingBytes = 0;

  return {
    get bytes() {
      return bytes;
    },
    get memoryBytes() {
      return memoryBytes;
    },
    get isEmpty() {
      return bytes === 0 && waitingBytes === 0;
    },
    get appended() {
      return appended;
    },
    dropped,
    admit(batchBytes, rows) {
      if (bytes + waitingBytes + batchBytes > bytesMax) {
        dropped.spool_full += rows;
        return false;
      }
      // The first batch is always tried; later ones may have to go to memory.
      if (waitingBytes > 0 && memoryBytes + waitingBytes + batchBytes > memoryBytesMax) {
        dropped.disk_error += rows;
        return false;
      }
      waitingBytes += batchBytes;
      return true;
    },
    reserve(batchBytesMax) {
      if (bytes + waitingBytes + batchBytesMax > bytesMax) return false;
      if (memoryBytes + waitingBytes + batchBytesMax > journalBytesMax) return false;
      waitingBytes += batchBytesMax;
      return true;
    },
    settle(batchBytesMax, batchBytes) {
      waitingBytes += batchBytes - batchBytesMax;
    },
    finish(batchBytes, rows, storedBytes) {
      waitingBytes -= batchBytes;
      bytes += storedBytes;
      if (storedBytes > 0) appended += rows;
      else dropped.disk_error += rows;
    },
    reserveMemory(wanted, journaled) {
      if (!journaled && memoryBytes + wanted > memoryBytesMax) return false;
      memoryBytes += wanted;
      return true;
    },
    addLeft(leftBytes) {
      bytes += leftBytes;
      memoryBytes += leftBytes;
    },
    move(movedBytes) {
      memoryBytes -= movedBytes;
    },
    addRecovered(fileBytes) {
      bytes += fileBytes;
    },
    free(freedFileBytes, freedMemoryBytes) {
      bytes -= freedFileBytes + freedMemoryBytes;
      memoryBytes -= freedMemoryBytes;
    },
  };
};
