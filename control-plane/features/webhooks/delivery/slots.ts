/**
 * Slots: how many attempts of a webhook are under way at once. A webhook that answers well gets more of them, one that fails gets
 * fewer, and those that fail, hang or are slow have at most half of all, however many they are.
 */

/** Attempts of this process under way, or with a result that is not written. */
const slotsMax = 512;
/** Of webhooks of which it is not known that they answer well and soon. */
const doubtfulSlotsMax = slotsMax / 2;
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
  /** Whether the last attempt succeeded. */
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
  /** How many attempts of each webhook may begin now; those that may have none are left out. */
  plan(webhooks: readonly SlotWebhook[]): { webhookId: string; count: number }[];
  /** Takes a slot of a webhook that was planned. */
  take(webhookId: string): Slot;
  used(): number;
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

const isDoubtful = (state: State, nowMs: number): boolean =>
  !state.proven || state.failures > 0 || isSlow(state, nowMs);

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
  state.proven = false;
  state.good = 0;
  state.slots = Math.max(1, Math.floor(state.slots / 2));
  if (++state.failures < failuresMax) return;
  state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + state.probePauseMs);
  state.probePauseMs = Math.min(state.probePauseMs * 2, probePauseMsMax);
};

/** @param nowMs a clock that never goes back */
export const createSlots = (nowMs: () => number = () => performance.now()): Slots => {
  const states = new Map<string, State>();
  /** Those with attempts under way. */
  const active = new Set<State>();
  let used = 0;

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

  const usedBy = (matches: (state: State) => boolean): number => {
    let sum = 0;
    for (const state of active) if (matches(state)) sum += state.underWay.size;
    return sum;
  };

  const usedByOrigin = (): Map<string, number> => {
    const sums = new Map<string, number>();
    for (const { origin, underWay } of active) sums.set(origin, (sums.get(origin) ?? 0) + underWay.size);
    return sums;
  };

  return {
    plan(webhooks) {
      const now = nowMs();
      forgetIdle();
      let free = slotsMax - used;
      let freeDoubtful = doubtfulSlotsMax - usedBy((state) => isDoubtful(state, now));
      let freeBatches = batchSlotsMax - usedBy(({ batches }) => batches);
      const planned: { webhookId: string; count: number }[] = [];
      const byOrigin = usedByOrigin();
      for (const webhook of webhooks) {
        const state = stateOf(webhook);
        const doubtful = isDoubtful(state, now);
        const { origin } = state;
        const usedOfOrigin = byOrigin.get(origin) ?? 0;
        const count = Math.min(
          slotsOf(state, now) - state.underWay.size,
          free,
          originSlotsMax - usedOfOrigin,
          doubtful ? freeDoubtful : free,
          state.batches ? freeBatches : free,
        );
        if (count <= 0) continue;
        planned.push({ webhookId: webhook.id, count });
        free -= count;
        byOrigin.set(origin, usedOfOrigin + count);
        if (doubtful) freeDoubtful -= count;
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
    held() {
      const now = nowMs();
      let held = 0;
      for (const { heldUntilMs } of states.values()) if (heldUntilMs > now) held++;
      return held;
    },
  };
};
