/** When the record of each slot was scanned last, to the second: which to give up, which are the most recent. */

export interface ScanTimes {
  set(slot: number, atMs: number): void;
  /** The slot is empty. */
  clear(slot: number): void;
  /** It is scanned now. @returns whether it was scanned a moment ago */
  touch(slot: number, nowMs: number): boolean;
  /** Of some slots, other ones each time, the one that was scanned longest ago. All slots must be occupied. */
  oldestOfSome(): number;
  /** Of the given slots the one that was scanned longest ago. All must be occupied, and there must be one. */
  oldestOf(slots: readonly number[]): number;
  /**
   * The occupied slots, the most recently scanned first. Their ages count in groups that grow: 0 s, 1 s, 2 to 3 s, 4 to 7 s,
   * and so on; within a group there is no order.
   * @param max how many, at most
   */
  recentFirst(nowMs: number, max: number): Uint32Array;
  /** The same for a snapshot. From then on scans of others than those are counted as news, and of a few of those. */
  select(nowMs: number, max: number): Uint32Array;
  readonly news: number;
}

/** Slots that are looked at for one that makes room: a cache line of them. */
const candidates = 16;
/** Slots that have memory at first; then twice as many, and so on. */
const slotsMin = 1024;
/** A record that was scanned so shortly before is scanned frequently. */
const frequentS = 10;
const empty = -(2 ** 31);
const ageGroups = 33;

const ageGroup = (ageS: number): number => 32 - Math.clz32(Math.max(0, ageS));

export const createScanTimes = (slotsMax: number, startMs: number): ScanTimes => {
  /** Since the start: a number of 32 bits lasts 68 years. */
  let seconds = new Int32Array(Math.min(slotsMax, slotsMin)).fill(empty);
  let hand = 0;
  /** What was scanned in this second or later is among the slots that were selected. */
  let selectedFromS = empty;
  let news = 0;

  const secondOf = (ms: number): number => Math.max(empty + 1, Math.floor((ms - startMs) / 1000));

  const grow = (): void => {
    const longer = new Int32Array(Math.min(slotsMax, 2 * seconds.length)).fill(empty);
    longer.set(seconds);
    seconds = longer;
  };

  /** How many slots are in each group of ages or in a younger one. */
  const groupEnds = (nowS: number): Uint32Array => {
    const ends = new Uint32Array(ageGroups);
    for (const second of seconds) if (second !== empty) ends[ageGroup(nowS - second)]!++;
    for (let group = 1; group < ageGroups; group++) ends[group]! += ends[group - 1]!;
    return ends;
  };

  const order = (nowS: number, ends: Uint32Array, max: number): Uint32Array => {
    const slots = new Uint32Array(Math.min(max, ends[ageGroups - 1]!));
    for (let slot = seconds.length - 1; slot >= 0; slot--) {
      if (seconds[slot] === empty) continue;
      const place = --ends[ageGroup(nowS - seconds[slot]!)]!;
      if (place < max) slots[place] = slot;
    }
    return slots;
  };

  return {
    set(slot, atMs) {
      while (slot >= seconds.length) grow();
      seconds[slot] = secondOf(atMs);
    },
    clear(slot) {
      seconds[slot] = empty;
    },
    touch(slot, nowMs) {
      const [before, now] = [seconds[slot]!, secondOf(nowMs)];
      if (before !== now) {
        seconds[slot] = now;
        if (before < selectedFromS) news++;
      }
      return now - before < frequentS;
    },
    oldestOfSome() {
      let oldest = hand;
      for (let n = 1; n < Math.min(candidates, slotsMax); n++) {
        const slot = (hand + n) % slotsMax;
        if (seconds[slot]! < seconds[oldest]!) oldest = slot;
      }
      hand = (hand + candidates) % slotsMax;
      return oldest;
    },
    oldestOf: (slots) => slots.reduce((oldest, slot) => (seconds[slot]! < seconds[oldest]! ? slot : oldest)),
    recentFirst(nowMs, max) {
      const nowS = secondOf(nowMs);
      return order(nowS, groupEnds(nowS), max);
    },
    select(nowMs, max) {
      const nowS = secondOf(nowMs);
      const ends = groupEnds(nowS);
      // The first group of which some are left out.
      const cut = ends.findIndex((end) => end > max);
      if (cut < 0) selectedFromS = empty;
      else selectedFromS = cut === 0 ? nowS + 1 : nowS + 1 - 2 ** (cut - 1);
      return order(nowS, ends, max);
    },
    get news() {
      return news;
    },
  };
};
