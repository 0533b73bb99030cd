/** When a failed part is restarted. */

export interface RestartPolicy {
  pauseMsMin: number;
  pauseMsMax: number;
  /** Failures are forgotten after a part has run longer than this. */
  quickMs: number;
  /** After this many failures in a row … */
  quickDeathsMax: number;
  /** … the pauses are this long. */
  slowPauseMs: number;
}

export const defaultPolicy: RestartPolicy = {
  pauseMsMin: 200,
  pauseMsMax: 5000,
  quickMs: 20_000,
  quickDeathsMax: 6,
  slowPauseMs: 30_000,
};

/** The consecutive failures of one part. */
export interface Failures {
  /** It did not start. */
  startFailed(): void;
  /** It started, and ended after this time. */
  ended(ranMs: number): void;
  /** Whether there are so many that it is restarted slowly. */
  readonly areMany: boolean;
  /** The pause before the next start: twice the previous one, up to a limit. */
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
