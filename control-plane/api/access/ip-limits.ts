/** Limits of requests per address and of calls per subscription: the API's only table of limits, and their limiter. */
import { createEntryCache } from '#shared/entry-cache.ts';
import { limitedAddress } from '#shared/networks.ts';
import type { Redis } from '#shared/redis.ts';
import type { RateDecision, Sender } from './rate-decision.ts';
import { type Count, createWindowCounters } from './window-counter.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export interface IpLimit {
  requests: number;
  windowSeconds: number;
  /** The counted unit, in the singular. Default: `request`. */
  noun?: string;
  /** The calls that share the limit, if several operations do. */
  together?: string;
}

/**
 * Limits by address, named by an operation's `ipLimit` or `callLimit`; as a `callLimit`, a valid key makes it a limit
 * of the key's subscription. Limits without an operation are reserved. The redirector has the limit of redirects (600 a
 * minute, 4xx not counted).
 */
export const ipLimits = {
  /** POST /api/auth/login */
  login: { requests: 5, windowSeconds: 15 * minute },
  /** POST /api/auth/register */
  register: { requests: 3, windowSeconds: hour },
  passwordReset: { requests: 3, windowSeconds: hour },
  /** POST /api/auth/step-up */
  stepUp: { requests: 5, windowSeconds: 15 * minute },
  /** POST /api/mfa/verify */
  mfaVerify: { requests: 10, windowSeconds: 15 * minute },
  formSubmission: { requests: 30, windowSeconds: minute },
  /** POST /api/verify/serial and GET /v/{itemId}/{signature} */
  verification: { requests: 60, windowSeconds: minute },
  /** GET /01/{gtin}/… */
  gs1Resolver: { requests: 60, windowSeconds: minute },
  /** Landing pages, menus and forms. */
  hostedPage: { requests: 120, windowSeconds: minute },
  /** Operations that create or change many codes. */
  bulk: {
    requests: 5,
    windowSeconds: minute,
    noun: 'bulk call',
    together: 'create, upload, replace, change by filter, generate, and creating and starting imports',
  },
  /** /api/ai/… */
  ai: { requests: 30, windowSeconds: hour, noun: 'draft', together: 'looks, pages and menus' },
  /** POST /api/qr/public/generate */
  publicGenerator: { requests: 10, windowSeconds: day },
  /** GET /api/qr/codes/export and GET /api/qr/codes/{id}/scans.csv */
  dataExport: {
    requests: 3,
    windowSeconds: hour,
    noun: 'export',
    together: 'codes and scans',
  },
  /** GET /api/qr/render/{id} */
  signedRender: { requests: 60, windowSeconds: minute },
  /** Passwords of scans, all codes together; a code's own limit is in `features/codes/protection/password-attempts.ts`. */
  unlock: { requests: 60, windowSeconds: minute },
  /** POST /api/abuse-reports */
  abuseReport: { requests: 10, windowSeconds: hour, noun: 'report' },
  /** GET /api/health/ready */
  healthProbe: { requests: 120, windowSeconds: minute },
  /** /api/webhook/{payment provider} */
  paymentWebhook: { requests: 60, windowSeconds: minute },
  adminRead: { requests: 60, windowSeconds: minute },
  adminDestructive: { requests: 20, windowSeconds: hour },
} as const satisfies Record<string, IpLimit>;

export type IpLimitName = keyof typeof ipLimits;

/** Limits counted per subscription, with the names by which an operator overrides them. */
export const callLimits = { bulk: 'bulkCallsPerMinute', dataExport: 'exportsPerHour' } as const satisfies {
  [name in IpLimitName]?: string;
};

export type CallLimitName = keyof typeof callLimits;

/** The limit of an address, with all of its fields. */
export const ipLimit = (name: IpLimitName): IpLimit & { noun: string } => ({
  noun: 'request',
  ...ipLimits[name],
});

/** Senders whose refusal is remembered, so that a flood from them costs Redis nothing. */
const refusedMax = 50_000;

export interface IpLimiter {
  /**
   * Takes one request, or a request that counts as several, but never as more than the whole limit; never fails. While
   * Redis is down, the limits are per process.
   */
  take(name: IpLimitName, address: string, count?: number): Promise<RateDecision>;
  /** Takes one call of a subscription with this limit; otherwise like {@link take}. */
  takeCall(name: CallLimitName, subscriptionId: string, requests: number): Promise<RateDecision>;
  /** Takes back a call that was allowed just before, and came to nothing. */
  takeBackCall(name: CallLimitName, subscriptionId: string, requests: number): Promise<RateDecision>;
}

/** The sender, the kind of request, and the number allowed. */
interface Counted {
  name: IpLimitName;
  sender: Sender;
  id: string;
  requests: number;
  count: number;
}

const refusalOf = ({ name, sender, id }: Counted): string => `${sender} ${name} ${id}`;

const decisionOf = ({ name, sender, requests }: Counted, { total, remainingMs }: Count): RateDecision => {
  const { windowSeconds, noun } = ipLimit(name);
  return {
    allowed: total <= requests,
    noun,
    sender,
    limit: requests,
    windowSeconds,
    remaining: Math.max(0, requests - total),
    resetSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
  };
};

export const createIpLimiter = (redis: Redis): IpLimiter => {
  const refusedUntilMs = createEntryCache<string, number>(refusedMax);
  const createCounter = createWindowCounters(redis);
  const prefixes = { address: 'ip', subscription: 'subscription' };
  const countersOf = (sender: Sender) =>
    Object.fromEntries(
      Object.entries(ipLimits).map(([name, { windowSeconds }]) => [
        name,
        createCounter(`${prefixes[sender]}:${name}`, windowSeconds),
      ]),
    );
  const counters = { address: countersOf('address'), subscription: countersOf('subscription') };

  const decide = async (counted: Counted): Promise<RateDecision> => {
    const { name, sender, id, requests, count } = counted;
    const refusal = refusalOf(counted);
    const refusedForMs = (refusedUntilMs.get(refusal) ?? 0) - performance.now();
    if (refusedForMs > 0) return decisionOf(counted, { total: requests + 1, remainingMs: refusedForMs });
    const now = await counters[sender][name]!.add(id, Math.min(count, requests));
    if (now.total > requests) refusedUntilMs.set(refusal, performance.now() + now.remainingMs);
    return decisionOf(counted, now);
  };

  return {
    take(name, address, count = 1) {
      const { requests } = ipLimit(name);
      return decide({ name, sender: 'address', id: limitedAddress(address), requests, count });
    },
    takeCall: (name, id, requests) => decide({ name, sender: 'subscription', id, requests, count: 1 }),
    async takeBackCall(name, id, requests) {
      const counted: Counted = { name, sender: 'subscription', id, requests, count: 1 };
      refusedUntilMs.delete(refusalOf(counted));
      return decisionOf(counted, await counters.subscription[name]!.takeBack(id, 1));
    },
  };
};
