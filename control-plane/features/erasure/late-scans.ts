/**
 * Scans that arrive after their erasure: from the disk of a redirector that was cut off, or sent again. They are erased like the
 * others, within minutes for a week, and every night after that.
 */
import type { Logger } from '#shared/logger.ts';
import type { Task } from '../../jobs/tasks.ts';
import { advanceRound, findLate, type RoundParts } from './rounds/rounds.ts';
import { pageOfEnded, waitAgain } from './rounds/store.ts';

const recentMs = 7 * 86_400_000;
/** A run looks for this time; the next one looks on from there. */
const lookMsMax = 20_000;
/** A run ends after this time; the next one goes on. */
const runMsMax = 45_000;

/** How far the erasures were looked through. */
export interface LookPlace {
  afterSeq: string;
}

/**
 * Looks on from a place, for a while, which is at the beginning again when all were looked at.
 * @returns how many erasures wait again @param since null: however old
 */
const findLateScans = async (
  { pool, clickhouse }: RoundParts,
  since: Date | null,
  place: LookPlace,
): Promise<number> => {
  const endMs = performance.now() + lookMsMax;
  let found = 0;
  do {
    const page = await pageOfEnded(pool, since, place.afterSeq);
    if (page.length === 0) {
      place.afterSeq = '0';
      break;
    }
    const late = await findLate(clickhouse, page);
    const ids = page.filter(({ codeId }) => late.has(codeId)).map(({ erasureId }) => erasureId);
    if (ids.length > 0) await waitAgain(pool, ids);
    found += ids.length;
    place.afterSeq = page.at(-1)!.seq;
  } while (performance.now() < endMs);
  return found;
};

/** @throws if a database does not answer: the next run tries again */
export const eraseLateScans = async (
  parts: RoundParts & { logger: Logger },
  since: Date | null,
  place: LookPlace = { afterSeq: '0' },
): Promise<void> => {
  const endMs = performance.now() + runMsMax;
  const found = await findLateScans(parts, since, place);
  if (found > 0)
    parts.logger.info({ erasures: found }, 'scans of erased codes have arrived: they are erased');
  while (performance.now() < endMs && (await advanceRound(parts)) !== 'idle');
};

export const lateScanTasks = (parts: RoundParts & { logger: Logger }): Task[] => {
  const [recent, all]: [LookPlace, LookPlace] = [{ afterSeq: '0' }, { afterSeq: '0' }];
  return [
    {
      task: 'erase-late-scans',
      schedule: '*/5 * * * *',
      run: () => eraseLateScans(parts, new Date(Date.now() - recentMs), recent),
    },
    { task: 'erase-all-late-scans', schedule: '50 3 * * *', run: () => eraseLateScans(parts, null, all) },
  ];
};
