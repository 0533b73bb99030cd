/**
 * Slots: how many attempts of a webhook are under way at once. A webhook that answers well gets more of them, one that fails gets
 * fewer, and those that fail, hang or are slow have at most half of all, however many they are.
 */

/** Attempts of this process under way, or with a result that is not written. */
const slotsMax = 512;
/** Of webhooks of which it is not known that they answer well and soon … */
const doubtfulSlotsMax = slotsMax / 2;
/** … and of those of them of which it is known that they do not: new ones need not wait for them. */
const badSlotsMax = 192;
/** After so many failures in a row a webhook is a bad one. One failure among many successes changes little. */
const badFailuresMin = 3;
/** Of webhooks with batches: a body has up to a thousand events. */
const batchSlotsMax = 64;
/** Of one webhook: at first, and at most. */
const firstSlots = 8;
const webhookSlotsMax = 64;
/** A webhook whose attempts take longer than this on average, or one of whose attempts does, is slow … */
const slowMs = 2_000;
/** … and has at most so many. */
const slowSlotsMax = 8;
/** Of one origin, whatever the number of webhooks that lead to it. */
const originSlotsMax = 64;
/** After so many failures in a row a webhook is probed by one attempt at a time, with pauses between them. */
const failuresMax = 10;
const probePauseMsMin = 1_000;
const probePauseMsMax = 60_000;
/** Of an average of durations: what the latest one counts. */
const latestWeight = 0.2;
/** Webhooks that are remembered while they have nothing under way. */
const remembered = 10_000;

interface State {
  readonly origin: string;
  batches: boolean;
  slots: number;
  /** When each attempt under way began. */
  underWay: Set<{ startedMs: number }>;
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
  /** How many attempts of each webhook may begin now; those that may have none are left out. The first ones choose first. */
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

const newState = ({ url, batches }: SlotWebhook): State => ({
  origin: originOf(url),
  batches,
  slots: firstSlots,
  underWay: new Set(),
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

/** Attempts under way. @param active states that have some */
const sumOf = (active: Iterable<State>, matches: (state: State) => boolean): number => {
  let sum = 0;
  for (const state of active) if (matches(state)) sum += state.underWay.size;
  return sum;
};

const sumsByOrigin = (active: Iterable<State>): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const { origin, underWay } of active) sums.set(origin, (sums.get(origin) ?? 0) + underWay.size);
  return sums;
};

/** @param nowMs a clock that never goes back */
export const createSlots = (nowMs: () => number = () => performance.now()): Slots => {
  const states = new Map<string, State>();
  /** Those with attempts under way. */
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
      let free = slotsMax - used;
      let freeDoubtful = doubtfulSlotsMax - sumOf(active, (state) => isDoubtful(state, now));
      let freeBad = badSlotsMax - sumOf(active, (state) => isBad(state, now));
      let freeBatches = batchSlotsMax - sumOf(active, ({ batches }) => batches);
      scarce = false;
      const planned: { webhookId: string; count: number }[] = [];
      const byOrigin = sumsByOrigin(active);
      for (const webhook of webhooks) {
        const state = stateOf(webhook);
        const [doubtful, bad] = [isDoubtful(state, now), isBad(state, now)];
        const { origin } = state;
        const usedOfOrigin = byOrigin.get(origin) ?? 0;
        const own = slotsOf(state, now) - state.underWay.size;
        const count = Math.min(
          own,
          free,
          originSlotsMax - usedOfOrigin,
          doubtful ? freeDoubtful : free,
          bad ? freeBad : free,
          state.batches ? freeBatches : free,
        );
        if (count < own) scarce = true;
        if (count <= 0) continue;
        planned.push({ webhookId: webhook.id, count });
        free -= count;
        byOrigin.set(origin, usedOfOrigin + count);
        if (doubtful) freeDoubtful -= count;
        if (bad) freeBad -= count;
        if (state.batches) freeBatches -= count;
      }
      return planned;
    },
    take(webhookId) {
      const state = states.get(webhookId)!;
      const attempt = { startedMs: nowMs() };
      state.underWay.add(attempt);
      active.add(state);
      used++;
      const leave = (): void => {
        state.underWay.delete(attempt);
        if (state.underWay.size === 0) active.delete(state);
      };
      return {
        end({ succeeded, durationMs, holdMs }) {
          leave();
          state.meanMs += (durationMs - state.meanMs) * (state.meanMs === 0 ? 1 : latestWeight);
          if (succeeded) noteSuccess(state);
          else noteFailure(state, nowMs());
          if (holdMs > 0) state.heldUntilMs = Math.max(state.heldUntilMs, nowMs() + holdMs);
        },
        free() {
          leave();
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
