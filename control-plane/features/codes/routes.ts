/**
 * /api/qr/codes. Answers carry `waymark-stale: scanCount` while the count of scans is not known to be current.
 */
import {
  type CodeList,
  codeAnalyticsQuery,
  codeListQuery,
  createCodeBodies,
  type UpdateCodeBody,
} from '#schemas/api/codes.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { CodeIds } from '#shared/ids.ts';
import type { Pool } from '../../db/pool.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { readAnalytics } from './analytics.ts';
import type { Cursors } from './cursor.ts';
import { toCodeObject } from './object.ts';
import type { Publishing } from './publishing.ts';
import type { ScanCounts } from './scan-counts.ts';
import {
  type Code,
  type CodeChanges,
  countCodes,
  createCode,
  findCode,
  listCodes,
  updateCode,
} from './store.ts';

export interface CodeOptions {
  pool: Pool;
  clickhouse: ClickHouseClient;
  publishing: Publishing;
  scanCounts: ScanCounts;
  cursors: Cursors;
  ids: CodeIds;
  baseUrl: string;
  qrHost: string;
}

export const createCodeOperations = (options: CodeOptions): Operation[] => {
  const { pool, clickhouse, publishing, scanCounts, cursors, ids, baseUrl, qrHost } = options;
  const bodies = createCodeBodies(qrHost);

  const countScans = async (workspaceId: string, codes: readonly Code[]) => {
    const codeIds = codes.map(({ id }) => id);
    const { counts, stale } = await scanCounts.of(workspaceId, codeIds);
    const headers: Record<string, string> = stale ? { 'waymark-stale': 'scanCount' } : {};
    return { counts, headers };
  };

  const presentOne = async (code: Code) => {
    const { counts, headers } = await countScans(code.workspaceId, [code]);
    return { headers, body: toCodeObject(code, counts.get(code.id) ?? 0, qrHost) };
  };

  const change = async (workspaceId: string, id: string, changes: UpdateCodeBody) => {
    const apply = (code: Code): CodeChanges => ({
      destination: changes.destination ?? code.destination,
      name: changes.name === undefined ? code.name : changes.name,
      status: changes.status ?? code.status,
    });
    const code = await updateCode(pool, workspaceId, id, apply, publishing.ensure);
    // Also where nothing has changed: who repeats a PUT may do so because the first one's answer was lost.
    const [reply] = await Promise.all([presentOne(code), publishing.publishChanged(code)]);
    return reply;
  };

  return [
    operation({
      method: 'post',
      path: '/api/qr/codes',
      body: bodies.create,
      async handle({ principal: { workspaceId }, body: { data, dataType, name } }) {
        const code = await createCode(pool, ids.create, { workspaceId, name, dataType, destination: data });
        await publishing.publishCreated(code);
        return {
          status: 201,
          headers: { location: `${baseUrl}/api/qr/codes/${code.id}` },
          body: toCodeObject(code, 0, qrHost),
        };
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes',
      query: codeListQuery,
      async handle({ principal: { workspaceId }, query: { limit, cursor, type, status } }) {
        const before = cursor === undefined ? undefined : cursors.decode(workspaceId, cursor);
        const filter = { type, status };
        const [found, total] = await Promise.all([
          // One more than asked for tells whether there is a next page.
          listCodes(pool, workspaceId, filter, before, limit + 1),
          countCodes(pool, workspaceId, filter),
        ]);
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        const { counts, headers } = await countScans(workspaceId, page);
        const nextCursor = last ? cursors.encode(workspaceId, last.seq) : null;
        const body: CodeList = {
          data: page.map((code) => toCodeObject(code, counts.get(code.id) ?? 0, qrHost)),
          pagination: { total, limit, cursor: cursor ?? null, nextCursor },
        };
        return { headers, body };
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes/:id',
      async handle({ principal: { workspaceId }, params: { id = '' } }) {
        return presentOne(await findCode(pool, workspaceId, id));
      },
    }),
    operation({
      method: 'put',
      path: '/api/qr/codes/:id',
      body: bodies.update,
      handle: ({ principal: { workspaceId }, params: { id = '' }, body }) => change(workspaceId, id, body),
    }),
    operation({
      method: 'delete',
      path: '/api/qr/codes/:id',
      handle: ({ principal: { workspaceId }, params: { id = '' } }) =>
        change(workspaceId, id, { status: 'inactive' }),
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes/:id/analytics',
      query: codeAnalyticsQuery,
      async handle({ principal: { workspaceId }, params: { id = '' }, query }) {
        const code = await findCode(pool, workspaceId, id);
        return { body: await readAnalytics(clickhouse, code, query, new Date()) };
      },
    }),
  ];
};
