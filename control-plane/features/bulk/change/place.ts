/** Whether a workspace may begin another change of many codes. */
import { ClientError } from '#shared/errors.ts';
import { countUnfinished } from '../../../jobs/store.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { bulkLane, jobNameOf } from '../engine/store/operations.ts';

/** They are done one after the other, and each keeps its rows. Concurrent calls may exceed it by a few. */
const unfinishedMax = 10;
const retryAfterSeconds = 10;

/** @throws {ClientError} RATE_LIMITED */
export const requirePlace = async (db: Queryable, workspaceId: string): Promise<void> => {
  const unfinished = await countUnfinished(db, workspaceId, { name: jobNameOf('change'), lane: bulkLane });
  if (unfinished >= unfinishedMax)
    throw new ClientError(
      'RATE_LIMITED',
      `At most ${unfinishedMax} changes of many codes may be unfinished; wait for one, or cancel one`,
      { retryAfterSeconds },
    );
};
