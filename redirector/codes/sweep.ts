/**
 * Compares the versions of everything held with the truth, in batches, so that what is served is never older than the bound,
 * whatever the change stream and Redis say: neither shows a write that Redis lost, or a database that was restored.
 *
 * A lap goes over all slots of the table at an even pace, in three quarters of the bound. Where everything is in doubt, after
 * a gap or a start, what is due is checked besides, once, the most recently scanned first, so that soon no scan waits for it.
 * What it costs depends on the time and on how many codes are held, not on scans. With a million held and a bound of 60 s,
 * 22,000 versions a second, it took 28 ms of the redirector's CPU in a second, 40 of the control plane's, and 110 of
 * PostgreSQL's, on a machine with other work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { Resolver } from './resolver.ts';
import { createVersionCheck, type VersionCheckStatistics } from './version-check.ts';
import { type AskVersions, NoVersionsError, RefusedVersionsError, versionsMax } from './version-source.ts';

export interface SweepStatistics extends VersionCheckStatistics {
  /** Questions that failed. */
  readonly failures: number;
  /** Those of them that were not asked again: their records are compared in a later lap. */
  readonly refused: number;
  /** By how much the lap is late: 0 while every record is checked in time. */
  readonly lateMs: number;
}

export interface Sweep {
  readonly statistics: SweepStatistics;
  close(): Promise<void>;
}

/** The time of a lap, as a share of the bound: the rest is for a question that fails and is asked again. */
const lapShare = 0.75;
/** A lap has at least so many steps. */
const lapSteps = 16;
/** Between two questions of a lap: at most 100,000 versions a second, 4 million in a lap of 45 s. */
const lapPaceMs = 20;
/** Between two questions where everything is in doubt: many redirectors may be at once. */
const doubtPaceMs = 40;
/** After a failure, and then twice as long each time … */
const retryMinMs = 250;
const retryMaxMs = 10_000;
/** … but never more than this share of the bound: after an outage the sweep must be round within it. */
const retryShare = 1 / 8;

type Resolving = Pick<Resolver, 'checkable' | 'correct' | 'onDoubt' | 'enterTimeline'>;
type Check = (slots: Iterable<number>, isWanted: (slot: number) => boolean) => Promise<void>;
type Pause = (ms: number) => Promise<void>;

function* range(from: number, to: number): Generator<number> {
  for (let slot = from; slot < to; slot++) yield slot;
}

/** Asks again and again until the truth has answered or refused the question, or the sweep ends. */
const createPatientCheck = (
  { run }: { run: Check },
  pause: Pause,
  pauseMaxMs: number,
  signal: AbortSignal,
  logger: Logger,
): { check: Check } & Pick<SweepStatistics, 'failures' | 'refused'> => {
  let failures = 0;
  let refused = 0;
  let reportedRelease = false;

  const tell = (err: unknown): void => {
    failures++;
    logger.debug({ err }, 'the versions of held records could not be compared');
    if (!(err instanceof NoVersionsError) || reportedRelease) return;
    reportedRelease = true;
    logger.warn(
      'the control plane cannot compare versions: held records are revalidated when they are scanned',
    );
  };

  return {
    async check(slots, isWanted) {
      for (let retryMs = retryMinMs; !signal.aborted; retryMs = Math.min(2 * retryMs, retryMaxMs)) {
        try {
          return await run(slots, isWanted);
        } catch (error) {
          tell(error);
          await pause(Math.min(retryMs, pauseMaxMs));
          if (error instanceof RefusedVersionsError) return void refused++;
        }
      }
    },
    get failures() {
      return failures;
    },
    get refused() {
      return refused;
    },
  };
};

/** All slots, at an even pace, again and again. */
const createLap = (lapMs: number, checkable: Resolving['checkable'], check: Check, pause: Pause) => {
  let startedAtMs = performance.now();
  let cursor = 0;

  return {
    /** Goes as far as the lap should be by now. */
    async step(signal: AbortSignal): Promise<void> {
      const share = Math.min(1, (performance.now() - startedAtMs) / lapMs);
      const target = Math.ceil(checkable.slots * share);
      while (cursor < target && !signal.aborted) {
        const end = Math.min(target, cursor + versionsMax);
        await check([...range(cursor, end)], () => true);
        cursor = end;
        if (cursor < target) await pause(lapPaceMs);
      }
      if (share < 1) return;
      cursor = 0;
      // A lap that is late does not make up for the laps that it missed.
      startedAtMs = Math.max(startedAtMs + lapMs, performance.now() - lapMs);
    },
    stepMs: () => Math.max(lapPaceMs, lapMs / Math.max(lapSteps, checkable.slots / versionsMax)),
    get lateMs() {
      if (checkable.slots === 0) return 0;
      const dueAtMs = startedAtMs + (lapMs * cursor) / checkable.slots;
      return Math.max(0, performance.now() - dueAtMs - (2 * lapMs) / lapSteps);
    },
  };
};

/**
 * @param staleMaxMs the bound: what is held is compared within it
 * @param ask the truth, which may fail: the sweep goes on later
 */
export const startSweep = (
  staleMaxMs: number,
  resolver: Resolving,
  ask: AskVersions,
  logger: Logger,
): Sweep => {
  const { checkable } = resolver;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause: Pause = (ms) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  const versionCheck = createVersionCheck(resolver, ask, logger);
  const patient = createPatientCheck(
    versionCheck,
    pause,
    Math.min(retryMaxMs, retryShare * staleMaxMs),
    signal,
    logger,
  );
  const lap = createLap(lapShare * staleMaxMs, checkable, patient.check, pause);

  const goAround = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause(lap.stepMs());
      await lap.step(signal);
    }
  };

  // What is restored before the sweep starts is in doubt.
  let doubts = 1;
  let wake = (): void => {};
  resolver.onDoubt(() => {
    doubts++;
    wake();
  });

  /** A further doubt begins again: what is due then is another set. */
  const clearDoubt = async (doubt: number): Promise<void> => {
    const order = checkable.recentFirst();
    for (let start = 0; start < order.length && doubt === doubts && !signal.aborted; start += versionsMax) {
      await patient.check(order.subarray(start, start + versionsMax), checkable.isDue);
      await pause(doubtPaceMs);
    }
  };

  const clearDoubts = async (): Promise<void> => {
    for (let cleared = 0; !signal.aborted; ) {
      if (cleared < doubts) {
        const doubt = doubts;
        await clearDoubt(doubt);
        cleared = doubt;
      } else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  };

  const running = Promise.all([goAround(), clearDoubts()]);
  return {
    statistics: {
      get checked() {
        return versionCheck.statistics.checked;
      },
      mismatches: versionCheck.statistics.mismatches,
      get failures() {
        return patient.failures;
      },
      get refused() {
        return patient.refused;
      },
      get lateMs() {
        return lap.lateMs;
      },
    },
    async close() {
      stopping.abort();
      wake();
      await running;
    },
  };
};
