/** Takes the scans that redirectors report, as the control plane does: each segment name once. */
import type http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import { type ReportedScan, reportedScan } from '#schemas/reported-scan.ts';

export interface ReportsStandIn {
  /** The scans of the segments taken. */
  scans: ReportedScan[];
  /** The names of the segments taken. */
  taken: Set<string>;
  /** The status of its answers; any status but 200 takes nothing. */
  status: number;
}

export const createReportsStandIn = (): ReportsStandIn => ({ scans: [], taken: new Set(), status: 200 });

export const takeReports = async (
  standIn: ReportsStandIn,
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
    standIn.scans.push(...lines.map((line) => reportedScan.parse(JSON.parse(line))));
  }
  res.writeHead(standIn.status).end('{}');
};
