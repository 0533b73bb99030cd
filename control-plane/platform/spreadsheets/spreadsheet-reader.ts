/**
 * Reads spreadsheets in processes that are killed if a file takes too long or too much memory. A thread would not do:
 * the memory into which a zip archive is expanded is not part of the heap that a thread's limits bound.
 */
import { ClientError } from '#shared/errors.ts';
import type { QueueRefusal, Tenant } from '../fair-queue/fair-gate.ts';
import { createProcessPool, killedWhile, type ProcessOutcome } from '../processes/process-pool.ts';
import { type RowPart, rowsOfParts } from './row-parts.ts';
import type { Spreadsheet, SpreadsheetBounds } from './spreadsheet.ts';
import type { SpreadsheetAnswer, SpreadsheetTask } from './spreadsheet-process.ts';

export interface SpreadsheetReaderOptions {
  /** The time limit for one file, in milliseconds. */
  fileMsMax?: number;
  /** Called for every file that finds no place. */
  onRefused?: (why: QueueRefusal) => void;
  /** Called for every other file. */
  onEnded?: (how: SpreadsheetEnd) => void;
}

/**
 * How reading a file ends. `late`: it took too long. `ended`: its process did not survive it. `killed`: its process was
 * killed from outside.
 */
export const spreadsheetEnds = ['read', 'refused', 'late', 'ended', 'killed'] as const;
export type SpreadsheetEnd = (typeof spreadsheetEnds)[number];

export interface SpreadsheetReader {
  /**
   * @param file in parts; each part is passed on at once
   * @param tenant that it is done for
   * @param names possible column names of a header: they reveal the delimiter of CSV
   * @param pages if given, JSON is accepted: names of the property of a page that has its entries
   * @throws {ClientError} UNPROCESSABLE naming `file`: it is not a spreadsheet, is damaged, exceeds the bounds, or
   * takes too long or too much memory; RATE_LIMITED if too many files of this tenant wait; UNAVAILABLE if too many
   * files wait, or the process was killed from outside
   */
  read(
    file: readonly Buffer[],
    bounds: SpreadsheetBounds,
    tenant: Tenant,
    names?: readonly string[],
    pages?: readonly string[],
  ): Promise<Spreadsheet>;
  /** Files being read, and files waiting. */
  load(): { running: number; waiting: number };
  /** The ids of the running processes. */
  pids(): number[];
  close(): void;
}

/** 500 rows take 0.1 s; the rest is for a machine with more work than cores. */
const defaultFileMsMax = 15_000;

/** The data of one process. Node itself takes 60 MB, a file of 10 MB with its text 60 MB more. */
const memoryBytesMax = 384 * 2 ** 20;
const heapBytesMax = 128 * 2 ** 20;

const tooMuch = (what: string, cause: string): ClientError =>
  new ClientError('UNPROCESSABLE', `file ${what}; send fewer rows`, { cause });

type Outcome = ProcessOutcome<SpreadsheetAnswer, RowPart[]>;

const spreadsheetOf = (outcome: Outcome): Spreadsheet => {
  if (outcome.kind === 'late') throw tooMuch('takes too long to read', 'late');
  if (outcome.kind === 'ended') throw tooMuch('takes too much memory to read', outcome.why);
  if (outcome.kind === 'killed') throw killedWhile('read the file', outcome);
  const { answer, some } = outcome;
  if (answer.ok) {
    const { spreadsheet, numbers } = answer;
    return { ...spreadsheet, rows: rowsOfParts(some, spreadsheet.columns.length, numbers) };
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
  const pool = createProcessPool<SpreadsheetTask, SpreadsheetAnswer, RowPart[]>({
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
    async read(file, bounds, tenant, names = [], pages = []) {
      const outcome = await pool.run({ bounds, names, pages }, tenant, file);
      onEnded(endOf(outcome));
      return spreadsheetOf(outcome);
    },
    load: pool.load,
    pids: pool.pids,
    close: pool.close,
  };
};
