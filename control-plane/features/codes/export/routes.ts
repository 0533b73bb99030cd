/** /api/qr/codes/export and /api/qr/codes/{id}/scans.csv */
import { codeExportQuery, scanExportQuery, windowOf } from '#schemas/api/exports.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { attachment } from '../../../api/http/attachment.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import { findCode } from '../store/find.ts';
import { exportCodesDocs, exportScansDocs } from './docs.ts';
import { type ExportSources, exportFiles } from './files.ts';
import { scanFile } from './scans/file.ts';
import { scanPages } from './scans/pages.ts';

export interface ExportOptions extends ExportSources {
  clickhouse: ClickHouseClient;
}

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

export const createExportOperations = (options: ExportOptions): Operation[] => [
  operation({
    method: 'get',
    path: '/api/qr/codes/export',
    callLimit: 'dataExport',
    query: codeExportQuery,
    docs: exportCodesDocs,
    async handle({ principal: { workspaceId }, query: { format } }) {
      const now = new Date();
      const { contentType, extension, write } = exportFiles[format];
      const name = `waymark-codes-${dayOf(now)}.${extension}`;
      return attachment(name, contentType, write(options, workspaceId, now));
    },
  }),
  operation({
    method: 'get',
    path: '/api/qr/codes/:id/scans.csv',
    callLimit: 'dataExport',
    query: scanExportQuery,
    docs: exportScansDocs,
    async handle({ principal: { workspaceId }, params: { id = '' }, query }) {
      const now = new Date();
      const code = await findCode(options.pool, workspaceId, id);
      const scans = scanFile(scanPages(options.clickhouse, code, windowOf(query, now)));
      const name = `waymark-scans-${code.id}-${dayOf(now)}.csv`;
      return attachment(name, exportFiles.csv.contentType, scans);
    },
  }),
];
