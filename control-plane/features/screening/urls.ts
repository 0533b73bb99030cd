/** The URLs in a body or in a stored configuration, each with the path of its field. */
import { destinationLengthMax } from '#schemas/api/destination.ts';
import { httpWithHost } from '#schemas/web-url.ts';
import { ClientError } from '#shared/errors.ts';
import { decodePart, linkedUrl } from '#shared/payloads/links.ts';
import { parseMecard } from '#shared/payloads/mecard.ts';
import { parseVcalendar } from '#shared/payloads/vcalendar.ts';
import { parseVcard } from '#shared/payloads/vcard.ts';

export interface FoundUrl {
  /** Such as `routingRules[2].destination`. */
  field: string;
  url: URL;
}

/**
 * Different URLs of one write: each is looked up in some hundred ways. No honest one has so many; the largest menu has a
 * thousand items.
 */
export const urlsMax = 2_000;

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
const isPicture = (key: string): boolean => /^(?:image|logo)$|(?:image|logo|icon|avatar)Url$/i.test(key);

/** A text without these neither is a URL nor holds one. */
const mayLead = /[.:]/;

const isUrl = (text: string): boolean => /^https?:/i.test(text) && httpWithHost.test(text);

/** Browsers and Android open what follows such a scheme, and pages that it names. */
const ownScheme = /^[a-z][a-z0-9+.-]*:(\/\/)?(\S+)$/i;
const named = /https?:\/\/[^\s;&#"]+/gi;

/** Of `intent://host/…;S.browser_fallback_url=…`, `x-safari-https://host/…`, `firefox://open-url?url=…` and the like. */
const urlsOfApp = (text: string): string[] => {
  const [, slashes, rest] = (text.length <= destinationLengthMax && ownScheme.exec(text)) || [];
  if (rest === undefined) return [];
  const whole = slashes === undefined ? [] : [`https://${rest}`];
  return [...whole, ...(text.match(named) ?? []), ...(decodePart(text).match(named) ?? [])];
};

/** What the page of a contact or an event links. */
const urlsOfPayload = (text: string): string[] => {
  const contact = parseMecard(text) ?? parseVcard(text);
  if (contact) return contact.websites.flatMap((website) => linkedUrl(website.trim()) ?? []);
  const location = parseVcalendar(text)?.location;
  return location === undefined ? [] : [linkedUrl(location) ?? []].flat();
};

const address = /(?:https?:\/\/|(?<![\w.-])www\.)[^\s<>"“”„«»‹›]+/gi;
/** Ends of sentences and brackets. */
const trailing = /[.,:;!?'’)\]}…*_]{1,20}$/;

/** Pages link the addresses in their texts. */
const urlsOfText = (text: string): string[] =>
  (text.match(address) ?? []).map((word) =>
    (/^www/i.test(word) ? `https://${word}` : word).replace(trailing, ''),
  );

/** The page of an event links its place; a Digital Link is at a domain. */
const isPlace = (field: string): boolean =>
  /(?:^|\.)(?:location|data\.domain|destination\.domain)$/.test(field);

const textsIn = (field: string, text: string): string[] => {
  if (isUrl(text)) return [text];
  if (isPlace(field)) return [linkedUrl(text) ?? []].flat();
  return [...urlsOfApp(text), ...urlsOfText(text), ...urlsOfPayload(text)];
};

const urlIn = (field: string, text: string): FoundUrl[] => {
  const urls = textsIn(field, text).flatMap((each) => (isUrl(each) ? (URL.parse(each) ?? []) : []));
  const distinct = new Map(urls.filter(({ hostname }) => hostname).map((url) => [url.href, url]));
  return [...distinct.values()].map((url) => ({ field, url }));
};

/**
 * @param value checked: its nesting and its size are bounded
 * @yields what each single value leads to
 */
function* urlsOfValues(value: unknown, field = ''): Generator<FoundUrl[]> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) {
    yield typeof value === 'string' && mayLead.test(value) ? urlIn(field, value) : [];
    return;
  }
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) yield* urlsOfValues(each, `${field}[${at}]`);
    return;
  }
  for (const [key, each] of Object.entries(value))
    if (!unseen.has(key) && !isPicture(key))
      yield* urlsOfValues(each, field === '' ? key : `${field}.${key}`);
}

const tooManyUrls = (field: string): ClientError =>
  new ClientError(
    'UNPROCESSABLE',
    `${field} must leave at most ${urlsMax} different URLs in the whole body, those in its texts counted`,
    { fault: 'length' },
  );

/**
 * The URLs of a write, each once, in steps (api/http/steps.ts).
 * @throws {ClientError} UNPROCESSABLE naming the field whose URL is one too many
 */
export function* differentUrls(body: unknown): Generator<void, FoundUrl[]> {
  const different = new Map<string, FoundUrl>();
  for (const urls of urlsOfValues(body)) {
    for (const found of urls) {
      const { href } = found.url;
      if (different.has(href)) continue;
      if (different.size === urlsMax) throw tooManyUrls(found.field);
      different.set(href, found);
    }
    yield;
  }
  return [...different.values()];
}

/** Every URL of each thing that is stored, with all fields that have it, in steps. */
export function* urlsOfEach(stored: readonly unknown[]): Generator<void, FoundUrl[][]> {
  const found: FoundUrl[][] = [];
  for (const each of stored) {
    const own: FoundUrl[] = [];
    for (const urls of urlsOfValues(each)) {
      own.push(...urls);
      yield;
    }
    found.push(own);
  }
  return found;
}
