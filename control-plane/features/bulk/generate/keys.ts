/** Keys of the storage. */

/** In front of all of them. */
export const root = 'bulk/';

/** In front of everything of one operation. */
export const operationPrefix = (bulkId: string): string => `${root}${bulkId}/`;

/** In front of the pictures that no zip has yet. */
export const partsPrefix = (bulkId: string): string => `${operationPrefix(bulkId)}parts/`;

export const zipKey = (bulkId: string): string => `${operationPrefix(bulkId)}pictures.zip`;

/** The operation that a key belongs to. */
export const operationOf = (key: string): string => key.slice(root.length).split('/')[0]!;
