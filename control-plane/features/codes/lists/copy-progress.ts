/** How far the copy of scan counts is, and which run copies now: one row. */
import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../platform/db/pool.ts';

/** Longer than a run. */
const holdSeconds = 55;

export interface Progress {
  copiedTo: Date | null;
  /** Scans up to then are being copied; null if no run was cut short. */
  copyingTo: Date | null;
  /** The codes up to this one have been. */
  copyingAfterId: string;
  /** Where the copy of all codes is; null if it is done. */
  allAfterId: string | null;
  /** It begins again when it is done: scans were forgotten meanwhile. */
  allAgain: boolean;
  /** Of the codes whose scans are not recorded: where the copy of their caps is. */
  capsAfterId: string;
}

/** A run. Its hold ends by itself, and another run may then have one of its own. */
export interface Held {
  by: string;
  progress: Progress;
}

/** @returns undefined if another process copies */
export const hold = async (db: Queryable): Promise<Held | undefined> => {
  const by = randomUUID();
  const { rows } = await db.query<Progress>({
    name: 'hold-code-scans',
    text: `UPDATE code_scans_progress SET held_until = now() + make_interval(secs => $1), held_by = $2 WHERE held_until < now()
           RETURNING copied_to AS "copiedTo", copying_to AS "copyingTo", copying_after_id AS "copyingAfterId",
             all_after_id AS "allAfterId", all_again AS "allAgain", caps_after_id AS "capsAfterId"`,
    values: [holdSeconds, by],
  });
  return rows[0] && { by, progress: rows[0] };
};

/** A run whose hold is another's by now leaves the progress to that one, and ends. */
export const saveProgress = async (db: Queryable, { by, progress }: Held): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'save-code-scans-progress',
    text: `UPDATE code_scans_progress SET copied_to = $2, copying_to = $3, copying_after_id = $4, all_after_id = $5,
             all_again = $6, caps_after_id = $7 WHERE held_by = $1`,
    values: [
      by,
      progress.copiedTo,
      progress.copyingTo,
      progress.copyingAfterId,
      progress.allAfterId,
      progress.allAgain,
      progress.capsAfterId,
    ],
  });
  return rowCount === 1;
};

export const release = (db: Queryable, { by }: Held) =>
  db.query({
    name: 'release-code-scans',
    text: `UPDATE code_scans_progress SET held_until = '-infinity', held_by = NULL WHERE held_by = $1`,
    values: [by],
  });
