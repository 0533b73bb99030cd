/**
 * Reads of the log in turns. One may look through three months of a large workspace for a scan that is not there, so it has a time
 * limit, and workspaces take turns: most connections to ClickHouse stay free for everything else.
 */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { createFairGate } from '../../../platform/fair-queue/fair-gate.ts';
import { type LogQuery, readLog } from './log.ts';

/** Scans as lines of JSON. @throws {ClientError} UNAVAILABLE; RATE_LIMITED if too many reads of the workspace wait */
export type ReadScans = (query: LogQuery) => Promise<string[]>;

export interface ScanReads {
  /** A page that a client asked for. */
  page: ReadScans;
  /**
   * The next rows of a response that is being sent. There is one read at a time for each, so that the limits of responses
   * are enough: a refusal would reset its connection.
   */
  next: ReadScans;
}

const messages = {
  tenantFull: 'Too many of your pages of scans are waiting to be read; ask for fewer at once',
  busy: 'Too many pages of scans are being read; try again shortly',
};
const pages = { runningMax: 2, waitingMax: 64, waitingPerTenantMax: 8, waitMsMax: 10_000, messages };
/** As many as there are streamed responses. */
const streamsMax = 64;
const streams = {
  runningMax: 2,
  waitingMax: streamsMax,
  waitingPerTenantMax: streamsMax,
  waitMsMax: 60_000,
  messages,
};

export const createScanReads = (clickhouse: ClickHouseClient): ScanReads => {
  const inTurn = (options: typeof pages): ReadScans => {
    const gate = createFairGate({ ...options, costPerMs: 1 });
    return (query) =>
      gate.pass({ tenant: query.selection.workspaceId, cost: 1 }, () => readLog(clickhouse, query));
  };
  return { page: inTurn(pages), next: inTurn(streams) };
};
