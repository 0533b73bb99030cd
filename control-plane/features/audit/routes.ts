/** /api/qr/audit-log */
import { type AuditList, type AuditQuery, auditQuery } from '#schemas/api/audit.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { TextCursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { auditDocs } from './docs.ts';
import { type AuditPosition, type AuditRow, listAudit, toActorObject } from './store.ts';

const toObject = ({ id, at, operation, resourceId, requestId, ...actor }: AuditRow) => ({
  id,
  at: at.toISOString(),
  by: toActorObject(actor),
  operation,
  resourceId,
  requestId,
});

/** A cursor belongs to a workspace and to the filters. */
const listIdOf = (workspaceId: string, { resourceId, from, to }: AuditQuery): string =>
  JSON.stringify([workspaceId, resourceId, from, to]);

const textOf = ({ at, id }: AuditPosition): string => `${at.getTime()}.${id}`;

const positionOf = (text: string): AuditPosition => {
  const [ms = '', id = ''] = text.split('.');
  return { at: new Date(Number(ms)), id };
};

/** @throws {ClientError} INVALID_REQUEST */
const requireRange = ({ from, to }: AuditQuery): void => {
  if (from && to && from >= to)
    throw new ClientError(
      'INVALID_REQUEST',
      `to must be later than from; given: ${quoted(to.toISOString())}`,
    );
};

export const createAuditOperation = (pool: Pool, cursors: TextCursors): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/audit-log',
    access: 'admin',
    query: auditQuery,
    docs: auditDocs,
    async handle({ principal: { workspaceId }, query }) {
      requireRange(query);
      const { limit, cursor } = query;
      const listId = listIdOf(workspaceId, query);
      const before = cursor === undefined ? undefined : positionOf(cursors.decode(listId, cursor));
      // One more than a page has tells whether there is a next one.
      const found = await listAudit(pool, workspaceId, query, before, limit + 1);
      const page = found.slice(0, limit);
      const nextCursor = found.length > limit ? cursors.encode(listId, textOf(page.at(-1)!)) : null;
      const body: AuditList = {
        data: page.map(toObject),
        pagination: { limit, cursor: cursor ?? null, nextCursor },
      };
      return { body };
    },
  });
