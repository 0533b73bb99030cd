/**
 * Slots: how many attempts of a webhook are under way at once. A webhook that answers well gets more, one that fails
 * gets fewer, and webhooks that fail, hang or are slow have at most half of all together. A workspace has at most a
 * quarter, and the last quarter of each pool is reserved for workspaces with few.
 */
import { createSlotPool, type PoolSize, type SlotPool } from './slot-pools.ts';

/** Attempts of this process that are under way, or whose result is not written yet. */
const slotsMax = 512;
const few = 8;
const all: PoolSize = { max: slotsMax, ofWorkspaceMax: slotsMax / 4, few };
/** Webhooks not known to answer well and fast … */
const doubtful: PoolSize = { max: slotsMax / 2, ofWorkspaceMax: slotsMax / 8, few };
/** … and webhooks known not to: new ones do not wait for them. */
const bad: PoolSize = { max: 192, ofWorkspaceMax: slotsMax / 8, few };
/** Webhooks with batches: a body has up to a thousand events. */
const batches: PoolSize = { max: 64, ofWorkspaceMax: 64, few };
/** Webhooks of one origin. Even without the last quarter, there is room for one webhook. */
const oneOrigin: PoolSize = { max: 96, ofWorkspaceMax: 96, few: 4 };
/** Failures in a row that make a webhook a bad one. One failure among many successes changes little. */
const badFailuresMin = 3;
/** Per webhook: at first, and at most. */
const firstSlots = 8;
const webhookSlotsMax = 64;
/**
 * A webhook is slow if its attempts take longer than this on average, or if its oldest one under way already has …
 */
const slowMs = 2_000;
/** … and then has at most this many slots. */
const slowSlotsMax = 8;
/** After this many failures in a row a webhook is probed by single attempts, with pauses between them. */
const failuresMax = 10;
const probePauseMsMin = 1_000;
const probePauseMsMax = 60_000;
/** The weight of the latest duration in the average. */
const latestWeight = 0.2;
/** Slots granted at a time; after each step, webhooks of workspaces with fewer slots come first. */
const stepSlots = 4;
/** How many webhooks with nothing under way are remembered. */
const remembered = 10_000;

interface State {
  readonly workspaceId: string;
  readonly origin: string;
  batches: boolean;
  slots: number;
  /** The start of each attempt under way. */
  underWay: Set<{ startedMs: number }>;
  /** Attempts under way, or whose result is not written yet. */
  used: number;
  /** Successes since the number of slots last grew. */
  good: number;
  failures: number;
  /** Whether it has answered well, and has not become a bad one since. */
  proven: boolean;
  meanMs: number;
  heldUntilMs: number;
  probePauseMs: number;
}

export interface SlotWebhook {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly batches: boolean;
}

/** An attempt that has a slot. */
export interface Slot {
  /** The attempt has ended: its webhook has room for another. The process has it after {@link Slot.free}. */
  end(outcome: { succeeded: boolean; durationMs: number; holdMs: number }): void;
  /** Its result is written or given up, or the attempt failed through no fault of the webhook. */
  free(): void;
}

export interface Slots {
  /**
   * How many attempts of each webhook may begin now, without webhooks that may have none. Among workspaces with
   * equally many slots, the first one given comes first.
   */
  plan(webhooks: readonly SlotWebhook[]): { webhookId: string; count: number }[];
  /** Takes a slot of a planned webhook. */
  take(webhookId: string): Slot;
  used(): number;
  /** Whether the last plan gave a webhook fewer slots than its own limit, because a pool was full. */
  areScarce(): boolean;
  /** Webhooks held back because they fail, or because their receiver asked for it. */
  held(): number;
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? url;

const newState = ({ workspaceId, url, batches }: SlotWebhook): State => ({
  workspaceId,
  origin: originOf(url),
  batches,
  slots: firstSlots,
  underWay: new Set(),
  used: 0,
  good: 0,
  failures: 0,
  proven: false,
  meanMs: 0,
  heldUntilMs: 0,
  probePauseMs: probePauseMsMin,
});

const isSlow = ({ meanMs, underWay }: State, nowMs: number): boolean => {
  if (meanMs > slowMs) return true;
  for (const { startedMs } of underWay) return nowMs - startedMs > slowMs;
  return false;
};

const isBad = (state: State, nowMs: number): boolean =>
  state.failures >= badFailuresMin || isSlow(state, nowMs);

const isDoubtful = (state: State, nowMs: number): boolean => !state.proven || isBad(state, nowMs);

/** A webhook's own limit, independent of the others. */
const slotsOf = (state: State, nowMs: number): number => {
  if (nowMs < state.heldUntilMs) return 0;
  if (state.failures >= failuresMax) return 1;
  return isSlow(state, nowMs) ? Math.min(state.slots, slowSlotsMax) : state.slots;
};

const noteSuccess = (state: State): void => {
  state.proven = true;
  state.failures = 0;
  state.probePauseMs = probePauseMsMin;
  if (++state.good < state.slots) return;
  state.good = 0;
  state.slots = Math.min(state.slots * 2, webhookSlotsMax);
};

const noteFailure = (state: State, nowMs: number): void => {
  state.good = 0;
  state.slots = Math.max(1, Math.floor(state.slots / 2));
  state.failures++;
  if (state.failures >= badFailuresMin) state.proven = false;
  if (state.failures < failuresMax) return;
  state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + state.probePauseMs);
  state.probePauseMs = Math.min(state.probePauseMs * 2, probePauseMsMax);
};

interface Pools {
  /**
   * How many more attempts of a webhook may begin, by all pools that count it.
   * @param underWay its attempts under way
   */
  room(state: State, underWay: number): number;
  /** Slots of a workspace, in all. */
  used(workspaceId: string): number;
  add(state: State, underWay: number, used: number): void;
}

/** The slots in use now. @param active states that have slots */
const createPools = (active: Iterable<State>, nowMs: number): Pools => {
  const whole = createSlotPool(all);
  const ofDoubtful = createSlotPool(doubtful);
  const ofBad = createSlotPool(bad);
  const ofBatches = createSlotPool(batches);
  const byOrigin = new Map<string, SlotPool>();

  const ofOrigin = (origin: string): SlotPool => {
    const known = byOrigin.get(origin) ?? createSlotPool(oneOrigin);
    byOrigin.set(origin, known);
    return known;
  };

  /** All pools except the whole. */
  const poolsOf = (state: State): SlotPool[] => {
    const pools = [ofOrigin(state.origin)];
    if (isDoubtful(state, nowMs)) pools.push(ofDoubtful);
    if (isBad(state, nowMs)) pools.push(ofBad);
    if (state.batches) pools.push(ofBatches);
    return pools;
  };

  const add = (state: State, underWay: number, used: number): void => {
    whole.add(state.workspaceId, used);
    for (const pool of poolsOf(state)) pool.add(state.workspaceId, underWay);
  };
  for (const state of active) add(state, state.underWay.size, state.used);

  return {
    add,
    room: (state, underWay) =>
      Math.min(...[whole, ...poolsOf(state)].map((pool) => pool.room(state.workspaceId, underWay))),
    used: whole.used,
  };
};

/** A webhook in the plan. */
interface Candidate {
  readonly webhookId: string;
  readonly state: State;
  /** Its limit, less the slots planned for it. */
  left: number;
  count: number;
}

/** Orders candidates by the slots of their workspace, fewest first. */
const createQueue = (candidates: readonly Candidate[], { used }: Pools) => {
  interface Queued {
    readonly one: Candidate;
    /** The workspace's slots when it was queued; it may have more by now. */
    readonly used: number;
  }
  const queued = (one: Candidate): Queued => ({ one, used: used(one.state.workspaceId) });
  const queue = candidates.map(queued).sort((a, b) => a.used - b.used);

  /** Queued after workspaces with equally many slots. */
  const add = (one: Candidate): void => {
    const added = queued(one);
    let [low, high] = [0, queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (queue[middle]!.used <= added.used) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, added);
  };

  return {
    add,
    next(): Candidate | undefined {
      for (let first = queue.shift(); first; first = queue.shift()) {
        if (first.used === used(first.one.state.workspaceId)) return first.one;
        add(first.one);
      }
      return undefined;
    },
  };
};

/**
 * Shares the room step by step, fewest slots first. As attempts end, all workspaces reach the same number, however
 * many webhooks or attempts some have.
 * @returns whether a webhook got fewer slots than its own limit, because a pool was full
 */
const share = (candidates: readonly Candidate[], pools: Pools): boolean => {
  const queue = createQueue(candidates, pools);
  let scarce = false;
  for (let one = queue.next(); one; one = queue.next()) {
    const room = pools.room(one.state, one.state.underWay.size + one.count);
    const count = Math.max(0, Math.min(one.left, room, stepSlots));
    one.count += count;
    one.left -= count;
    pools.add(one.state, count, count);
    if (count === 0) scarce = true;
    else if (one.left > 0) queue.add(one);
  }
  return scarce;
};

/** @param nowMs a monotonic clock */
export const createSlots = (nowMs: () => number = () => performance.now()): Slots => {
  const states = new Map<string, State>();
  /** States with slots, including attempts under way at an old URL of a webhook. */
  const active = new Set<State>();
  let used = 0;
  let scarce = false;

  const stateOf = (webhook: SlotWebhook): State => {
    const known = states.get(webhook.id);
    if (known && known.origin === originOf(webhook.url)) {
      known.batches = webhook.batches;
      return known;
    }
    // Another server: nothing is known about it. Attempts at the old one end on the old state.
    const state = newState(webhook);
    states.set(webhook.id, state);
    return state;
  };

  const forgetIdle = (): void => {
    for (const [id, { underWay }] of states) {
      if (states.size <= remembered) return;
      if (underWay.size === 0) states.delete(id);
    }
  };

  return {
    plan(webhooks) {
      const now = nowMs();
      forgetIdle();
      const candidates = webhooks
        .map((webhook) => ({ webhookId: webhook.id, state: stateOf(webhook), count: 0 }))
        .map((one) => ({ ...one, left: slotsOf(one.state, now) - one.state.underWay.size }))
        .filter(({ left }) => left > 0);
      scarce = share(candidates, createPools(active, now));
      return candidates
        .filter(({ count }) => count > 0)
        .map(({ webhookId, count }) => ({ webhookId, count }));
    },
    take(webhookId) {
      const state = states.get(webhookId)!;
      const attempt = { startedMs: nowMs() };
      state.underWay.add(attempt);
      state.used++;
      active.add(state);
      used++;
      return {
        end({ succeeded, durationMs, holdMs }) {
          state.underWay.delete(attempt);
          state.meanMs += (durationMs - state.meanMs) * (state.meanMs === 0 ? 1 : latestWeight);
          if (succeeded) noteSuccess(state);
          else noteFailure(state, nowMs());
          if (holdMs > 0) state.heldUntilMs = Math.max(state.heldUntilMs, nowMs() + holdMs);
        },
        free() {
          state.underWay.delete(attempt);
          if (--state.used === 0) active.delete(state);
          used--;
        },
      };
    },
    used: () => used,
    areScarce: () => scarce,
    held() {
      const now = nowMs();
      let held = 0;
      for (const { heldUntilMs } of states.values()) if (heldUntilMs > now) held++;
      return held;
    },
  };
};
