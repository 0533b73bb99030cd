/** /api/webhooks. Every member of the workspace sees them; admins manage them. */
import { createWebhookBody, updateWebhookBody, type WebhookObject } from '#schemas/api/webhooks.ts';
import { ClientError } from '#shared/errors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { isForbiddenTarget } from '../../../platform/outgoing/safe-fetch.ts';
import { createSecret, type SealedSecrets } from '../queue/secrets.ts';
import type { ChangeWebhooks } from './change.ts';
import {
  createWebhookDocs,
  deleteWebhookDocs,
  listWebhooksDocs,
  notPublic,
  readWebhookDocs,
  rotateSecretDocs,
  updateWebhookDocs,
} from './docs.ts';
import { toFilter } from './filters.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
  type StoredWebhook,
  updateWebhook,
  webhookIds,
} from './store.ts';

const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null;

const toWebhookObject = (webhook: StoredWebhook): WebhookObject => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  events: webhook.events,
  filter: webhook.filter && toFilter(webhook.filter),
  batch: webhook.batch,
  status: webhook.status,
  pausedReason: webhook.pausedReason,
  pausedAt: iso(webhook.pausedAt),
  failingSince: iso(webhook.failingSince),
  overflowingSince: iso(webhook.overflowingSince),
  previousSecretExpiresAt: iso(webhook.previousSecretExpiresAt),
  createdAt: webhook.createdAt.toISOString(),
  updatedAt: webhook.updatedAt.toISOString(),
});

export interface WebhookOptions {
  pool: Pool;
  secrets: SealedSecrets;
  isAllowedAddress(address: string): boolean;
  change: ChangeWebhooks;
}

export const webhooksPath = '/api/webhooks';
export const webhookPath = `${webhooksPath}/:webhookId`;

/**
 * Host names are checked only when they are resolved for a delivery, except `localhost`.
 * @throws {ClientError} UNPROCESSABLE for an address that is not public
 */
const checkUrl = (url: string | undefined, isAllowed: (address: string) => boolean): void => {
  if (url !== undefined && isForbiddenTarget(new URL(url), isAllowed))
    throw new ClientError('UNPROCESSABLE', notPublic);
};

const createReadOperations = ({ pool }: WebhookOptions): Operation[] => [
  operation({
    method: 'get',
    path: webhooksPath,
    docs: listWebhooksDocs,
    async handle({ principal: { workspaceId } }) {
      return { body: { webhooks: (await listWebhooks(pool, workspaceId)).map(toWebhookObject) } };
    },
  }),
  operation({
    method: 'get',
    path: webhookPath,
    docs: readWebhookDocs,
    async handle({ principal: { workspaceId }, params: { webhookId = '' } }) {
      return { body: toWebhookObject(await findWebhook(pool, workspaceId, webhookId)) };
    },
  }),
];

const createCreateOperation = ({ secrets, isAllowedAddress, change }: WebhookOptions): Operation =>
  operation({
    method: 'post',
    path: webhooksPath,
    access: 'admin',
    body: createWebhookBody,
    docs: createWebhookDocs,
    // No idempotency key: it would store the answer, and with it the secret.
    async handle({ principal: { workspaceId }, body }) {
      checkUrl(body.url, isAllowedAddress);
      const id = webhookIds.create();
      const secret = createSecret();
      const sealed = secrets.seal(id, secret);
      const made = await change(workspaceId, (tx) =>
        createWebhook(tx, { ...body, id, workspaceId, secret: sealed }),
      );
      return { status: 201, body: { ...toWebhookObject(made), secret } };
    },
  });

const createRotateOperation = ({ pool, secrets }: WebhookOptions): Operation =>
  operation({
    method: 'post',
    path: `${webhookPath}/rotate-secret`,
    access: 'admin',
    docs: rotateSecretDocs,
    async handle({ principal: { workspaceId }, params: { webhookId = '' } }) {
      const secret = createSecret();
      const expiresAt = await rotateSecret(pool, workspaceId, webhookId, secrets.seal(webhookId, secret));
      return { body: { secret, previousSecretExpiresAt: expiresAt.toISOString() } };
    },
  });

export const createWebhookOperations = (options: WebhookOptions): Operation[] => {
  const { change, isAllowedAddress } = options;
  return [
    createCreateOperation(options),
    ...createReadOperations(options),
    operation({
      method: 'patch',
      path: webhookPath,
      access: 'admin',
      body: updateWebhookBody,
      docs: updateWebhookDocs,
      async handle({ principal: { workspaceId }, params: { webhookId = '' }, body }) {
        checkUrl(body.url, isAllowedAddress);
        const changed = await change(workspaceId, (tx) => updateWebhook(tx, workspaceId, webhookId, body));
        return { body: toWebhookObject(changed) };
      },
    }),
    operation({
      method: 'delete',
      path: webhookPath,
      access: 'admin',
      docs: deleteWebhookDocs,
      async handle({ principal: { workspaceId }, params: { webhookId = '' } }) {
        await change(workspaceId, (tx) => deleteWebhook(tx, workspaceId, webhookId));
        return { status: 204 };
      },
    }),
    createRotateOperation(options),
  ];
};
