/**
 * Scans that arrive after their erasure: from the disk of a redirector that was cut off, or sent again. They are erased like the
 * others, within minutes for a week, and every night after that.
 */
import type { Logger } from '#shared/logger.ts';
import type { Task } from '../../jobs/tasks.ts';
import { advanceRound, findLate, type RoundParts } from './rounds/rounds.ts';
import { pageOfEnded, waitAgain } from './rounds/store.ts';

const recentMs = 7 * 86_400_000;
/** A run ends after this time; the next one continues. */
const runMsMax = 45_000;

/** @returns how many erasures wait again @param since null: however old */
export const findLateScans = async (
  { pool, clickhouse }: RoundParts,
  since: Date | null,
): Promise<number> => {
  let found = 0;
  for (let afterSeq = '0'; ; ) {
    const page = await pageOfEnded(pool, since, afterSeq);
    if (page.length === 0) return found;
    const late = await findLate(clickhouse, page);
    const ids = page.filter(({ codeId }) => late.has(codeId)).map(({ erasureId }) => erasureId);
    if (ids.length > 0) await waitAgain(pool, ids);
    found += ids.length;
    afterSeq = page.at(-1)!.seq;
  }
};

/** @throws if a database does not answer: the next run tries again */
export const eraseLateScans = async (
  parts: RoundParts & { logger: Logger },
  since: Date | null,
): Promise<void> => {
  const found = await findLateScans(parts, since);
  if (found > 0)
    parts.logger.info({ erasures: found }, 'scans of erased codes have arrived: they are erased');
  const endMs = performance.now() + runMsMax;
  while (performance.now() < endMs && (await advanceRound(parts)) !== 'idle');
};

export const lateScanTasks = (parts: RoundParts & { logger: Logger }): Task[] => [
  {
    task: 'erase-late-scans',
    schedule: '*/5 * * * *',
    run: () => eraseLateScans(parts, new Date(Date.now() - recentMs)),
  },
  { task: 'erase-all-late-scans', schedule: '50 3 * * *', run: () => eraseLateScans(parts, null) },
];
