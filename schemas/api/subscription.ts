/** The subscription that pays for a workspace, as shown to its keys. */
import { z } from 'zod';
import { described } from './described.ts';
import { plan, quotaNames, subscriptionStatus } from './plans.ts';
import { fullRecord, ownText } from './text.ts';

const quotaState = z.object(
  described(
    {
      limit: z.int().nullable(),
      used: z.int(),
      remaining: z.int().nullable(),
      period: z.enum(['day', 'month', 'lifetime']),
      resetsAt: z.int().nullable(),
    },
    {
      limit: 'How many there may be in the period; null is without limit.',
      used: 'How many there are in the period, of all workspaces of the subscription.',
      remaining: 'How many are left, at least 0; null is without limit.',
      period: 'What the limit is counted over. Periods begin at midnight UTC.',
      resetsAt: 'When the next period begins, in epoch milliseconds; null for a lifetime.',
    },
  ),
);

export const subscriptionObject = z
  .object(
    described(
      {
        subscriptionId: ownText(),
        plan,
        status: subscriptionStatus,
        currentPeriodStart: z.int().nullable(),
        currentPeriodEnd: z.int().nullable(),
        cancelAtPeriodEnd: z.boolean(),
        requestsPerSecond: z.int(),
        quotas: fullRecord(quotaNames, quotaState),
        capabilities: z.array(ownText()),
      },
      {
        subscriptionId: 'Its id, `sub_…`, as the events `subscription.*` have it.',
        plan: 'The plan.',
        status: '`active`, `past_due` after a failed payment, or `cancelled`.',
        currentPeriodStart: 'The start of the paid period, in epoch milliseconds; null if nothing is billed.',
        currentPeriodEnd: 'The end of the paid period, in epoch milliseconds; null if nothing is billed.',
        cancelAtPeriodEnd: 'Whether the subscription ends with the period.',
        requestsPerSecond: 'How many requests a second all keys of the subscription may send together.',
        quotas: 'The quotas by name: `apiCalls`, `dynamicQr`, `bulkOrders`.',
        capabilities: 'What the plan unlocks, by the names that `FEATURE_NOT_ON_PLAN` uses.',
      },
    ),
  )
  .meta({ id: 'Subscription' });

export type SubscriptionObject = z.output<typeof subscriptionObject>;
