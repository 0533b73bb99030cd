/** Keys of the storage. */

/** The prefix of all of them. */
export const root = 'bulk/';

/** The prefix of everything of one operation. */
export const operationPrefix = (bulkId: string): string => `${root}${bulkId}/`;

/** The prefix of pictures that are not in a zip yet. */
export const partsPrefix = (bulkId: string): string => `${operationPrefix(bulkId)}parts/`;

export const zipKey = (bulkId: string): string => `${operationPrefix(bulkId)}pictures.zip`;

/** The operation of a key. */
export const operationOf = (key: string): string => key.slice(root.length).split('/')[0]!;
