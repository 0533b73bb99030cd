/** Webhooks as the API shows them. */
import type { WebhookObject } from '#schemas/api/webhooks.ts';
import type { StoredWebhook } from './store.ts';

const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null;

export const toWebhookObject = (webhook: StoredWebhook): WebhookObject => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  events: webhook.events,
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
