/** A token bucket in memory: it refills at a constant rate and holds the tokens of one second. */

/**
 * @param now the clock, in ms
 * @returns takes a token; false where there is none
 */
export const createTokenBucket = (perSecond: number, now: () => number): (() => boolean) => {
  let tokens = perSecond;
  let filledAtMs = now();
  return () => {
    const nowMs = now();
    tokens = Math.min(perSecond, tokens + ((nowMs - filledAtMs) / 1000) * perSecond);
    filledAtMs = nowMs;
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
};
