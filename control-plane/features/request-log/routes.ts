/** /api/qr/request-logs: the requests of a workspace, and one of them. */
import {
  type RequestLogEntry,
  type RequestLogQuery,
  requestLogQuery,
  type WholeRequestLogEntry,
} from '#schemas/api/request-logs.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { TextCursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { createFairGate } from '../../platform/fair-queue/fair-gate.ts';
import { listRequestLogsDocs, readRequestLogDocs } from './docs.ts';
import { findRow, type LogPosition, listRows, type StoredRow } from './store.ts';

export interface RequestLogOptions {
  clickhouse: ClickHouseClient;
  cursors: TextCursors;
}

/** A page of a large workspace may read for a second: workspaces take turns, and leave connections to analytics. */
const reading = {
  runningMax: 3,
  waitingMax: 64,
  waitingPerTenantMax: 8,
  waitMsMax: 4_000,
  messages: {
    tenantFull: 'Too many of your reads of the log of requests are waiting; send fewer at once',
    busy: 'The log of requests is being read too much; try again shortly',
  },
};

const entryOf = (row: StoredRow): RequestLogEntry => ({
  id: row.request_id,
  at: row.at,
  method: row.method,
  route: row.route,
  path: row.path,
  status: row.status,
  errorCode: row.error_code || null,
  errorParam: row.error_param || null,
  durationMs: row.duration_ms,
  keyId: row.key_id,
  network: row.network || null,
  idempotencyKeySent: row.idempotency_key,
});

const wholeEntryOf = (row: StoredRow): WholeRequestLogEntry => ({
  ...entryOf(row),
  errorMessage: row.error_message || null,
  requestBody: row.body === '' ? null : JSON.parse(row.body),
});

/** A cursor continues the list with these filters, and no other. */
const listIdOf = (workspaceId: string, { limit: _, cursor: __, ...filter }: RequestLogQuery): string =>
  `${workspaceId} ${JSON.stringify(filter)}`;

const positionOf = (text: string): LogPosition => {
  const [at = '', seq = ''] = text.split('/');
  return { at, seq };
};

const requireOrder = ({ from, to }: RequestLogQuery): void => {
  if (from && to && from >= to)
    throw new ClientError(
      'INVALID_REQUEST',
      `to must be later than from; given: ${quoted(to.toISOString())}`,
    );
};

export const createRequestLogOperations = ({ clickhouse, cursors }: RequestLogOptions): Operation[] => {
  const gate = createFairGate(reading);
  return [
    operation({
      method: 'get',
      path: '/api/qr/request-logs',
      query: requestLogQuery,
      docs: listRequestLogsDocs,
      async handle({ principal: { workspaceId }, query }) {
        requireOrder(query);
        const { limit, cursor, ...filter } = query;
        const listId = listIdOf(workspaceId, query);
        const before = cursor === undefined ? undefined : positionOf(cursors.decode(listId, cursor));
        // One extra row tells whether there is a next page.
        const page = { filter, before, limit: limit + 1 };
        const found = await gate.pass({ tenant: workspaceId, cost: 1 }, () =>
          listRows(clickhouse, workspaceId, page),
        );
        const rows = found.slice(0, limit);
        const last = found.length > limit ? rows.at(-1) : undefined;
        const nextCursor = last ? cursors.encode(listId, `${last.at}/${last.seq}`) : null;
        return {
          body: { data: rows.map(entryOf), pagination: { limit, cursor: cursor ?? null, nextCursor } },
        };
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/request-logs/:requestId',
      docs: readRequestLogDocs,
      async handle({ principal: { workspaceId }, params: { requestId = '' } }) {
        const row = await gate.pass({ tenant: workspaceId, cost: 1 }, () =>
          findRow(clickhouse, workspaceId, requestId),
        );
        if (!row)
          throw new ClientError(
            'NOT_FOUND',
            `There is no request with the id ${quoted(requestId)} in the log`,
          );
        return { body: wholeEntryOf(row) };
      },
    }),
  ];
};
