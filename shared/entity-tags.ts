/** Entity tags in If-Match and If-None-Match: RFC 9110, 8.8.3 and 13.1. */

const entityTags = /(?:W\/)?"[^"]*"/g;

const opaqueOf = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);

/**
 * Whether a list of entity tags, or `*`, includes this one.
 * @param etag in quotes, prefixed with `W/` if weak
 * @param isWeak whether weak tags match as well (8.8.3.2); otherwise both must be strong
 */
export const listsTag = (header: string, etag: string, isWeak: boolean): boolean =>
  header.trim() === '*' ||
  (header.match(entityTags) ?? []).some((one) => (isWeak ? opaqueOf(one) === opaqueOf(etag) : one === etag));

/** Whether a header is `*` or a list of entity tags. */
export const isTagList = (header: string): boolean =>
  header.trim() === '*' || (/"/.test(header) && /^[\s,]*$/.test(header.replaceAll(entityTags, '')));
