/** How soon a part that fails is started again. */

export interface RestartPolicy {
  pauseMsMin: number;
  pauseMsMax: number;
  /** The failures of a part that ran longer than this are forgotten. */
  quickMs: number;
  /** After so many failures in a row … */
  quickDeathsMax: number;
  /** … the pauses are as long as this. */
  slowPauseMs: number;
}

export const defaultPolicy: RestartPolicy = {
  pauseMsMin: 200,
  pauseMsMax: 5000,
  quickMs: 20_000,
  quickDeathsMax: 6,
  slowPauseMs: 30_000,
};

/** The failures of one part, in a row. */
export interface Failures {
  /** It did not start. */
  startFailed(): void;
  /** It started, and ended after a time. */
  ended(ranMs: number): void;
  /** Whether there are so many that it is started again slowly. */
  readonly areMany: boolean;
  /** The pause before the next start: each is twice the one before, up to a bound. */
  readonly pauseMs: number;
}

export const createFailures = (policy: RestartPolicy): Failures => {
  let count = 0;
  return {
    startFailed() {
      count++;
    },
    ended(ranMs) {
      count = ranMs > policy.quickMs ? 1 : count + 1;
    },
    get areMany() {
      return count >= policy.quickDeathsMax;
    },
    get pauseMs() {
      if (count >= policy.quickDeathsMax) return policy.slowPauseMs;
      return Math.min(policy.pauseMsMin * 2 ** Math.max(0, count - 1), policy.pauseMsMax);
    },
  };
};
