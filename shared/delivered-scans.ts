/**
 * Up to when scans are delivered: redirectors say so in a hash of Redis (redirector/instance/membership.ts). Each field is a folder
 * of scans, and its line `at until living`; the field `since` says when the hash began.
 */

/** The hash of the folders of scans. */
export const scanFoldersKey = 'redirectors';

/** How long the folder of a dead process is waited for. After that its disk counts as lost, and its scans with it. */
export const folderWaitedForMs = 5 * 60_000;

/** How long after a data loss of Redis every live process has written its line again. */
export const foldersCompleteAfterMs = 3000;

export interface Folders {
  /** When the hash began; undefined if no redirector has written it. */
  sinceMs: number | undefined;
  /** Every scan answered before this moment, by any process whose folder is not lost, is in ClickHouse. */
  deliveredUntilMs: number;
  /** Folders that a redirecting process holds, and when it last wrote its line. */
  living: readonly { atMs: number }[];
}

/** @param lines fields and lines, alternating @param nowMs Redis's time */
export const readFolders = (lines: readonly string[], nowMs: number): Folders => {
  let sinceMs: number | undefined;
  let deliveredUntilMs = nowMs;
  const living: { atMs: number }[] = [];
  for (let i = 0; i < lines.length; i += 2) {
    const [atMs = 0, untilMs = 0, isLiving] = lines[i + 1]!.split(' ').map(Number);
    if (lines[i] === 'since') sinceMs = atMs;
    else {
      if (isLiving === 1) living.push({ atMs });
      deliveredUntilMs = Math.min(deliveredUntilMs, untilMs);
    }
  }
  return { sinceMs, deliveredUntilMs, living };
};
