/** The subscription that pays for a workspace, as shown to its keys. */
import { z } from 'zod';
import { plan, type QuotaName, subscriptionStatus } from './plans.ts';
import { ownText } from './text.ts';

const quotaState = z.object({
  limit: z.int().nullable().describe('The limit for the period; null means unlimited.'),
  used: z.int().describe('How much is used in the period, by all workspaces of the subscription together.'),
  remaining: z.int().nullable().describe('How much is left, at least 0; null means unlimited.'),
  period: z
    .enum(['day', 'month', 'lifetime'])
    .describe('The period that the limit applies to. Periods begin at midnight UTC.'),
  resetsAt: z
    .int()
    .nullable()
    .describe('When the next period begins, in milliseconds since 1970; null for `lifetime`.'),
});

export const subscriptionObject = z
  .object({
    subscriptionId: ownText().describe(
      'The id of the subscription, `sub_…`, as in the events `subscription.*`.',
    ),
    plan: plan.describe('The plan.'),
    status: subscriptionStatus.describe('`active`, `past_due` after a failed payment, or `cancelled`.'),
    currentPeriodStart: z
      .int()
      .nullable()
      .describe('The start of the paid period, in milliseconds since 1970; null if nothing is billed.'),
    currentPeriodEnd: z
      .int()
      .nullable()
      .describe('The end of the paid period, in milliseconds since 1970; null if nothing is billed.'),
    cancelAtPeriodEnd: z.boolean().describe('Whether the subscription ends with the paid period.'),
    requestsPerSecond: z
      .int()
      .describe('How many requests per second all keys of the subscription may send together.'),
    quotas: z
      .object({
        apiCalls: quotaState.describe('Calls of the API.'),
        dynamicQr: quotaState.describe('Dynamic codes.'),
        bulkOrders: quotaState.describe('Bulk operations.'),
      } satisfies Record<QuotaName, typeof quotaState>)
      .describe('The quotas by name.'),
    capabilities: z
      .array(ownText())
      .describe('What the plan includes, by the names that `FEATURE_NOT_ON_PLAN` uses.'),
  })
  .meta({ id: 'Subscription' });

export type SubscriptionObject = z.output<typeof subscriptionObject>;
