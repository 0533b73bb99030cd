/** Keys of the storage. */

/** In front of all of them. */
export const root = 'exports/';

/** In front of everything of one export. */
export const exportPrefix = (jobId: string): string => `${root}${jobId}/`;

/** The list at the end of the zip. */
export const listKey = (jobId: string): string => `${exportPrefix(jobId)}list`;

/** The export that a key belongs to. */
export const exportOf = (key: string): string => key.slice(root.length).split('/')[0]!;
