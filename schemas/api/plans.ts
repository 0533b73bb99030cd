/** The plans a subscription can be on, from the smallest to the largest, and the roles a key can have. */
import { z } from 'zod';

export const plan = z.enum(['free', 'starter', 'growth', 'business', 'enterprise']);

export type Plan = z.infer<typeof plan>;

/** The API calls owners and admins workspace admins. */
export const role = z.enum(['owner', 'admin', 'member']);

export type Role = z.infer<typeof role>;

/** A cancelled subscription's keys open nothing; its codes go on redirecting. */
export const subscriptionStatus = z.enum(['active', 'past_due', 'cancelled']);

export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;

/** The resources that a plan limits. */
export const quotaNames = ['apiCalls', 'dynamicQr', 'bulkOrders'] as const;

export type QuotaName = (typeof quotaNames)[number];

/** How many calls all keys of a subscription may send together, within a time. */
export const rateNames = ['requestsPerSecond', 'bulkCallsPerMinute', 'exportsPerHour'] as const;

export type RateName = (typeof rateNames)[number];

const rate = z.int().min(1);
const quota = z.int().min(0);

/** Limits of a subscription in place of its plan's; null is without limit. */
export const limitOverrides = z.object({
  requestsPerSecond: rate.optional(),
  bulkCallsPerMinute: rate.optional(),
  exportsPerHour: rate.optional(),
  apiCalls: quota.nullable().optional(),
  dynamicQr: quota.nullable().optional(),
  bulkOrders: quota.nullable().optional(),
});

export type LimitOverrides = z.infer<typeof limitOverrides>;
