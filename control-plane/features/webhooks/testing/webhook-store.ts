/** For tests: workspaces with webhooks in a database of their own, and the rows of the delivery tables. */
import type { StoredFilter } from '#schemas/api/webhooks.ts';
import type { Event, EventType } from '#schemas/events.ts';
import { prefixedIds } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { eventIds, type Outbox } from '../../../framework/outbox.ts';
import { createPool, type Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { exampleEvent } from '../queue/examples.ts';
import type { BatchRule } from '../queue/interested.ts';
import { createSealedSecrets, createSecret } from '../queue/secrets.ts';

export const secretsKey = Buffer.alloc(32, 7);
const secrets = createSealedSecrets(secretsKey);

export interface NewTestWebhook {
  readonly workspaceId: string;
  readonly url?: string;
  readonly events?: readonly string[];
  /** Null by default: the events of all codes. */
  readonly filter?: StoredFilter;
  readonly batch?: BatchRule;
  /** Whether its URL has ever answered 2xx; true by default. */
  readonly answered?: boolean;
}

export interface TestWebhook {
  readonly id: string;
  readonly workspaceId: string;
  readonly subscriptionId: string;
  readonly secret: string;
}

/** An unfinished delivery. */
export interface QueueRow {
  id: string;
  webhook_id: string;
  event_id: string;
  placed_at: Date;
  type: string;
  batch: { id: string; placedAt: string }[] | null;
  due_at: Date;
  lease: string | null;
  round_attempts: number;
  attempts: Attempt[];
}

/** A finished delivery. */
export interface FinishedRow {
  id: string;
  webhook_id: string;
  event_id: string;
  type: string;
  status: 'succeeded' | 'failed';
  attempts: Attempt[];
}

export interface Attempt {
  at: string;
  status: number | null;
  durationMs: number;
  error: string | null;
  response: string | null;
}

export interface WebhookRow {
  status: 'active' | 'paused';
  paused_reason: string | null;
  paused_at: Date | null;
  failing_since: Date | null;
  last_failed_at: Date | null;
  overflowing_since: Date | null;
  answered_at: Date | null;
}

const ids = prefixedIds('wh');

const addWebhook = async (pool: Pool, webhook: NewTestWebhook): Promise<TestWebhook> => {
  const {
    workspaceId,
    url = 'http://127.0.0.1:9/',
    events = ['*'],
    filter,
    batch,
    answered = true,
  } = webhook;
  const id = ids.create();
  const secret = createSecret();
  const { rows } = await pool.query<{ subscription_id: string }>(
    `WITH added AS (
       INSERT INTO webhooks (id, workspace_id, url, events, secret, batch, answered_at, filter)
       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7 THEN now() END, $8)
     ) SELECT subscription_id FROM workspaces WHERE id = $2`,
    [id, workspaceId, url, events, secrets.seal(id, secret), batch ?? null, answered, filter ?? null],
  );
  return { id, workspaceId, subscriptionId: rows[0]!.subscription_id, secret };
};

/** Opens a database of its own. */
export const openWebhookStore = async () => {
  const databaseUrl = await createTestDatabase();
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 6);
  afterFile(() => pool.end());
  return {
    databaseUrl,
    pool,
    async workspace(): Promise<string> {
      return (await createWorkspace(pool, 'test', 'enterprise')).workspaceId;
    },
    webhook: (webhook: NewTestWebhook) => addWebhook(pool, webhook),
    /** An event that has not been emitted. */
    event: (type: EventType, workspaceId: string, occurredAt = new Date()): Event =>
      exampleEvent(type, { id: eventIds.create(), workspaceId, occurredAt }),
    emit: (outbox: Outbox, events: readonly Event[]) => inTransaction(pool, (tx) => outbox.emit(tx, events)),
    /** Deliveries of the webhooks, in the order in which they are due. */
    async queued(...webhookIds: string[]): Promise<QueueRow[]> {
      const text = 'SELECT * FROM webhook_queue WHERE webhook_id = ANY ($1) ORDER BY due_at, id';
      return (await pool.query<QueueRow>(text, [webhookIds])).rows;
    },
    async finished(...webhookIds: string[]): Promise<FinishedRow[]> {
      const text = 'SELECT * FROM webhook_deliveries WHERE webhook_id = ANY ($1) ORDER BY finished_at, id';
      return (await pool.query<FinishedRow>(text, [webhookIds])).rows;
    },
    async stored(workspaceId: string) {
      const text = 'SELECT * FROM webhook_events WHERE workspace_id = $1 ORDER BY placed_at, id';
      return (await pool.query(text, [workspaceId])).rows;
    },
    async found(webhookId: string): Promise<WebhookRow> {
      return (await pool.query<WebhookRow>('SELECT * FROM webhooks WHERE id = $1', [webhookId])).rows[0]!;
    },
  };
};

export type WebhookStore = Awaited<ReturnType<typeof openWebhookStore>>;
