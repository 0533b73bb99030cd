/**
 * Counts API calls against the plan's quota, in memory, and settles the counts in the database once a second.
 *
 * Accuracy: counts are lost only if a process is killed (a second's calls). A quota may be exceeded by the calls that
 * all processes answer between two settlements: at most two seconds of the subscription's request rate. The first call
 * of a subscription that this process does not hold waits for the count of all processes; if that cannot be read, the
 * count starts at zero.
 */
import { randomUUID } from 'node:crypto';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Principal } from './authentication.ts';
import { periodStart, planLimitReached, quotas } from './plans.ts';

const settleIntervalMs = 1_000;
/** A subscription without calls, even refused ones, for this many settlements is forgotten. */
const idleSettlementsMax = 60;

export interface NewCalls {
  subscriptionId: string;
  /** First day of the period. */
  periodStart: string;
  calls: number;
}

export const periodKey = ({ subscriptionId, periodStart }: Omit<NewCalls, 'calls'>): string =>
  `${subscriptionId} ${periodStart}`;

/** Numbers the settlements of one process: the same number again is the same settlement. */
export interface SettlementId {
  settler: string;
  number: number;
}

/**
 * Adds calls to the counts, once per settlement, however often it is sent; without a settlement, `calls` must be 0.
 * @returns the used calls of each subscription in the period, by {@link periodKey}
 */
export type AddCalls = (
  calls: readonly NewCalls[],
  settlement?: SettlementId,
) => Promise<ReadonlyMap<string, number>>;

export interface ApiCalls extends Closeable {
  /** Counts one call. @throws {ClientError} PLAN_LIMIT_REACHED; then nothing is counted */
  count(principal: Principal): Promise<void>;
}

interface Usage {
  subscriptionId: string;
  periodStart: string;
  /** As of the last settlement, over all processes. */
  settled: number;
  /** Counted here since then. */
  unsettled: number;
  /** Whether there was a call since the last settlement. */
  called: boolean;
  idleSettlements: number;
  /** Resolves once `settled` is known. Never fails. */
  read: Promise<void>;
}

export const createApiCalls = (
  add: AddCalls,
  logger: Logger,
  now: () => Date = () => new Date(),
): ApiCalls => {
  /** By {@link periodKey}: a month that ends is settled separately from the next one. */
  const usages = new Map<string, Usage>();
  const settler = randomUUID();
  let settlements = 0;
  let pending: (SettlementId & { calls: NewCalls[] }) | undefined;
  let settling: Promise<void> = Promise.resolve();

  const read = async (usage: Usage): Promise<void> => {
    try {
      usage.settled = (await add([{ ...usage, calls: 0 }])).get(periodKey(usage)) ?? 0;
    } catch (error) {
      logger.debug({ err: error }, 'could not read the count of API calls');
    }
  };

  const usageOf = (subscriptionId: string, start: string): Usage => {
    const period = { subscriptionId, periodStart: start };
    const held = usages.get(periodKey(period));
    if (held) return held;
    const usage: Usage = {
      ...period,
      settled: 0,
      unsettled: 0,
      called: true,
      idleSettlements: 0,
      read: Promise.resolve(),
    };
    usages.set(periodKey(period), usage);
    usage.read = read(usage);
    return usage;
  };

  const forgetIfIdle = (key: string, usage: Usage): void => {
    usage.idleSettlements = usage.called || usage.unsettled > 0 ? 0 : usage.idleSettlements + 1;
    usage.called = false;
    if (usage.idleSettlements > idleSettlementsMax) usages.delete(key);
  };

  const unsettledCalls = (): NewCalls[] =>
    [...usages.values()]
      .filter(({ unsettled }) => unsettled > 0)
      .map(({ subscriptionId, periodStart: start, unsettled }) => ({
        subscriptionId,
        periodStart: start,
        calls: unsettled,
      }));

  /** A failed settlement is sent again unchanged, before any other: perhaps only its answer was lost. */
  const settlePending = async (): Promise<void> => {
    if (pending === undefined) return;
    const { calls, ...settlement } = pending;
    const used = await add(calls, settlement);
    pending = undefined;
    for (const each of calls) {
      const usage = usages.get(periodKey(each));
      if (!usage) continue;
      usage.unsettled -= each.calls;
      usage.settled = used.get(periodKey(each)) ?? 0;
    }
  };

  const settle = async (): Promise<void> => {
    for (const [key, usage] of usages) forgetIfIdle(key, usage);
    await settlePending();
    const calls = unsettledCalls();
    if (calls.length === 0) return;
    pending = { settler, number: ++settlements, calls };
    await settlePending();
  };

  const settleSafely = (): void => {
    settling = settling
      .then(settle)
      .catch((error: unknown) => logger.debug({ err: error }, 'could not settle API calls'));
  };
  const timer = setInterval(settleSafely, settleIntervalMs);

  return {
    async count({ subscriptionId, terms }) {
      const at = now();
      const usage = usageOf(subscriptionId, periodStart(quotas.apiCalls.period, at));
      usage.called = true;
      await usage.read;
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
