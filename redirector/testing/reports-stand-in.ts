/** Takes what redirectors report, as the control plane does: each segment name once. */
import type http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import type { z } from 'zod';
import { type ReportedView, reportedView } from '#schemas/page-document.ts';
import { type ReportedScan, reportedScan } from '#schemas/reported-scan.ts';

export interface ReportsStandIn {
  /** The scans, and the views of pages, of the segments taken. */
  scans: ReportedScan[];
  views: ReportedView[];
  /** The names of the segments taken. */
  taken: Set<string>;
  /** The status of its answers; any status but 200 takes nothing. */
  status: number;
}

export const createReportsStandIn = (): ReportsStandIn => ({
  scans: [],
  views: [],
  taken: new Set(),
  status: 200,
});

const take = async <Report>(
  standIn: ReportsStandIn,
  schema: z.ZodType<Report>,
  reports: Report[],
  url: URL,
  req: http.IncomingMessage,
  res: http.ServerResponse,
): Promise<void> => {
  const lines = zstdDecompressSync(await buffer(req))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const name = url.searchParams.get('segment') ?? '';
  if (standIn.status === 200 && !standIn.taken.has(name)) {
    standIn.taken.add(name);
    reports.push(...lines.map((line) => schema.parse(JSON.parse(line))));
  }
  res.writeHead(standIn.status).end('{}');
};

export const takeReports = (
  standIn: ReportsStandIn,
  url: URL,
  req: http.IncomingMessage,
  res: http.ServerResponse,
): Promise<void> =>
  url.pathname === '/internal/scans'
    ? take(standIn, reportedScan, standIn.scans, url, req, res)
    : take(standIn, reportedView, standIn.views, url, req, res);
