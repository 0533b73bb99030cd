/** Wires up the reports of scans in one process, and their recorder. */
import type { WorkspaceDocument } from '#schemas/documents.ts';
import type { ReportedScan } from '#schemas/reported-scan.ts';
import type { Logger } from '#shared/logger.ts';
import type { Documents } from '../documents/document-store.ts';
import { createLineEncoder } from '../recording/line-encoder.ts';
import { createRecorder, type Recorder } from '../recording/recorder.ts';
import type { Spool } from '../recording/spool.ts';
import { createEventIds } from './event-ids.ts';
import { createFollowedWorkspaces } from './followed-workspaces.ts';
import { createScanReports, type ScanReports } from './scan-reports.ts';

export interface OpenScanReportsOptions {
  /** Room for reports in memory, on their way to the spool. */
  batchBytes: number;
  workspaces: Documents<WorkspaceDocument>;
  spool: Pick<Spool, 'begin' | 'append'>;
  logger: Logger;
}

export interface OpenScanReports extends ScanReports, Pick<Recorder, 'flush'> {}

/**
 * A report without a rule takes 150 bytes. A destination has at most 4,096 ASCII characters, and at most twice as many
 * bytes in JSON.
 */
const reportBytesMax = 12 * 2 ** 10;

export const openScanReports = ({
  batchBytes,
  workspaces,
  spool,
  logger,
}: OpenScanReportsOptions): OpenScanReports => {
  const recorder = createRecorder(createLineEncoder<ReportedScan>(reportBytesMax), batchBytes, spool);
  const isFollowed = createFollowedWorkspaces(workspaces, logger);
  const reports = createScanReports({ isFollowed, recorder, ids: createEventIds(), logger });
  return { ...reports, flush: recorder.flush };
};
