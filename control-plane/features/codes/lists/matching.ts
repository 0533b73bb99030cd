/** The codes that match filters, for changes of many: found once, and looked at again before each is changed. */
import { type CodeFilters, countedMax } from '#schemas/api/code-lists.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { countCodes } from '../store/list.ts';
import { type Conditions, findConditions, isCounted } from './conditions.ts';
import {
  all,
  countAmongNewest,
  inBoundedRead,
  manyMin,
  sampledMax,
  statement,
  useOnlyIndexOfFilters,
} from './reads.ts';
import type { InTurn } from './turns.ts';

/** Longer than a list may take: as many as 50,000 codes are found, of a million. */
const timeoutMs = 3_000;

/**
 * If few codes match, the index of the filters has them; along the order of creation, all codes of the workspace would be
 * read.
 */
const choosePlan = async (
  tx: Transaction,
  query: { workspaceId: string; conditions: Conditions },
  filters: CodeFilters,
): Promise<void> => {
  if (isCounted(filters) || (await countCodes(tx, query.workspaceId, {})) <= countedMax) return;
  if ((await countAmongNewest(tx, query, sampledMax)) < manyMin) await useOnlyIndexOfFilters(tx);
};

/**
 * The ids of the codes that match, as they are at one moment, in the order of their creation.
 * @param max one more than that is found if there are more
 * @throws {ClientError} UNAVAILABLE if that takes too long; RATE_LIMITED if too many wait
 */
export const findMatching = async (
  pool: Pool,
  inTurn: InTurn,
  workspaceId: string,
  filters: CodeFilters,
  max: number,
): Promise<string[]> => {
  const conditions = await findConditions(pool, workspaceId, filters);
  const read = async (tx: Transaction): Promise<string[]> => {
    await choosePlan(tx, { workspaceId, conditions }, filters);
    const { rows } = await tx.query<{ id: string }>(
      statement(
        workspaceId,
        (bind, workspace) => `SELECT codes.id FROM codes WHERE codes.workspace_id = ${workspace}
          ${all(conditions(bind))} ORDER BY codes.seq LIMIT ${max + 1}`,
      ),
    );
    return rows.map(({ id }) => id);
  };
  return inTurn(workspaceId, () => inBoundedRead(pool, read, timeoutMs));
};

/**
 * Locks those of some codes that match, until the transaction ends: none of them stops to match before.
 * @returns their ids
 */
export const lockMatching = async (
  tx: Transaction,
  workspaceId: string,
  conditions: Conditions,
  ids: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await tx.query<{ id: string }>(
    statement(
      workspaceId,
      // In the order of their ids, so that two transactions cannot deadlock.
      (bind, workspace) => `SELECT codes.id FROM codes WHERE codes.workspace_id = ${workspace}
        AND codes.id = ANY(${bind(ids)})${all(conditions(bind))} ORDER BY codes.id FOR NO KEY UPDATE OF codes`,
    ),
  );
  return new Set(rows.map(({ id }) => id));
};
