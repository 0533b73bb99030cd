/** Removes the rows of the queue whose webhook was deleted. Deleting a webhook does not wait for them: there may be a million. */
import type { Queryable } from '../../../db/pool.ts';
import { queuedWebhooks } from './expired.ts';

/** Rows that one statement removes: it takes some ten milliseconds. */
const sliceRows = 2_000;

const deleteSlice = async (db: Queryable): Promise<number> => {
  const { rowCount } = await db.query(
    `${queuedWebhooks}
     DELETE FROM webhook_queue WHERE id = ANY (ARRAY(
       SELECT orphan.id FROM queued, LATERAL (
         SELECT id FROM webhook_queue q WHERE q.webhook_id = queued.webhook_id LIMIT ${sliceRows}
       ) orphan
       WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = queued.webhook_id) LIMIT ${sliceRows}))`,
  );
  return rowCount ?? 0;
};

export const removeOrphans = async (db: Queryable): Promise<void> => {
  while ((await deleteSlice(db)) === sliceRows);
};
