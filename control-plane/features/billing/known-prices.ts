/** Subscriptions whose prices STRIPE_PRICES did not have, and has now: they get their plans when a process starts. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../db/pool.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Billing, link } from './apply-told.ts';
import { findPriced, lockProviderSubscription } from './store/subscriptions.ts';

/** An operator forgets a price, and not thousands of customers. */
const subscriptionsMax = 1_000;

const applyPrice = (pool: Pool, billing: Billing, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const kept = await lockProviderSubscription(tx, id);
    const { subscriptionId, unpriced } = kept;
    // Another process has started as well.
    if (subscriptionId === null || !unpriced) return;
    await link(tx, billing, { kept, subscriptionId, occurredAt: new Date() });
  });

/** One that fails leaves the others their plans. */
export const applyKnownPrices = async (pool: Pool, billing: Billing, logger: Logger): Promise<void> => {
  const ids = await findPriced(pool, [...billing.plans.keys()], subscriptionsMax);
  for (const id of ids) {
    try {
      await applyPrice(pool, billing, id);
      logger.info(
        { subscription: id },
        'a subscription of Stripe has got its plan, as its price is known now',
      );
    } catch (error) {
      logger.error({ err: error, subscription: id }, 'a subscription of Stripe could not be given its plan');
    }
  }
};
