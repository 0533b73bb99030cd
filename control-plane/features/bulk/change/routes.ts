/** /api/qr/codes/bulk/changes, and what became of the codes. */
import { z } from 'zod';
import {
  type BulkChangeBody,
  type BulkChangeReport,
  type BulkRowList,
  bulkRowsQuery,
  changedCodesMax,
  createBulkChangeBody,
  sampleMax,
} from '#schemas/api/bulk-changes.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import { bodyLimits } from '../../../api/http/body.ts';
import type { TextCursors } from '../../../api/http/cursors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import { validateBody } from '../../../api/http/validation.ts';
import { cancelJob, shownEnd } from '../../../jobs/store.ts';
import { isNoChange } from '../../../platform/db/actions.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import type { PrepareSameChange } from '../../codes/batch/same-change.ts';
import { requireFuture } from '../../codes/expiry.ts';
import { findMatching } from '../../codes/lists/matching.ts';
import type { InTurn } from '../../codes/lists/turns.ts';
import type { KindName } from '../engine/kind.ts';
import { progressOf } from '../engine/progress.ts';
import { findOperation, type StoredOperation } from '../engine/store/operations.ts';
import { type DoneEntry, readDoneRows } from '../engine/store/results.ts';
import type { Submit } from '../engine/submission.ts';
import { bulkRowsDocs, cancelChangeDocs, changeDocs } from './docs.ts';
import type { ChangeOptions } from './kind.ts';
import { requirePlace } from './place.ts';

export interface ChangeRoutesOptions {
  pool: Pool;
  inTurn: InTurn;
  prepareChange: PrepareSameChange;
  submit: Submit;
  cursors: TextCursors;
  qrHost: string;
  locationOf(bulkId: string): string;
}

/** The message of a refused field begins with its path. */
const inPatch = (error: unknown): unknown =>
  error instanceof ClientError &&
  error.code === 'UNPROCESSABLE' &&
  error.faults === undefined &&
  !error.message.startsWith('patch.')
    ? new ClientError(error.code, `patch.${error.message}`, { cause: error, fault: error.fault })
    : error;

/** What would be refused for every code alike. @throws {ClientError} naming the field */
const requireApplicable = async (
  prepareChange: PrepareSameChange,
  { workspaceId }: Principal,
  body: BulkChangeBody,
): Promise<void> => {
  try {
    requireFuture('expiresAt', body.patch?.expiresAt, new Date());
    await prepareChange(workspaceId, body, true);
  } catch (error) {
    throw body.action === 'update' ? inPatch(error) : error;
  }
};

const requireExpected = ({ expectedCount }: BulkChangeBody, total: number): void => {
  if (expectedCount === undefined || expectedCount === total) return;
  throw new ClientError(
    'CONFLICT',
    `expectedCount must be the number of codes that match; given: ${expectedCount}, and ${total} match now`,
    { fields: { total } },
  );
};

/** @throws {ClientError} UNPROCESSABLE naming filter */
const requireSome = (total: number): void => {
  if (total === 0) throw new ClientError('UNPROCESSABLE', 'filter must match a code; none matches');
};

const requireBounded = (ids: readonly string[]): void => {
  if (ids.length <= changedCodesMax) return;
  throw new ClientError(
    'UNPROCESSABLE',
    `filter must match at most ${changedCodesMax} codes, and more match: change them by parts, such as by createdBefore`,
  );
};

const changes: readonly KindName[] = ['change'];

const entryOf = ({ uid, result }: DoneEntry): BulkRowList['data'][number] =>
  ({ uid, ...result }) as BulkRowList['data'][number];

const createRowsOperation = ({ pool, cursors }: ChangeRoutesOptions): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/codes/bulk/:bulkId/rows',
    query: bulkRowsQuery,
    docs: bulkRowsDocs,
    async handle({ principal: { workspaceId }, params: { bulkId = '' }, query: { limit, cursor, status } }) {
      const found = await findOperation(pool, workspaceId, bulkId, changes);
      requireKept(found);
      const listId = `${bulkId} ${status ?? 'all'}`;
      const after = cursor === undefined ? -1 : Number(cursors.decode(listId, cursor));
      const read = await readDoneRows(pool, bulkId, { after, status, limit: limit + 1 });
      const page = read.slice(0, limit);
      const nextCursor = read.length > limit ? cursors.encode(listId, `${page.at(-1)!.position}`) : null;
      const body: BulkRowList = {
        status: shownEnd(found).status,
        data: page.map(entryOf),
        pagination: { limit, cursor: cursor ?? null, nextCursor },
      };
      return { body };
    },
  });

/** @throws {ClientError} NOT_FOUND if the result is not kept any more */
export const requireKept = ({ id, removedAt }: StoredOperation): void => {
  if (removedAt)
    throw new ClientError(
      'NOT_FOUND',
      `The result of ${id} was kept for 7 days, until ${removedAt.toISOString()}`,
    );
};

const createCancelOperation = ({ pool }: ChangeRoutesOptions): Operation =>
  operation({
    method: 'delete',
    path: '/api/qr/codes/bulk/:bulkId',
    docs: cancelChangeDocs,
    async handle({ principal: { workspaceId }, params: { bulkId = '' } }) {
      await findOperation(pool, workspaceId, bulkId, changes);
      await inTransaction(pool, async (tx) => {
        if (!(await cancelJob(tx, bulkId))) isNoChange(tx);
      });
      return { body: progressOf(await findOperation(pool, workspaceId, bulkId, changes)) };
    },
  });

export const createChangeOperations = (options: ChangeRoutesOptions): Operation[] => {
  const { pool, inTurn, prepareChange, submit, qrHost, locationOf } = options;
  const schema = createBulkChangeBody(qrHost);
  return [
    operation({
      method: 'post',
      path: '/api/qr/codes/bulk/changes',
      callLimit: 'bulk',
      // It is stored as it was sent.
      body: z.unknown(),
      bodyLimit: bodyLimits.code,
      creates: { quota: 'bulkOrders' },
      docs: changeDocs(schema),
      async handle({ principal, body: sent, create }) {
        const body = validateBody(schema, sent);
        const { workspaceId } = principal;
        const ids = await findMatching(pool, inTurn, workspaceId, body.filter, changedCodesMax);
        const total = ids.length;
        const check = async () => {
          await requireApplicable(prepareChange, principal, body);
          requireBounded(ids);
          requireExpected(body, total);
        };
        if (body.dryRun) {
          await check();
          const report: BulkChangeReport = { dryRun: true, total, sample: ids.slice(0, sampleMax) };
          return { body: report };
        }
        const stored: ChangeOptions = { sent };
        return submit({
          principal,
          create,
          kind: 'change',
          rows: ids.map((uid) => ({ uid })),
          options: stored,
          // Not earlier: a repeated call gets its first answer, although other codes match now.
          async check() {
            await check();
            requireSome(total);
            await requirePlace(pool, workspaceId);
          },
          locationOf,
        });
      },
    }),
    createRowsOperation(options),
    createCancelOperation(options),
  ];
};
