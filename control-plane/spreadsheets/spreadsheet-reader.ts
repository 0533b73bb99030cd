/**
 * Reads spreadsheets in processes that are killed when a file takes too long or too much memory. A thread would not do: the memory
 * in which a zip archive is expanded is not part of the heap that a thread's limits bound.
 */
import { ClientError } from '#shared/errors.ts';
import type { QueueRefusal, Tenant } from '../fair-queue/fair-gate.ts';
import { createProcessPool, killedWhile, type ProcessOutcome } from '../processes/process-pool.ts';
import type { Spreadsheet, SpreadsheetBounds } from './spreadsheet.ts';
import type { SpreadsheetAnswer, SpreadsheetTask } from './spreadsheet-process.ts';

export interface SpreadsheetReaderOptions {
  /** The time that one file may take, in milliseconds. */
  fileMsMax?: number;
  /** Told of every file that finds no place. */
  onRefused?: (why: QueueRefusal) => void;
  /** Told of every other file. */
  onEnded?: (how: SpreadsheetEnd) => void;
}

/**
 * How the reading of a file ends. `late`: it took too long. `ended`: its process did not survive it. `killed`: somebody killed its
 * process.
 */
export const spreadsheetEnds = ['read', 'refused', 'late', 'ended', 'killed'] as const;
export type SpreadsheetEnd = (typeof spreadsheetEnds)[number];

export interface SpreadsheetReader {
  /**
   * @param file in parts, each of which is handed over at once
   * @param tenant whose turn it takes
   * @param names of columns that a header may have: they tell the delimiter of CSV
   * @throws {ClientError} UNPROCESSABLE naming `file`: it is no spreadsheet, is damaged, passes the bounds, or takes too long or too
   *   much memory; RATE_LIMITED when too many files of this tenant wait; UNAVAILABLE when too many files wait, or somebody has
   *   killed the process
   */
  read(
    file: readonly Buffer[],
    bounds: SpreadsheetBounds,
    tenant: Tenant,
    names?: readonly string[],
  ): Promise<Spreadsheet>;
  /** Files that are read, and that wait. */
  load(): { running: number; waiting: number };
  /** The ids of the processes that run. */
  pids(): number[];
  close(): void;
}

/** 500 rows take 0.1 s; the rest is for a machine with more work than cores. */
const defaultFileMsMax = 8_000;

/** The data of one process. Node itself takes 60 MB, a file of 10 MB with its text 60 MB more. */
const memoryBytesMax = 384 * 2 ** 20;
const heapBytesMax = 128 * 2 ** 20;

const tooMuch = (what: string, cause: string): ClientError =>
  new ClientError('UNPROCESSABLE', `file ${what}; send fewer rows, or the same rows as CSV`, { cause });

type Outcome = ProcessOutcome<SpreadsheetAnswer, string[]>;

const spreadsheetOf = (outcome: Outcome): Spreadsheet => {
  if (outcome.kind === 'late') throw tooMuch('takes too long to read', 'late');
  if (outcome.kind === 'ended') throw tooMuch('takes too much memory to read', outcome.why);
  if (outcome.kind === 'killed') throw killedWhile('read the file', outcome);
  const { answer, some } = outcome;
  if (answer.ok) {
    const { spreadsheet, numbers } = answer;
    const width = spreadsheet.columns.length;
    const cells = some.flat();
    const rows = numbers.map((number, at) => ({ number, cells: cells.slice(at * width, (at + 1) * width) }));
    return { ...spreadsheet, rows };
  }
  throw new ClientError('UNPROCESSABLE', `file ${answer.message}`);
};

const endOf = (outcome: Outcome): SpreadsheetEnd => {
  if (outcome.kind !== 'answered') return outcome.kind;
  return outcome.answer.ok ? 'read' : 'refused';
};

export const createSpreadsheetReader = ({
  fileMsMax = defaultFileMsMax,
  onRefused,
  onEnded = () => undefined,
}: SpreadsheetReaderOptions = {}): SpreadsheetReader => {
  const pool = createProcessPool<SpreadsheetTask, SpreadsheetAnswer, string[]>({
    file: new URL('./spreadsheet-process.ts', import.meta.url),
    processesMax: 2,
    taskMsMax: fileMsMax,
    memoryBytesMax,
    heapBytesMax,
    waitingMax: 16,
    waitingPerTenantMax: 4,
    waitMsMax: 20_000,
    onRefused,
    messages: {
      tenantFull: 'Too many of your spreadsheets are waiting to be read; send one after the other',
      busy: 'Too many spreadsheets are being read; try again shortly',
    },
  });
  return {
    async read(file, bounds, tenant, names = []) {
      const outcome = await pool.run({ bounds, names }, tenant, file);
      onEnded(endOf(outcome));
      return spreadsheetOf(outcome);
    },
    load: pool.load,
    pids: pool.pids,
    close: pool.close,
  };
};
