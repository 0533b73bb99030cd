/** One question to the truth about the versions of some held records, and what follows from the answer. */
import type { Logger } from '#shared/logger.ts';
import type { Resolver } from './resolver.ts';
import type { AskVersions } from './version-source.ts';

export interface VersionCheckStatistics {
  /** Versions that were compared. */
  checked: number;
  /** Codes of which the truth had a later version, none, or an earlier one than was held. */
  mismatches: { later: number; absent: number; earlier: number };
}

export interface VersionCheck {
  /**
   * Asks about the records in the slots, and revalidates each one of which the truth has a later version, or none. An
   * earlier version is logged: the held one wins, unless a later timeline begins.
   * @param isWanted whether the record of a slot is to be asked about
   * @throws if the truth cannot say
   */
  run(slots: Iterable<number>, isWanted: (slot: number) => boolean): Promise<void>;
  readonly statistics: VersionCheckStatistics;
}

/** Between two lines of the log about earlier versions. */
const reportEveryMs = 60_000;

export const createVersionCheck = (
  resolver: Pick<Resolver, 'checkable' | 'correct' | 'enterTimeline'>,
  ask: AskVersions,
  logger: Logger,
): VersionCheck => {
  const { checkable } = resolver;
  const mismatches = { later: 0, absent: 0, earlier: 0 };
  const statistics = { checked: 0, mismatches };
  let reportedAtMs = Number.NEGATIVE_INFINITY;

  const tellOfEarlier = (code: string, version: number, held: number): void => {
    mismatches.earlier++;
    if (performance.now() - reportedAtMs < reportEveryMs) return;
    reportedAtMs = performance.now();
    logger.warn(
      { code, version, held },
      'the database has earlier versions than are held, which win: after a restore run admin republish',
    );
  };

  /** A version that was held before the question was asked is no news to the truth: it cannot have an earlier one. */
  const judge = (id: string, version: number, held: number): Promise<void> | undefined => {
    if (version > 0 && version < held) return void tellOfEarlier(id, version, held);
    if (version > 0) mismatches.later++;
    else mismatches.absent++;
    return resolver.correct(id, version);
  };

  return {
    async run(slots, isWanted) {
      const batch = checkable.gather(slots, isWanted);
      const { versions: held } = batch;
      if (held.length === 0) return;
      const { timeline, versions } = await ask(batch.ids, held.length);
      statistics.checked += held.length;
      resolver.enterTimeline(timeline);
      const corrections: Promise<void>[] = [];
      for (let n = 0; n < held.length; n++) {
        const id = versions[n] === held[n] ? undefined : checkable.idOf(batch, n);
        const correction = id === undefined ? undefined : judge(id, versions[n]!, held[n]!);
        if (correction) corrections.push(correction);
        else checkable.confirm(batch, n);
      }
      await Promise.all(corrections);
    },
    statistics,
  };
};
