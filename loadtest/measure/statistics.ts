/** Medians and percentiles of many noisy figures. */

/** The middle value; of an even number, the mean of the two in the middle. NaN of nothing. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/**
 * The smallest value that at least the given share of all values do not exceed (the nearest-rank method: always a
 * value that was really measured). NaN of nothing.
 * @param sorted in ascending order
 * @param share such as 0.99
 */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted.length === 0 ? Number.NaN : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;

/** The lowest and the highest of several figures. */
export interface Range {
  low: number;
  high: number;
}

export const rangeOf = (values: readonly number[]): Range => ({
  low: Math.min(...values),
  high: Math.max(...values),
});

export interface Latencies {
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  maxMs: number;
}

/** @param valuesMs in any order; they are sorted in place */
export const latenciesOf = (valuesMs: Float64Array): Latencies => {
  valuesMs.sort();
  return {
    p50Ms: percentile(valuesMs, 0.5),
    p99Ms: percentile(valuesMs, 0.99),
    p999Ms: percentile(valuesMs, 0.999),
    maxMs: percentile(valuesMs, 1),
  };
};
