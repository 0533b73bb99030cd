/** Webhooks: subscriptions to events, their deliveries, and the answers. */
import type { Feature } from '../../framework/feature.ts';
import { openDelivery } from './delivery/open-delivery.ts';
import { createFanOut } from './queue/fan-out.ts';
import { secretKeyPurpose } from './queue/secrets.ts';
import { collectScans } from './scans/collected-scans.ts';

export const webhooks: Feature = {
  name: 'webhooks',
  tables: [
    'webhooks',
    'webhook_events',
    'webhook_queue',
    'webhook_deliveries',
    'webhook_unanswered_attempts',
  ],
  keyPurposes: [secretKeyPurpose],
  events: ['webhook.paused'],
  consumers: [createFanOut(collectScans)],
  open: (services) => ({ tasks: openDelivery(services) }),
};
