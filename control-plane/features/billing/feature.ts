/** Subscriptions as the payment provider, or the operator, sets them. */
import type { Feature } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import type { Billing } from './apply-event.ts';
import { applyKnownPrices } from './known-prices.ts';
import { createReadSubscription } from './read-subscription.ts';
import { createStripeOperation, deliveryOutcomes } from './routes.ts';
import { deleteOldEvents } from './store/events.ts';
import { createReadSigned, type ReadSigned } from './stripe/signature.ts';
import { billingVerbs } from './verbs.ts';

/** Stripe resends an event for 3 days, and on an operator's request for 30. */
const keptDays = 90;
const deletedAtOnceMax = 10_000;

/** The package is large: it is loaded only to take payments. */
const openReadSigned = async ({ config }: Services): Promise<ReadSigned | undefined> => {
  const { webhookSecrets } = config.stripe;
  if (webhookSecrets.length === 0) return undefined;
  const { default: stripe } = await import('stripe');
  return createReadSigned(stripe.webhooks, webhookSecrets);
};

export const billing: Feature = {
  name: 'billing',
  tables: ['billing_subscriptions', 'billing_events', 'billing_blocks'],
  events: [
    'subscription.activated',
    'subscription.renewed',
    'subscription.cancelled',
    'subscription.payment_failed',
    'subscription.plan_changed',
    'subscription.refunded',
  ],
  verbs: billingVerbs,
  async open(services) {
    const { pool, outbox, logger, metrics, config } = services;
    const state: Billing = { outbox, plans: config.stripe.plans };
    await applyKnownPrices(pool, state, logger);
    const onTaken = metrics.counter(
      'billing_events_total',
      'Events of the payment provider, by what became of them',
      'outcome',
      deliveryOutcomes,
    );
    const readSigned = await openReadSigned(services);
    return {
      operations: [
        createReadSubscription(pool),
        createStripeOperation({ pool, billing: state, readSigned, onTaken, logger }),
      ],
      tasks: [
        {
          task: 'delete-old-billing-events',
          schedule: '40 3 * * *',
          async run() {
            while ((await deleteOldEvents(pool, keptDays, deletedAtOnceMax)) === deletedAtOnceMax);
          },
        },
      ],
    };
  },
};
