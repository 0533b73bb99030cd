/** The plans: the only table of their limits and capabilities, and the refusals that follow from it. */
import { type LimitOverrides, type Plan, plan, type QuotaName, type RateName } from '#schemas/api/plans.ts';
import { ClientError } from '#shared/errors.ts';
import { ipLimits } from './ip-limits.ts';

/** The limits of a subscription; all of its keys share each rate. */
export interface Terms extends Readonly<Record<RateName, number>> {
  plan: Plan;
  /** Null means no limit. */
  quotas: Readonly<Record<QuotaName, number | null>>;
  /** Whether they are those of test data: {@link testLimits}. */
  isTest?: boolean;
}

/** The same on every plan. */
const callRates = {
  bulkCallsPerMinute: ipLimits.bulk.requests,
  exportsPerHour: ipLimits.dataExport.requests,
};

/**
 * The quotas are sized so that serious use within the plan's rate never meets them: an API call every four minutes on
 * Free, four a second around the clock on Business.
 */
export const plans: Readonly<Record<Plan, Terms>> = {
  free: {
    plan: 'free',
    requestsPerSecond: 5,
    ...callRates,
    quotas: { apiCalls: 10_000, dynamicQr: 250, bulkOrders: 5 },
  },
  starter: {
    plan: 'starter',
    requestsPerSecond: 10,
    ...callRates,
    quotas: { apiCalls: 100_000, dynamicQr: 5_000, bulkOrders: 20 },
  },
  growth: {
    plan: 'growth',
    requestsPerSecond: 30,
    ...callRates,
    quotas: { apiCalls: 1_000_000, dynamicQr: 50_000, bulkOrders: 100 },
  },
  business: {
    plan: 'business',
    requestsPerSecond: 100,
    ...callRates,
    quotas: { apiCalls: 10_000_000, dynamicQr: 500_000, bulkOrders: 500 },
  },
  enterprise: {
    plan: 'enterprise',
    requestsPerSecond: 500,
    ...callRates,
    quotas: { apiCalls: null, dynamicQr: null, bulkOrders: null },
  },
};

/** Aliases of one workspace, twice as many as it may have codes; null means no limit. */
const aliasesMax: Readonly<Record<Plan, number | null>> = {
  free: 500,
  starter: 10_000,
  growth: 100_000,
  business: 1_000_000,
  enterprise: null,
};

export const aliasesMaxOf = (name: Plan): number | null => aliasesMax[name];

/** What test data may have, on any plan. Codes and serialized items are given again each month. */
export const testLimits = { apiCalls: null, dynamicQr: 1_000, bulkOrders: 50 } satisfies LimitOverrides;

/** Serialized items, in a plan that has them. */
export const testItemsMax = 1_000;

export type Period = 'day' | 'month' | 'lifetime';

/** Periods begin at midnight UTC. Deactivating a code gives nothing back: it can be activated again at any time. */
export const quotas: Readonly<Record<QuotaName, { period: Period; noun: string }>> = {
  apiCalls: { period: 'month', noun: 'API calls' },
  dynamicQr: { period: 'lifetime', noun: 'dynamic QR codes' },
  bulkOrders: { period: 'day', noun: 'bulk calls' },
};

/**
 * The smallest plan with each capability, named by an operation's `capability`. Capabilities without an operation are
 * reserved.
 */
export const capabilities = {
  landingPages: 'growth',
  forms: 'growth',
  menus: 'business',
  serializedQR: 'business',
  gs1Resolver: 'business',
} as const satisfies Record<string, Plan>;

export type Capability = keyof typeof capabilities;

export const capabilityNames = Object.keys(capabilities) as Capability[];

/** The terms of a subscription: its plan's, overridden by individually agreed limits. */
export const termsOf = (name: Plan, limits: LimitOverrides): Terms => {
  const { requestsPerSecond, bulkCallsPerMinute, exportsPerHour, ...overrides } = limits;
  const terms = plans[name];
  return {
    plan: name,
    requestsPerSecond: requestsPerSecond ?? terms.requestsPerSecond,
    bulkCallsPerMinute: bulkCallsPerMinute ?? terms.bulkCallsPerMinute,
    exportsPerHour: exportsPerHour ?? terms.exportsPerHour,
    quotas: { ...terms.quotas, ...overrides },
  };
};

/** The plans with a capability. */
const plansWith = (capability: Capability): Plan[] =>
  plan.options.slice(plan.options.indexOf(capabilities[capability]));

/** The refusal if the plan lacks a capability: it names the capability and the plans that have it. */
export const featureNotOnPlan = (current: Plan, capability: Capability): ClientError => {
  const plansWithIt = plansWith(capability);
  const names = plansWithIt.map((name) => titles[name]).join(', ');
  return new ClientError(
    'FEATURE_NOT_ON_PLAN',
    `${capability} is not on the ${titles[current]} plan; plans with it: ${names}`,
    { fields: { capability, plans: plansWithIt } },
  );
};

export const hasCapability = ({ plan: current }: Pick<Terms, 'plan'>, capability: Capability): boolean =>
  plansWith(capability).includes(current);

/** @throws {ClientError} {@link featureNotOnPlan} */
export const requireCapability = (terms: Terms, capability: Capability): void => {
  if (!hasCapability(terms, capability)) throw featureNotOnPlan(terms.plan, capability);
};

/**
 * The refusal if a quota is used up. @param used so far in the period @param options.amount the requested number: for
 * several it says how many are left @param options.isTest of {@link Terms}
 */
export const planLimitReached = (
  name: QuotaName,
  limit: number,
  used: number,
  now: Date,
  { amount = 1, isTest = false }: { amount?: number; isTest?: boolean | undefined } = {},
): ClientError => {
  const { period, noun } = quotas[name];
  const per = period === 'lifetime' ? '' : ` a ${period}`;
  const end = periodEnd(period, now);
  const left = Math.max(0, limit - used);
  const more = isTest
    ? 'test data gets more on the first day of each month (UTC)'
    : 'a larger plan has a larger quota';
  const asked =
    amount === 1 ? '' : `, ${left} ${left === 1 ? 'is' : 'are'} left, and this call needs ${amount}`;
  return new ClientError(
    'PLAN_LIMIT_REACHED',
    `The quota is ${limit} ${noun}${per}: ${used} ${used === 1 ? 'is' : 'are'} used${asked}. ${
      end
        ? `It begins anew at ${new Date(end).toISOString()}; ${more}`
        : more[0]!.toUpperCase() + more.slice(1)
    }`,
    {
      fields: { capability: name, limit, used, ...(amount > 1 && { requested: amount, fits: left }) },
      ...(end && { retryAfterSeconds: Math.ceil((end - now.getTime()) / 1000) }),
    },
  );
};

/**
 * The refusal if a workspace has the maximum of something that holds on any plan. @param capability its name, in the
 * plural
 */
export const countCapReached = (capability: string, limit: number, message: string): ClientError =>
  new ClientError('CONFLICT', message, { fields: { capability, limit, used: limit } });

const titles: Readonly<Record<Plan, string>> = {
  free: 'Free',
  starter: 'Starter',
  growth: 'Growth',
  business: 'Business',
  enterprise: 'Enterprise',
};

/** The first day of the period that contains an instant, `YYYY-MM-DD`. */
export const periodStart = (period: Period, now: Date): string => {
  const day = now.toISOString().slice(0, 10);
  if (period === 'lifetime') return '1970-01-01';
  return period === 'day' ? day : `${day.slice(0, 7)}-01`;
};

/** The end of the period that contains an instant, in milliseconds since 1970; undefined for a lifetime. */
export const periodEnd = (period: Period, now: Date): number | undefined => {
  if (period === 'lifetime') return undefined;
  return period === 'day'
    ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
    : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
};
