/** What a payment provider, or the operator, says of subscriptions. */
import type { Feature } from '../../feature.ts';

export const billing: Feature = {
  name: 'billing',
  events: [
    'subscription.activated',
    'subscription.renewed',
    'subscription.cancelled',
    'subscription.payment_failed',
    'subscription.plan_changed',
    'subscription.refunded',
  ],
};
