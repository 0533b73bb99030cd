/** The start of a checked import: from then on codes are made. */
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import { periodStart, planLimitReached, quotas } from '../../../api/access/plans.ts';
import type { Reply } from '../../../api/idempotency/reply.ts';
import type { ConsumeQuota, Create } from '../../../api/idempotency/request.ts';
import { noteSubject } from '../../../platform/db/actions.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { toWholeObject } from '../objects.ts';
import {
  beginRun,
  findImport,
  importRunIds,
  lockImport,
  type RowQuota,
  type StoredImport,
  statusOf,
} from '../store/imports.ts';
import { requireAliases } from './limits.ts';
import { readPlace } from './place.ts';

const why: Readonly<Record<string, string>> = {
  checking: 'is still being checked: wait until its status is checked',
  importing: 'was started already',
  completed: 'is completed',
  failed: 'has failed: upload the file again',
  cancelled: 'was cancelled: upload the file again',
};

/** @throws {ClientError} CONFLICT */
const requireStartable = (found: StoredImport): void => {
  const status = statusOf(found);
  if (status !== 'checked') throw new ClientError('CONFLICT', `${found.id} ${why[status]}`);
  if (found.ready === 0)
    throw new ClientError(
      'CONFLICT',
      `${found.id} has no row that can be imported: see its rows for the reasons`,
    );
};

/** One of each row. @throws {ClientError} PLAN_LIMIT_REACHED */
const useQuota = async (
  tx: Transaction,
  consumeQuota: ConsumeQuota,
  { subscriptionId, terms }: Principal,
  rows: number,
): Promise<RowQuota | undefined> => {
  const limit = terms.quotas.dynamicQr;
  if (limit === null) return undefined;
  const now = new Date();
  const period = {
    subscriptionId,
    capability: 'dynamicQr' as const,
    periodStart: periodStart(quotas.dynamicQr.period, now),
  };
  const used = await consumeQuota(tx, period, rows, limit);
  if (used !== undefined) throw planLimitReached('dynamicQr', limit, used, now, { ...terms, amount: rows });
  return { quota: 'dynamicQr', periodStart: period.periodStart };
};

export const createStart =
  (pool: Pool, consumeQuota: ConsumeQuota) =>
  (principal: Principal, id: string, create: Create): Promise<Reply> => {
    const { workspaceId } = principal;
    return create({
      // It reads on another connection.
      isLong: true,
      async prepare() {
        const found = await findImport(pool, workspaceId, id);
        requireStartable(found);
        await readPlace(pool, workspaceId, found.domain);
        await requireAliases(pool, found);
      },
      async effect(tx) {
        const found = await lockImport(tx, workspaceId, id);
        requireStartable(found);
        const quota = await useQuota(tx, consumeQuota, principal, found.ready);
        const begun = await beginRun(tx, found, importRunIds.create(), quota);
        noteSubject({ resourceId: id });
        return { status: 202, body: toWholeObject(begun, null) };
      },
    });
  };
