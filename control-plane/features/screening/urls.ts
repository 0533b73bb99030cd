/** The URLs in a body or in a stored configuration, each with the path of its field. */
import { httpWithHost } from '#schemas/web-url.ts';

export interface FoundUrl {
  /** Such as `routingRules[2].destination`. */
  field: string;
  url: URL;
}

/** What no visitor is led to: notes of the owner, and keys. */
const unseen: ReadonlySet<string> = new Set([
  'name',
  'notes',
  'metadata',
  'externalId',
  'tags',
  'password',
  'encryption',
]);

/** Pictures are fetched by the service itself. */
const isPicture = (key: string): boolean => /^image$|(?:image|logo|icon|avatar)Url$/i.test(key);

const isUrl = (text: string): boolean => /^https?:/i.test(text) && httpWithHost.test(text);

const urlIn = (field: string, text: string): FoundUrl[] => {
  const url = isUrl(text) ? URL.parse(text) : null;
  return url?.hostname ? [{ field, url }] : [];
};

/** @param value checked: its nesting and its size are bounded */
export const urlsIn = (value: unknown, field = ''): FoundUrl[] => {
  if (typeof value === 'string') return urlIn(field, value);
  if (Array.isArray(value)) return value.flatMap((each, at) => urlsIn(each, `${field}[${at}]`));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    unseen.has(key) || isPicture(key) ? [] : urlsIn(each, field === '' ? key : `${field}.${key}`),
  );
};
