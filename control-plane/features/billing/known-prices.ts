/** Subscriptions whose prices were missing in STRIPE_PRICES and are there now: they get their plans at start. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type Billing, link } from './apply-event.ts';
import { findPriced, lockProviderSubscription } from './store/subscriptions.ts';

/** An operator may forget a price, but not thousands of customers. */
const subscriptionsMax = 1_000;

const applyPrice = (pool: Pool, billing: Billing, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const kept = await lockProviderSubscription(tx, id);
    const { subscriptionId, unpriced } = kept;
    // Another process started as well, and was first.
    if (subscriptionId === null || !unpriced) return;
    await link(tx, billing, { kept, subscriptionId, occurredAt: new Date() });
  });

/** A failure of one does not affect the others. */
export const applyKnownPrices = async (pool: Pool, billing: Billing, logger: Logger): Promise<void> => {
  const ids = await findPriced(pool, [...billing.plans.keys()], subscriptionsMax);
  for (const id of ids) {
    try {
      await applyPrice(pool, billing, id);
      logger.info({ subscription: id }, 'a Stripe subscription got its plan: its price is known now');
    } catch (error) {
      logger.error({ err: error, subscription: id }, 'could not apply the plan of a Stripe subscription');
    }
  }
};
