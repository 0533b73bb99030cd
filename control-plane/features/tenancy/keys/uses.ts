/**
 * When keys were last used, noted in memory and written in the background.
 *
 * Accuracy: a minute, since each process notes a key at most once in it. A process that is killed loses a second's notes.
 */

import { createEntryCache } from '#shared/entry-cache.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Queryable } from '../../../platform/db/pool.ts';

const notedAgainAfterMs = 60_000;
const writeIntervalMs = 1_000;
/** As many keys as a process holds principals. */
const keysMax = 100_000;
/** Keys in one statement; the others wait for the next one. */
const batchMax = 5_000;

export interface KeyUses extends Closeable {
  /** Notes that a key is used now; costs a look into a map. */
  note(keyId: string): void;
}

/** Writes the uses, unless a minute has not passed since the one written last. */
export const writeKeyUses = async (db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> => {
  // In one order, so that two processes cannot deadlock on each other's rows. A deleted key has no row to refer to.
  const sorted = [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await db.query({
    name: 'write-key-uses',
    text: `INSERT INTO api_key_uses AS u (key_id, used_at)
           SELECT n.key_id, n.used_at FROM unnest($1::text[], $2::timestamptz[]) AS n (key_id, used_at)
           WHERE EXISTS (SELECT FROM api_keys k WHERE k.id = n.key_id)
           ON CONFLICT (key_id) DO UPDATE SET used_at = excluded.used_at
           WHERE excluded.used_at >= u.used_at + interval '1 minute'`,
    values: [sorted.map(([keyId]) => keyId), sorted.map(([, usedAt]) => usedAt)],
  });
};

export const createKeyUses = (
  write: (uses: ReadonlyMap<string, Date>) => Promise<void>,
  logger: Logger,
): KeyUses => {
  const notedAtMs = createEntryCache<string, number>(keysMax);
  const unwritten = new Map<string, Date>();
  let writing: Promise<void> = Promise.resolve();

  const writeSome = async (): Promise<void> => {
    if (unwritten.size === 0) return;
    const batch = new Map([...unwritten].slice(0, batchMax));
    await write(batch);
    for (const [keyId, usedAt] of batch) if (unwritten.get(keyId) === usedAt) unwritten.delete(keyId);
  };

  const writeSafely = (): void => {
    writing = writing
      .then(writeSome)
      .catch((error: unknown) => logger.debug({ err: error }, 'could not write when keys were used'));
  };
  const timer = setInterval(writeSafely, writeIntervalMs);

  return {
    note(keyId) {
      const nowMs = Date.now();
      const noted = notedAtMs.get(keyId);
      if (noted !== undefined && nowMs - noted < notedAgainAfterMs) return;
      if (unwritten.size >= keysMax && !unwritten.has(keyId)) return;
      notedAtMs.set(keyId, nowMs);
      unwritten.set(keyId, new Date(nowMs));
    },
    async close() {
      clearInterval(timer);
      writeSafely();
      await writing;
    },
  };
};
