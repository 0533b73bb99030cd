/** /api/webhooks/{webhookId}/deliveries, and test deliveries. */
import { allEvents, type DeliveryObject, deliveryListQuery, testWebhookBody } from '#schemas/api/webhooks.ts';
import type { EventType } from '#schemas/events.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { TextCursors } from '../../../api/http/cursors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool, Queryable } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import { commonHeaders, testHeaders } from '../delivery/common-headers.ts';
import { bodyOf, type Enveloped, keysOf, loadEvents } from '../delivery/envelope.ts';
import { isDeliveryIdShaped } from '../queue/delivery-id.ts';
import { enqueueTest, resend } from '../queue/enqueue.ts';
import { webhookPath } from '../subscriptions/operations.ts';
import { findWebhook, type StoredWebhook } from '../subscriptions/store.ts';
import { type FoundDelivery, findDelivery, type LoggedDelivery } from './deliveries.ts';
import { listDeliveriesDocs, readDeliveryDocs, resendDocs, testWebhookDocs } from './docs.ts';
import { readLog } from './pages.ts';

/** The request of a delivery, as its owner sees it. */
interface SentRequest {
  /** The headers that are the same in every attempt. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns undefined if its events have expired */
const requestOf = async (db: Queryable, delivery: FoundDelivery): Promise<SentRequest | undefined> => {
  const enveloped: Enveloped = delivery;
  const body = bodyOf(enveloped, await loadEvents(db, keysOf(enveloped)));
  if (body === undefined) return undefined;
  return {
    headers: { ...commonHeaders, ...(delivery.test && testHeaders), 'webhook-id': delivery.id },
    body,
  };
};

/** @param isPaused whether the webhook is paused: then no attempt is due */
const toDeliveryObject = (delivery: LoggedDelivery, isPaused: boolean): DeliveryObject => ({
  id: delivery.id,
  eventId: delivery.eventId,
  type: delivery.type,
  test: delivery.test,
  status: delivery.status,
  attempts: delivery.attempts.map(({ at, status, durationMs, error, response }) => ({
    at,
    status,
    durationMs,
    error,
    response,
  })),
  nextAttemptAt: isPaused ? null : (delivery.nextAttemptAt?.toISOString() ?? null),
  createdAt: delivery.createdAt.toISOString(),
  finishedAt: delivery.finishedAt?.toISOString() ?? null,
});

export interface LogOptions {
  pool: Pool;
  cursors: TextCursors;
}

const deliveriesPath = `${webhookPath}/deliveries`;
const deliveryPath = `${deliveriesPath}/:deliveryId`;

const unknown = (id: string): ClientError =>
  new ClientError('NOT_FOUND', `There is no delivery with the id ${quoted(id)}`);

interface Found {
  webhook: StoredWebhook;
  delivery: FoundDelivery;
}

/** @throws {ClientError} as findWebhook; NOT_FOUND if the webhook has no such delivery */
const find = async (
  pool: Pool,
  workspaceId: string,
  { webhookId = '', deliveryId = '' }: Readonly<Record<string, string>>,
): Promise<Found> => {
  const webhook = await findWebhook(pool, workspaceId, webhookId);
  const delivery = isDeliveryIdShaped(deliveryId)
    ? await findDelivery(pool, webhook.id, deliveryId)
    : undefined;
  if (!delivery) throw unknown(deliveryId);
  return { webhook, delivery };
};

const toObject = ({ webhook, delivery }: { webhook: StoredWebhook; delivery: LoggedDelivery }) =>
  toDeliveryObject(delivery, webhook.status === 'paused');

const createReadOperations = ({ pool, cursors }: LogOptions): Operation[] => [
  operation({
    method: 'get',
    path: deliveriesPath,
    query: deliveryListQuery,
    docs: listDeliveriesDocs,
    async handle({ principal: { workspaceId }, params: { webhookId = '' }, query }) {
      const webhook = await findWebhook(pool, workspaceId, webhookId);
      const { deliveries, nextCursor } = await readLog(pool, cursors, webhook.id, query);
      const { limit, cursor = null } = query;
      const data = deliveries.map((delivery) => toObject({ webhook, delivery }));
      return { body: { data, pagination: { limit, cursor, nextCursor } } };
    },
  }),
  operation({
    method: 'get',
    path: deliveryPath,
    docs: readDeliveryDocs,
    async handle({ principal: { workspaceId }, params }) {
      const found = await find(pool, workspaceId, params);
      return { body: { ...toObject(found), request: (await requestOf(pool, found.delivery)) ?? null } };
    },
  }),
];

/** The default type of a test. */
const firstTypeOf = ({ events }: StoredWebhook): EventType => {
  const [first] = events;
  return first === undefined || first === allEvents ? 'scan.created' : (first as EventType);
};

const sendTest = async (
  tx: Transaction,
  { workspaceId, subscriptionId }: { workspaceId: string; subscriptionId: string },
  webhookId: string,
  type: EventType | undefined,
): Promise<Found> => {
  const webhook = await findWebhook(tx, workspaceId, webhookId);
  if (webhook.status === 'paused')
    throw new ClientError('CONFLICT', 'The webhook is paused; set its status to active first');
  const tested = { id: webhook.id, workspaceId, subscriptionId, isBatched: webhook.batch !== null };
  const { deliveryId } = await enqueueTest(tx, tested, type ?? firstTypeOf(webhook));
  return { webhook, delivery: (await findDelivery(tx, webhook.id, deliveryId))! };
};

export const createLogOperations = (options: LogOptions): Operation[] => {
  const { pool } = options;
  return [
    operation({
      method: 'post',
      path: `${webhookPath}/test`,
      access: 'admin',
      body: testWebhookBody,
      docs: testWebhookDocs,
      async handle({ principal, params: { webhookId = '' }, body: { type } }) {
        const sent = await inTransaction(pool, (tx) => sendTest(tx, principal, webhookId, type));
        return { status: 202, body: toObject(sent) };
      },
    }),
    ...createReadOperations(options),
    operation({
      method: 'post',
      path: `${deliveryPath}/resend`,
      access: 'admin',
      docs: resendDocs,
      async handle({ principal: { workspaceId }, params }) {
        const { webhook, delivery } = await find(pool, workspaceId, params);
        const resent = await inTransaction(pool, (tx) => resend(tx, webhook.id, delivery.id));
        if (resent === 'unknown') throw unknown(delivery.id);
        if (resent === 'beingSent')
          throw new ClientError('CONFLICT', 'The delivery is being sent at this moment; wait for its answer');
        return { status: 202, body: toObject(await find(pool, workspaceId, params)) };
      },
    }),
  ];
};
