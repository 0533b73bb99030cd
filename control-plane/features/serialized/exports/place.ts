/** Whether a workspace may begin another export. */
import type { SerializedJobType } from '#schemas/api/serialized.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../../access/authentication.ts';
import type { Pool } from '../../../db/pool.ts';
import { requireRoom, roomOf } from './room.ts';
import { countUnfinished } from './store/backlog.ts';
import { sumKept } from './store/exports.ts';

/** Exports of one kind of a workspace that wait or are worked on: they are done one after the other. */
const unfinishedMax = 20;
const retryAfterSeconds = 10;

/** @throws {ClientError} RATE_LIMITED where too many are unfinished; PLAN_LIMIT_REACHED where too much is kept */
export const requirePlace = async (
  pool: Pool,
  principal: Principal,
  type: SerializedJobType,
): Promise<void> => {
  const { workspaceId } = principal;
  if ((await countUnfinished(pool, workspaceId, type)) >= unfinishedMax)
    throw new ClientError(
      'RATE_LIMITED',
      `At most ${unfinishedMax} exports of a workspace may be unfinished; wait for one, or cancel one`,
      { retryAfterSeconds },
    );
  requireRoom(await sumKept(pool, workspaceId), roomOf(principal));
};
