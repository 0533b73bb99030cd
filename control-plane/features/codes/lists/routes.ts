/** GET /api/qr/codes and GET /api/qr/codes/count */
import { createHash } from 'node:crypto';
import { type CodeList, codeCountQuery, codeListQuery } from '#schemas/api/code-lists.ts';
import type { CodeObject, Expansion } from '#schemas/api/codes.ts';
import { canonicalJson } from '#shared/canonical-json.ts';
import type { TextCursors } from '../../../api/http/cursors.ts';
import { type Operation, type OperationDocs, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { ListedCode } from '../store/code.ts';
import { readCount } from './counts.ts';
import { placeOf, positionOf } from './orders.ts';
import { readPage } from './pages.ts';
import type { InTurn } from './turns.ts';

export interface ListOptions {
  pool: Pool;
  inTurn: InTurn;
  listCursors: TextCursors;
  docs: { list: OperationDocs; count: OperationDocs };
  /** Codes of a workspace as the API shows them. */
  answersOf(
    workspaceId: string,
    codes: readonly ListedCode[],
    expand: readonly Expansion[],
  ): Promise<{ headers: Record<string, string>; objects: CodeObject[] }>;
}

/** A cursor belongs to the workspace, the filters and the order of its list. */
const listIdOf = (workspaceId: string, list: object): string =>
  `codes ${workspaceId} ${createHash('sha256').update(canonicalJson(list)).digest('base64url')}`;

export const createListOperations = (options: ListOptions): Operation[] => {
  const { pool, inTurn, listCursors, docs, answersOf } = options;
  return [
    operation({
      method: 'get',
      path: '/api/qr/codes',
      query: codeListQuery,
      docs: docs.list,
      async handle({ principal: { workspaceId }, query: { limit, cursor, sort, expand = [], ...filters } }) {
        const listId = listIdOf(workspaceId, { sort, ...filters });
        const after = cursor === undefined ? undefined : placeOf(listCursors.decode(listId, cursor));
        const page = await readPage(pool, inTurn, workspaceId, { filters, sort, expand, after, limit });
        const { headers, objects } = await answersOf(workspaceId, page.codes, expand);
        const { total, totalRelation } = page;
        const nextCursor = page.end ? listCursors.encode(listId, positionOf(page.end)) : null;
        const pagination = { total, totalRelation, limit, cursor: cursor ?? null, nextCursor };
        const body: CodeList = { data: objects, pagination };
        return { headers, body };
      },
    }),
    // Before the path of a single code, which would match it as well.
    operation({
      method: 'get',
      path: '/api/qr/codes/count',
      query: codeCountQuery,
      docs: docs.count,
      handle: async ({ principal: { workspaceId }, query: { groupBy, ...filters } }) => ({
        body: await readCount(pool, inTurn, workspaceId, filters, groupBy),
      }),
    }),
  ];
};
