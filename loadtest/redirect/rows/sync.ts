/**
 * The cost of each `SPOOL_SYNC`: three redirectors that differ in it alone, in turn. Their spools are in the temporary folder,
 * and the figures of `always` depend on its disk.
 */
import { spoolSyncModes } from '#shared/config.ts';
import type { Context } from '../../bench/context.ts';
import { interleave } from '../../bench/interleave.ts';
import { type OpenRound, openRound, quietestOpenRound } from '../../bench/open-rounds.ts';
import { type ClosedFigures, connections, interleavedRounds } from '../../bench/rounds.ts';
import type { Waymark } from '../../bench/waymark.ts';
import { runWrk } from '../../load/wrk.ts';

export interface SyncFigures extends ClosedFigures {
  mode: (typeof spoolSyncModes)[number];
  /** At half of the slowest one's peak. */
  sameRate: OpenRound;
}

export interface SyncResult {
  ratePerSecond: number;
  modes: SyncFigures[];
}

interface Subject extends Waymark {
  mode: SyncFigures['mode'];
  requestsFile: string;
}

const startSubjects = async ({ environment, start }: Context, subjects: Subject[]): Promise<void> => {
  const { requestsFile } = environment;
  for (const mode of spoolSyncModes) {
    const redirector = await start({ name: `sync-${mode}`, environment: { SPOOL_SYNC: mode } });
    subjects.push({ ...redirector, mode, requestsFile });
  }
};

const measure = async (context: Context, subjects: Subject[]): Promise<SyncResult> => {
  const { closedLoop, openLoop } = context;
  for (const subject of subjects) await runWrk({ ...subject, connections, seconds: 4 * closedLoop.seconds });
  const closed = await interleavedRounds(subjects, closedLoop);
  const ratePerSecond = Math.min(...[...closed.values()].map(({ perSecond }) => perSecond)) / 2;
  const open = await interleave(subjects, openLoop, (subject) =>
    openRound(subject, ratePerSecond, openLoop.seconds),
  );
  const modes = subjects.map((subject) => ({
    ...closed.get(subject)!,
    mode: subject.mode,
    sameRate: quietestOpenRound(open.get(subject)!),
  }));
  return { ratePerSecond, modes };
};

export const measureSync = async (context: Context): Promise<SyncResult> => {
  const subjects: Subject[] = [];
  try {
    await startSubjects(context, subjects);
    return await measure(context, subjects);
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
};
