/** Ends an import that its owner does not want any more, and removes one that has ended. */
import { ClientError } from '#shared/errors.ts';
import { cancelJob } from '../../../jobs/store.ts';
import { isNoChange, noteSubject } from '../../../platform/db/actions.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import {
  findImport,
  lockImport,
  removeImport,
  type StoredImport,
  setCancelled,
  statusOf,
} from '../store/imports.ts';
import { giveBackRest } from './kinds.ts';

/**
 * The codes that were made stay. What was taken of the quota for the others is given back.
 * @returns the import as it is then; it may have been cancelled before
 * @throws {ClientError} NOT_FOUND, FORBIDDEN; CONFLICT if it has ended otherwise
 */
export const cancelImport = async (pool: Pool, workspaceId: string, id: string): Promise<StoredImport> => {
  const seen = await findImport(pool, workspaceId, id);
  const jobId = seen.runId ?? seen.id;
  await inTransaction(pool, async (tx) => {
    noteSubject({ resourceId: id });
    // Before the import is locked: a slice locks its job first. It waits for the slice that is being stored.
    const wasWorking = await cancelJob(tx, jobId);
    if (wasWorking && seen.runId !== null) await giveBackRest(tx, jobId);
    const found = await lockImport(tx, workspaceId, id);
    if (found.cancelledAt) return isNoChange(tx);
    if ((found.runId ?? found.id) !== jobId)
      throw new ClientError('CONFLICT', `${id} was started at this moment; try again`);
    if (!wasWorking && statusOf(found) !== 'checked')
      throw new ClientError('CONFLICT', `${id} has ended already: it is ${statusOf(found)}`);
    await setCancelled(tx, id);
  });
  return findImport(pool, workspaceId, id);
};

/** @throws {ClientError} NOT_FOUND, FORBIDDEN; CONFLICT while it is worked on */
export const deleteImport = async (pool: Pool, workspaceId: string, id: string): Promise<void> => {
  await findImport(pool, workspaceId, id);
  await inTransaction(pool, async (tx) => {
    noteSubject({ resourceId: id });
    const found = await lockImport(tx, workspaceId, id);
    const status = statusOf(found);
    if (status === 'checking' || status === 'importing')
      throw new ClientError('CONFLICT', `${id} is being worked on: cancel it first`);
    await removeImport(tx, found);
  });
};
