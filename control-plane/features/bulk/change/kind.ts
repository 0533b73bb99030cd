/**
 * One change of every code that matches a filter.
 *
 * The set is fixed when the call is answered: the ids that match at that moment are the rows of the operation. So the count
 * that the caller confirmed is exact, no code joins it later, and each has one entry in the result. A cursor over the order
 * of creation would need no rows, but it would also change codes that begin to match while it is on its way, which no one
 * has counted. The price is a row of some 100 bytes for each code, and a bound.
 *
 * A code may change between the call and its turn. It is looked at again under its lock: one that does not match any more is
 * left as it is, and set aside.
 */
import { type BulkChangeBody, createBulkChangeBody } from '#schemas/api/bulk-changes.ts';
import { ClientError } from '#shared/errors.ts';
import { redirectUrl } from '#shared/redirect-url.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { RowResult } from '../../../jobs/row-ends.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { ChangeBatch } from '../../codes/batch/change-batch.ts';
import type { RowOutcome } from '../../codes/batch/rows.ts';
import type { PrepareSameChange } from '../../codes/batch/same-change.ts';
import { type Conditions, findConditions } from '../../codes/lists/conditions.ts';
import { lockMatching } from '../../codes/lists/matching.ts';
import type { PlannedChange } from '../../codes/store/change-many.ts';
import { bulkKind, type Kind } from '../engine/kind.ts';

/** Beside the rows: the body as it was sent. */
export interface ChangeOptions {
  sent: unknown;
}

export interface ChangeKindOptions {
  pool: Pool;
  prepareChange: PrepareSameChange;
  batch: Pick<ChangeBatch, 'effect'>;
  qrHost: string;
}

/** The same for all codes of a slice, but for the id. */
interface PreparedCode {
  planned: PlannedChange;
  conditions: Conditions;
}

/** Rows per slice: their codes are locked together. */
const sliceRowsMax = 100;

const noMatch = (): ClientError =>
  new ClientError('CONFLICT', 'The code does not match the filter any more, and was left as it is');

export const createChangeKind = (options: ChangeKindOptions): Kind => {
  const { pool, prepareChange, batch, qrHost } = options;
  const body = createBulkChangeBody(qrHost);

  const prepareAll = async (
    workspaceId: string,
    { filter, ...sent }: BulkChangeBody,
    ids: readonly string[],
  ): Promise<RowOutcome<PreparedCode>[]> => {
    const conditions = await findConditions(pool, workspaceId, filter);
    const { change, type, screen } = await prepareChange(workspaceId, sent, false);
    const refusals = await screen(ids);
    return ids.map((id) => {
      const error = refusals.get(id);
      return error ? { error } : { value: { planned: { id, change, type, needsStyle: false }, conditions } };
    });
  };

  return bulkKind<PreparedCode>({
    name: 'change',
    sliceRowsMax,
    async prepare({ workspaceId, options: stored }, rows) {
      try {
        const { sent } = stored as ChangeOptions;
        const ids = rows.map(({ uid }) => uid);
        return await prepareAll(workspaceId, validateBody(body, sent), ids);
      } catch (error) {
        // Such as a folder that was deleted, or a destination that was blocked meanwhile.
        if (!(error instanceof ClientError)) throw error;
        return rows.map(() => ({ error }));
      }
    },
    async effect(tx, { workspaceId }, prepared, afterCommit) {
      const planned = prepared.map(({ value }) => value.planned);
      const ids = planned.map(({ id }) => id);
      const matching = await lockMatching(tx, workspaceId, prepared[0]!.value.conditions, ids);
      const toChange = planned.filter(({ id }) => matching.has(id));
      const results = await batch.effect(tx, workspaceId, toChange, afterCommit);
      const ends = new Map<string, RowResult | ClientError>();
      for (const [at, { id }] of toChange.entries()) {
        const result = results[at]!;
        ends.set(
          id,
          result instanceof ClientError
            ? result
            : {
                status: result.isChanged ? 'updated' : 'unchanged',
                id,
                redirectUrl: redirectUrl(qrHost, result.code),
              },
        );
      }
      return ids.map((id) => ends.get(id) ?? noMatch());
    },
  });
};
