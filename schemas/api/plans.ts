/** The plans of a subscription, from the smallest to the largest, and the roles of a key. */
import { z } from 'zod';

export const plan = z.enum(['free', 'starter', 'growth', 'business', 'enterprise']);

export type Plan = z.infer<typeof plan>;

/** The API calls owners and admins workspace admins. */
export const role = z.enum(['owner', 'admin', 'member']);

export type Role = z.infer<typeof role>;

/** Keys of a cancelled subscription do not work; its codes still redirect. */
export const subscriptionStatus = z.enum(['active', 'past_due', 'cancelled']);

export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;

/** The resources that a plan limits. */
export const quotaNames = ['apiCalls', 'dynamicQr', 'bulkOrders'] as const;

export type QuotaName = (typeof quotaNames)[number];

/** How many calls all keys of a subscription together may send per period. */
export const rateNames = ['requestsPerSecond', 'bulkCallsPerMinute', 'exportsPerHour'] as const;

export type RateName = (typeof rateNames)[number];

const rate = z.int().min(1);
const quota = z.int().min(0);

/** Limits of a subscription that replace its plan's; null is unlimited. */
export const limitOverrides = z.object({
  requestsPerSecond: rate.optional(),
  bulkCallsPerMinute: rate.optional(),
  exportsPerHour: rate.optional(),
  apiCalls: quota.nullable().optional(),
  dynamicQr: quota.nullable().optional(),
  bulkOrders: quota.nullable().optional(),
});

export type LimitOverrides = z.infer<typeof limitOverrides>;
