/** Operator verbs about GS1 keys. */
import { NothingFound, requireFlag, UsageError, type Verb } from '../../framework/verb.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { readEntryPath } from './entry-path.ts';
import { changeKey } from './keys.ts';

/**
 * Moves a key with its entries. Its batches stay and keep the key: serials, including unknown ones, are verified until
 * the last batch is gone. An entry of the new workspace at a serial answers instead of the verification.
 * @returns how many entries were moved
 */
const moveKey = (pool: Pool, key: string, workspaceId: string): Promise<number> =>
  inTransaction(pool, async (tx) => {
    const target = await tx.query('SELECT FROM workspaces WHERE id = $1', [workspaceId]);
    if (target.rowCount === 0) throw new NothingFound(`There is no workspace ${workspaceId}`);
    const moved = await tx.query(
      'UPDATE gs1_keys SET workspace_id = $2 WHERE key = $1 AND workspace_id IS NOT NULL',
      [key, workspaceId],
    );
    if (moved.rowCount === 0) throw new NothingFound(`No workspace has the GS1 key ${key}`);
    const { rowCount } = await tx.query('UPDATE gs1_entries SET workspace_id = $2 WHERE key = $1', [
      key,
      workspaceId,
    ]);
    await changeKey(tx, key, {});
    return rowCount ?? 0;
  });

/** @throws {UsageError} */
const keyIn = (given: string): string => {
  try {
    return readEntryPath('--key', given).key;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

export const gs1Verbs: Readonly<Record<string, Verb>> = {
  'move-gs1-key': {
    synopsis: '--key /01/<gtin> --workspace <id>',
    help: [
      'gives a GS1 primary key and its entries to another workspace; batches of serialized items stay where they are',
      'their units go on verifying, and an unknown serial stays not known; entries of the new workspace at serials of its own are resolved',
      'in effect within three seconds while a control plane and Redis run',
    ],
    flags: ['key', 'workspace'],
    async run(flags, { pool }) {
      const key = keyIn(requireFlag(flags, 'key'));
      const workspaceId = requireFlag(flags, 'workspace');
      return [{ key, workspaceId, entries: await moveKey(pool, key, workspaceId) }];
    },
  },
};
