/** The links, addresses and numbers of a text: a draft may have these and no others. */
import { getPublicSuffix, parse } from 'tldts';
import { destinationLengthMax } from '#schemas/api/destination.ts';
import { httpWithHost } from '#schemas/web-url.ts';
import { bare, domainsIn, emailsIn, hasScheme, isEmail } from './find-links.ts';

export interface Links {
  /** Whether the text has what an `http:`, `https:`, `mailto:` or `tel:` URL leads to, or an address. */
  has(link: string): boolean;
  /** Whether a word has a link or an address that the text does not have. */
  isForeign(word: string): boolean;
}

const words = (text: string): string[] => text.split(/[\s<>"'()[\]{}|\\^`]+/);

/** Longer words are not looked into: a page for people has none, but links. */
const wordLengthMax = 500;
/** A name with more labels is not looked up: it counts as one of a public domain. */
const labelsMax = 10;

const domain = /^(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*(?=$|[/?#:])/u;
const phone = /\+?\d[\d\s()./-]{4,}\d/g;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

const isPublicName = (given: string): boolean => {
  const name = given.toLowerCase();
  return /^www\../.test(name) || (parse(name).isIcann === true && getPublicSuffix(name) !== name);
};

/** Whether a word begins with a name of a public domain. */
const isDomain = (word: string): boolean => isPublicName(domain.exec(word)?.[0] ?? '');

/** The name with which a word begins, without a sentence that follows it without a space: `luna.shop.Order` */
const nameIn = (word: string): string | undefined => {
  const labels = domain.exec(word)?.[0].split('.') ?? [];
  if (labels.length > labelsMax) return labels.join('.');
  const names = labels.map((_, at) => labels.slice(0, labels.length - at).join('.'));
  return names.find(isPublicName);
};

/** The same for links that differ only in `https`, `www.` or a slash at the end. */
const placeOf = (url: URL): string =>
  `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${url.search}${url.hash}`;

const webUrlIn = (word: string): URL | undefined => {
  if (word.length > destinationLengthMax) return undefined;
  const isUrl = /^https?:\/\//i.test(word);
  const text = isUrl ? word : `https://${word}`;
  if (!httpWithHost.test(text) || !(isUrl || isDomain(word))) return undefined;
  return URL.parse(text) ?? undefined;
};

const phonesIn = (text: string): Set<string> => new Set((text.match(phone) ?? []).map(digitsOf));

/** In steps. */
export function* linksOf(text: string): Generator<void, Links> {
  const places = new Set<string>();
  const hosts = new Set<string>();
  const emails = new Set<string>();
  const phones = phonesIn(text);
  for (const word of words(text).map(bare)) {
    yield;
    const address = word.replace(/^mailto:/i, '').toLowerCase();
    if (isEmail(address)) emails.add(address);
    const url = webUrlIn(word);
    if (!url) continue;
    places.add(placeOf(url));
    hosts.add(url.hostname.replace(/^www\./, ''));
  }
  const has = (link: string): boolean => {
    if (/^tel:/i.test(link)) return phones.has(digitsOf(link));
    const address = link.replace(/^mailto:/i, '').toLowerCase();
    if (isEmail(address)) return emails.has(address);
    const url = webUrlIn(link);
    return url !== undefined && places.has(placeOf(url));
  };
  /** All of a link, or a host of the text by itself. */
  const isOwn = (found: string): boolean => {
    const name = nameIn(found)
      ?.toLowerCase()
      .replace(/^www\./, '');
    return has(found) || (!/[/?#:]/.test(found) && name !== undefined && hosts.has(name));
  };
  return {
    has,
    isForeign(given) {
      const word = bare(given);
      if (has(word)) return false;
      if (word.length > wordLengthMax || hasScheme(word)) return true;
      const found = [...emailsIn(word), ...domainsIn(word, (name) => nameIn(name) !== undefined)];
      return found.map(bare).some((each) => !isOwn(each));
    },
  };
}
