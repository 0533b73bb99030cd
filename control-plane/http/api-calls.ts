/**
 * Counts API calls against the plan's quota, in memory, and settles the counts in the database once a second.
 *
 * How exact: what was counted is never lost but by a process that is killed (a second's calls). A quota may be exceeded
 * by what all processes answer between two settlements: at most two seconds of the subscription's request rate.
 */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Principal } from './auth.ts';
import { periodStart, planLimitReached, quotas } from './plans.ts';

const settleIntervalMs = 1_000;
/** A subscription that has not called for this many settlements is forgotten. */
const idleSettlementsMax = 60;

export interface NewCalls {
  subscriptionId: string;
  /** First day of the period. */
  periodStart: string;
  calls: number;
}

/** Adds calls to the counts. @returns what each subscription has used in its period, by its id */
export type AddCalls = (calls: readonly NewCalls[]) => Promise<ReadonlyMap<string, number>>;

export interface ApiCalls extends Closeable {
  /** Counts one call. @throws {ClientError} PLAN_LIMIT_REACHED; then nothing is counted */
  count(principal: Principal): void;
}

interface Usage {
  periodStart: string;
  /** As of the last settlement, over all processes. */
  settled: number;
  /** Counted here since. */
  unsettled: number;
  idleSettlements: number;
}

export const createApiCalls = (
  add: AddCalls,
  logger: Logger,
  now: () => Date = () => new Date(),
): ApiCalls => {
  const usages = new Map<string, Usage>();
  let settling: Promise<void> = Promise.resolve();

  const usageOf = (subscriptionId: string, period: string): Usage => {
    const held = usages.get(subscriptionId);
    if (held?.periodStart === period) return held;
    // What the old period has not settled is the last second's; a new one begins with it.
    const usage = { periodStart: period, settled: 0, unsettled: held?.unsettled ?? 0, idleSettlements: 0 };
    usages.set(subscriptionId, usage);
    return usage;
  };

  const settle = async (): Promise<void> => {
    const calls: NewCalls[] = [];
    for (const [subscriptionId, usage] of usages) {
      usage.idleSettlements = usage.unsettled > 0 ? 0 : usage.idleSettlements + 1;
      if (usage.idleSettlements > idleSettlementsMax) usages.delete(subscriptionId);
      if (usage.unsettled === 0) continue;
      calls.push({ subscriptionId, periodStart: usage.periodStart, calls: usage.unsettled });
    }
    if (calls.length === 0) return;
    const used = await add(calls);
    for (const { subscriptionId, periodStart: period, calls: settled } of calls) {
      const usage = usages.get(subscriptionId);
      if (!usage) continue;
      usage.unsettled -= settled;
      if (usage.periodStart === period) usage.settled = used.get(subscriptionId) ?? 0;
    }
  };

  const settleSafely = (): void => {
    settling = settling
      .then(settle)
      .catch((error: unknown) => logger.debug({ err: error }, 'API calls could not be settled'));
  };
  const timer = setInterval(settleSafely, settleIntervalMs);

  return {
    count({ subscriptionId, terms }) {
      const at = now();
      const usage = usageOf(subscriptionId, periodStart(quotas.apiCalls.period, at));
      const limit = terms.quotas.apiCalls;
      const used = usage.settled + usage.unsettled;
      if (limit !== null && used >= limit) throw planLimitReached('apiCalls', limit, used, at);
      usage.unsettled++;
    },
    async close() {
      clearInterval(timer);
      settleSafely();
      await settling;
    },
  };
};
