/** Entity tags in If-Match and If-None-Match: RFC 9110, 8.8.3 and 13.1. */

const entityTags = /(?:W\/)?"[^"]*"/g;

const opaqueOf = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);

/**
 * Whether a list of entity tags, or `*`, has this one.
 * @param etag in quotes, with `W/` before them where it is weak
 * @param isWeak whether weak ones count as well (8.8.3.2); otherwise both are to be strong
 */
export const listsTag = (header: string, etag: string, isWeak: boolean): boolean =>
  header.trim() === '*' ||
  (header.match(entityTags) ?? []).some((one) => (isWeak ? opaqueOf(one) === opaqueOf(etag) : one === etag));
