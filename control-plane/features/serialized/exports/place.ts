/** Whether a workspace may begin another export. */
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import type { JobKind } from '../../../jobs/kind.ts';
import { countUnfinished } from '../../../jobs/store.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { requireRoom, roomOf } from './room.ts';
import { sumKept } from './store/exports.ts';

/** Exports of one kind of a workspace that wait or are worked on: they are done one after the other. */
const unfinishedMax = 20;
const retryAfterSeconds = 10;

/**
 * @param db in a transaction that holds `lockKept` it is certain; before, it spares the work for a refused call
 * @throws {ClientError} RATE_LIMITED if too many are unfinished; PLAN_LIMIT_REACHED if too much is kept
 */
export const requirePlace = async (
  db: Queryable,
  principal: Principal,
  kind: Pick<JobKind, 'name' | 'lane'>,
): Promise<void> => {
  const { workspaceId } = principal;
  if ((await countUnfinished(db, workspaceId, kind)) >= unfinishedMax)
    throw new ClientError(
      'RATE_LIMITED',
      `At most ${unfinishedMax} exports of a workspace may be unfinished; wait for one, or cancel one`,
      { retryAfterSeconds },
    );
  requireRoom(await sumKept(db, workspaceId), roomOf(principal));
};
