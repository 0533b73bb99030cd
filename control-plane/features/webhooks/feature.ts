/** Webhooks: who is told of which events, what each was sent, and what it answered. */
import type { Feature } from '../../feature.ts';

export const webhooks: Feature = {
  name: 'webhooks',
  tables: ['webhooks', 'webhook_events', 'webhook_queue', 'webhook_deliveries'],
  events: ['webhook.paused', 'scan.created'],
};
