/** For tests: finished deliveries, without sending them. */
import type { Pool } from '../../../platform/db/pool.ts';

/** Moves deliveries of a webhook from the queue to the log, with one attempt. */
export const finishDeliveries = async (
  pool: Pool,
  webhookId: string,
  status: 'succeeded' | 'failed',
  ids?: readonly string[],
): Promise<void> => {
  const attempt = {
    at: new Date().toISOString(),
    status: status === 'failed' ? 500 : 204,
    durationMs: 3,
    error: null,
    response: '',
  };
  await pool.query(
    `WITH gone AS (DELETE FROM webhook_queue WHERE webhook_id = $1 AND ($2::text[] IS NULL OR id = ANY ($2)) RETURNING *)
     INSERT INTO webhook_deliveries (id, placed_at, webhook_id, event_id, type, batch, status, attempts, created_at)
     SELECT id, placed_at, webhook_id, event_id, type, batch, $3, $4, created_at FROM gone`,
    [webhookId, ids ?? null, status, JSON.stringify([attempt])],
  );
};
