/**
 * Scans as a service sees them, an hour squeezed into a minute. Codes by Zipf's law with exponent 1, so that of a million the
 * first gets 7% of the scans and half of the scans go to codes that get one in ten thousand or less. Arrivals are a Poisson
 * process whose rate follows a day, with a moment in which one code is on television. The shares below are assumptions,
 * not measurements: they are rather unkind to caches. The same seed gives the same trace.
 */
export interface TraceOptions {
  /** Codes, of which the first is scanned most. */
  codes: number;
  seconds: number;
  /** Of the whole trace; at the highest point, without the moment on television, it is 1.6 times this. */
  ratePerSecondMean: number;
  seed: number;
}

export interface Trace {
  /** Milliseconds from the beginning to each scan. */
  dueMs: Float64Array;
  /** The code of each scan, from 0. */
  codes: Uint32Array;
  /** The visitor of each scan: an address and a user agent. */
  visitors: Uint32Array;
  /** Whether it comes over a connection that is open already. */
  isKept: Uint8Array;
  isBot: Uint8Array;
}

/** Scans of visitors who were there before: a share of the last `recentVisitors` scans' visitors. */
const returningShare = 0.3;
const recentVisitors = 10_000;
/** Scans over an open connection: a second scan within seconds, or a proxy in between. */
const keptShare = 0.1;
/** Link previews and crawlers, most of which come on their own connection as well. */
const botShare = 0.03;
/** In this part of the trace one code gets as many scans again as all others. */
const television = { from: 0.7, to: 0.75 };

/** Numbers from 0 to below 1, the same for the same seed: a linear congruential generator (Numerical Recipes' constants). */
const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Draws ranks from 0 with a probability of 1 / (rank + 1). */
const createZipf = (count: number, random: () => number): (() => number) => {
  const sums = new Float64Array(count);
  for (let rank = 0, sum = 0; rank < count; rank++) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  const total = sums[count - 1]!;
  return () => {
    const drawn = random() * total;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};

/** The rate against its mean, at a share of the day from 0 to 1: lowest at its ends, highest in its middle. */
export const dayCurve = (share: number): number => 1 - 0.6 * Math.cos(2 * Math.PI * share);

const isTelevised = (share: number): boolean => share >= television.from && share < television.to;

export const createTrace = ({ codes, seconds, ratePerSecondMean, seed }: TraceOptions): Trace => {
  const random = createRandom(seed);
  const zipf = createZipf(codes, random);
  const trace = { dueMs: [], codes: [], visitors: [], isKept: [], isBot: [] } as Record<
    keyof Trace,
    number[]
  >;
  let visitors = 0;
  for (let atS = 0; ; ) {
    const share = atS / seconds;
    const perSecond = ratePerSecondMean * dayCurve(share) * (isTelevised(share) ? 2 : 1);
    atS += -Math.log(1 - random()) / perSecond;
    if (atS >= seconds) break;
    const returns = visitors > 0 && random() < returningShare;
    const recent = Math.min(trace.visitors.length, recentVisitors);
    trace.dueMs.push(atS * 1000);
    trace.codes.push(isTelevised(atS / seconds) && random() < 0.5 ? 0 : zipf());
    trace.visitors.push(
      returns ? trace.visitors[trace.visitors.length - 1 - Math.floor(random() * recent)]! : visitors++,
    );
    trace.isKept.push(random() < keptShare ? 1 : 0);
    trace.isBot.push(random() < botShare ? 1 : 0);
  }
  return {
    dueMs: Float64Array.from(trace.dueMs),
    codes: Uint32Array.from(trace.codes),
    visitors: Uint32Array.from(trace.visitors),
    isKept: Uint8Array.from(trace.isKept),
    isBot: Uint8Array.from(trace.isBot),
  };
};
