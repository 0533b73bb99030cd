/**
 * How far a held record can be trusted, by the moment at which a source last confirmed it.
 *
 * While the change stream is followed without a gap, a record is as good as new: a change would have come. While it is not,
 * the record ages from the moment up to which the stream was followed, or at which the record was confirmed. Whatever the
 * stream says, a record that no source has confirmed within `staleMaxMs` is too old: the sweep confirms each one earlier.
 */
export interface FreshnessOptions {
  /** While the stream is not followed, a record is revalidated in the background once it is this old … */
  freshMs: number;
  /** … and at any time before it is served once it is this old. */
  staleMaxMs: number;
}

/** `fresh`: served. `aging`: served, and revalidated meanwhile. `due`: revalidated before it is served. */
export type Trust = 'fresh' | 'aging' | 'due';

export interface Freshness {
  trustIn(confirmedAtMs: number, nowMs: number): Trust;
  /**
   * Whether the stream has reported, or a source has confirmed, how the record was `freshMs` ago. Its age does not matter: a stream that
   * is followed tells of changes also while the truth is away.
   */
  isCurrent(confirmedAtMs: number, nowMs: number): boolean;
  /** Whether the truth alone can confirm the record: Redis may have missed the same changes. */
  needsTruth(confirmedAtMs: number): boolean;
  /** Every change between the two moments has been applied, and later ones are applied as they come. */
  follow(sinceMs: number, untilMs: number): void;
  /** From now on changes do not come. */
  unfollow(): void;
  /** Every record that was confirmed up to this moment is due. */
  invalidate(untilMs: number): void;
}

/**
 * The part of the bound after which a record that the sweep has not come to is revalidated upon a scan, so that no phone
 * waits for it: where the truth is away, or cannot compare versions. The sweep is round in less, see sweep.ts.
 */
const agingShare = 0.9;

/** In place of the moment of confirmation: no source has confirmed the record … */
export const never = Number.NEGATIVE_INFINITY;
/** … and the truth had another version. */
export const disproved = -Number.MAX_VALUE;

export const createFreshness = ({ freshMs, staleMaxMs }: FreshnessOptions): Freshness => {
  const agingMs = agingShare * staleMaxMs;
  let invalidUntilMs = never;
  let followedSinceMs = never;
  let followedUntilMs = never;
  let isFollowed = false;

  // Changes before the first moment that was followed were not seen.
  const wasFollowed = (confirmedAtMs: number): boolean => confirmedAtMs >= followedSinceMs;

  /** For how long changes of the record may have been missed. */
  const unseenMs = (confirmedAtMs: number, nowMs: number): number => {
    const ageMs = nowMs - confirmedAtMs;
    if (!wasFollowed(confirmedAtMs)) return ageMs;
    return isFollowed ? 0 : Math.min(ageMs, nowMs - followedUntilMs);
  };

  return {
    trustIn(confirmedAtMs, nowMs) {
      const ageMs = nowMs - confirmedAtMs;
      if (ageMs >= staleMaxMs || confirmedAtMs <= invalidUntilMs) return 'due';
      if (isFollowed && wasFollowed(confirmedAtMs)) return ageMs >= agingMs ? 'aging' : 'fresh';
      return unseenMs(confirmedAtMs, nowMs) >= freshMs ? 'aging' : 'fresh';
    },
    isCurrent: (confirmedAtMs, nowMs) =>
      confirmedAtMs > invalidUntilMs && unseenMs(confirmedAtMs, nowMs) < freshMs,
    needsTruth: (confirmedAtMs) =>
      confirmedAtMs === disproved || (invalidUntilMs > never && confirmedAtMs <= invalidUntilMs),
    follow(sinceMs, untilMs) {
      isFollowed = true;
      followedSinceMs = sinceMs;
      followedUntilMs = untilMs;
    },
    unfollow() {
      isFollowed = false;
    },
    invalidate(untilMs) {
      invalidUntilMs = untilMs;
    },
  };
};
