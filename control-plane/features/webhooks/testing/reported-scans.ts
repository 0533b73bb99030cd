/** For tests: scans as redirectors report them. */
import type { ReportedScan } from '#schemas/reported-scan.ts';
import { eventIds } from '../../../framework/outbox.ts';

type Code = Pick<ReportedScan, 'workspaceId' | 'codeId'>;

/** A current scan, in France. */
export const reportedScanOf = (code: Code, changes: Partial<ReportedScan> = {}): ReportedScan => ({
  id: eventIds.create(),
  ...code,
  atMs: Date.now(),
  country: 'FR',
  device: 'mobile',
  ...changes,
});

export const linesOf = (scans: readonly object[]): string =>
  scans.map((scan) => `${JSON.stringify(scan)}\n`).join('');
