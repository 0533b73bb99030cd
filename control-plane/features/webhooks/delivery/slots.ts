/**
 * Slots: how many attempts of a webhook are under way at once. A webhook that answers well gets more of them, one that fails gets
 * fewer, and those that fail, hang or are slow have at most half of all, however many they are. A workspace has at most a quarter
 * of them, and the last quarter of each kind is for workspaces that have few.
 */
import { createSlotPool, type PoolSize, type SlotPool } from './slot-pools.ts';

/** Attempts of this process under way, or with a result that is not written. */
const slotsMax = 512;
const few = 8;
const all: PoolSize = { max: slotsMax, ofWorkspaceMax: slotsMax / 4, few };
/** Of webhooks of which it is not known that they answer well and soon … */
const doubtful: PoolSize = { max: slotsMax / 2, ofWorkspaceMax: slotsMax / 8, few };
/** … and of those of them of which it is known that they do not: new ones need not wait for them. */
const bad: PoolSize = { max: 192, ofWorkspaceMax: slotsMax / 8, few };
/** Of webhooks with batches: a body has up to a thousand events. */
const batches: PoolSize = { max: 64, ofWorkspaceMax: 64, few };
/** Of one origin, whatever the number of webhooks that lead to it. Without its last quarter there is room for one webhook. */
const oneOrigin: PoolSize = { max: 96, ofWorkspaceMax: 96, few: 4 };
/** After so many failures in a row a webhook is a bad one. One failure among many successes changes little. */
const badFailuresMin = 3;
/** Of one webhook: at first, and at most. */
const firstSlots = 8;
const webhookSlotsMax = 64;
/** A webhook whose attempts take longer than this on average, or one of whose attempts does, is slow … */
const slowMs = 2_000;
/** … and has at most so many. */
const slowSlotsMax = 8;
/** After so many failures in a row a webhook is probed by one attempt at a time, with pauses between them. */
const failuresMax = 10;
const probePauseMsMin = 1_000;
const probePauseMsMax = 60_000;
/** Of an average of durations: what the latest one counts. */
const latestWeight = 0.2;
/** What a webhook is given at a time: then others of a workspace that has fewer come first. */
const stepSlots = 4;
/** Webhooks that are remembered while they have nothing under way. */
const remembered = 10_000;

interface State {
  readonly workspaceId: string;
  readonly origin: string;
  batches: boolean;
  slots: number;
  /** When each attempt under way began. */
  underWay: Set<{ startedMs: number }>;
  /** Those, and the attempts with a result that is not written. */
  used: number;
  /** Successes since the number of slots grew. */
  good: number;
  failures: number;
  /** Whether it has answered well, and is no bad one since. */
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
  /** The attempt has ended: its webhook has room for another. The process has it with {@link Slot.free} alone. */
  end(outcome: { succeeded: boolean; durationMs: number; holdMs: number }): void;
  /** Its result is written, or given up, or the attempt came to nothing by no fault of the webhook. */
  free(): void;
}

export interface Slots {
  /** How many attempts of each webhook may begin now; those that may have none are left out. Of workspaces that have as many the first one comes first. */
  plan(webhooks: readonly SlotWebhook[]): { webhookId: string; count: number }[];
  /** Takes a slot of a webhook that was planned. */
  take(webhookId: string): Slot;
  used(): number;
  /** Whether the last plan left a webhook with fewer than its own, as all of a kind are taken. */
  areScarce(): boolean;
  /** Webhooks that wait, as they fail or as their receiver asked for it. */
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

/** How many of its own may be under way, whatever the others do. */
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
  /** How many more of a webhook may begin, of all pools that they count in. @param underWay of it */
  room(state: State, underWay: number): number;
  /** Of a workspace, in all. */
  used(workspaceId: string): number;
  add(state: State, underWay: number, used: number): void;
}

/** What is in use now. @param active states that have slots */
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

  /** All but the whole. */
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

/** A webhook that is planned for. */
interface Candidate {
  readonly webhookId: string;
  readonly state: State;
  /** What it may have beside what is planned. */
  left: number;
  count: number;
}

/** Candidates, those of workspaces that have least first. */
const createTurns = (candidates: readonly Candidate[], { used }: Pools) => {
  interface Turn {
    readonly one: Candidate;
    /** Of its workspace, when it was put here: by now that may have more. */
    readonly used: number;
  }
  const toTurn = (one: Candidate): Turn => ({ one, used: used(one.state.workspaceId) });
  const turns = candidates.map(toTurn).sort((a, b) => a.used - b.used);

  /** Behind those of workspaces that have as much. */
  const add = (one: Candidate): void => {
    const turn = toTurn(one);
    let [low, high] = [0, turns.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (turns[middle]!.used <= turn.used) low = middle + 1;
      else high = middle;
    }
    turns.splice(low, 0, turn);
  };

  return {
    add,
    next(): Candidate | undefined {
      for (let turn = turns.shift(); turn; turn = turns.shift()) {
        if (turn.used === used(turn.one.state.workspaceId)) return turn.one;
        add(turn.one);
      }
      return undefined;
    },
  };
};

/**
 * Shares the room step by step: whoever has least comes first. So each workspace comes to as much as any other, as attempts end,
 * however many of them somebody has.
 * @returns whether one has fewer than its own, as all of a kind are taken
 */
const share = (candidates: readonly Candidate[], pools: Pools): boolean => {
  const turns = createTurns(candidates, pools);
  let scarce = false;
  for (let one = turns.next(); one; one = turns.next()) {
    const room = pools.room(one.state, one.state.underWay.size + one.count);
    const count = Math.max(0, Math.min(one.left, room, stepSlots));
    one.count += count;
    one.left -= count;
    pools.add(one.state, count, count);
    if (count === 0) scarce = true;
    else if (one.left > 0) turns.add(one);
  }
  return scarce;
};

/** @param nowMs a clock that never goes back */
export const createSlots = (nowMs: () => number = () => performance.now()): Slots => {
  const states = new Map<string, State>();
  /** Those with slots. What is under way at an old URL of a webhook is among them. */
  const active = new Set<State>();
  let used = 0;
  let scarce = false;

  const stateOf = (webhook: SlotWebhook): State => {
    const known = states.get(webhook.id);
    if (known && known.origin === originOf(webhook.url)) {
      known.batches = webhook.batches;
      return known;
    }
    // Another server: nothing is known of it. What is under way at the old one ends there.
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
