/** How much the spool may hold, on disk and in memory, and the rows dropped because it is full. */

export interface SpoolBudgetOptions {
  /** Bytes of all segments, on disk and in memory. */
  bytesMax: number;
  /** Bytes of scans that the disk did not take. */
  memoryBytesMax: number;
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
  /** A batch is no longer waiting. @param storedBytes that it takes from now on; 0 if it was dropped */
  finish(batchBytes: number, rows: number, storedBytes: number): void;
  /** Takes memory for rows that the disk did not take, if any is left. */
  reserveMemory(bytes: number): boolean;
  /** Rows have moved from memory to disk. */
  move(memoryBytes: number, fileBytes: number): void;
  /** Counts a file of an earlier process. */
  addRecovered(fileBytes: number): void;
  /** Bytes of a segment are released. */
  free(fileBytes: number, memoryBytes: number): void;
}

export const createSpoolBudget = ({ bytesMax, memoryBytesMax }: SpoolBudgetOptions): SpoolBudget => {
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
    finish(batchBytes, rows, storedBytes) {
      waitingBytes -= batchBytes;
      bytes += storedBytes;
      if (storedBytes > 0) appended += rows;
      else dropped.disk_error += rows;
    },
    reserveMemory(wanted) {
      if (memoryBytes + wanted > memoryBytesMax) return false;
      memoryBytes += wanted;
      return true;
    },
    move(movedBytes, fileBytes) {
      memoryBytes -= movedBytes;
      bytes += fileBytes - movedBytes;
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
