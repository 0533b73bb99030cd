/** The links, addresses and numbers of a text: a draft may have these and no others. */
import { getPublicSuffix, parse } from 'tldts';

export interface Links {
  /** Whether the text has what an `http:`, `https:`, `mailto:` or `tel:` URL leads to, or an address. */
  has(link: string): boolean;
  /** Whether a word has a link or an address that the text does not have. */
  isForeign(word: string): boolean;
}

const words = (text: string): string[] => text.split(/[\s<>"'()[\]{}|\\^`]+/);
/** Without the marks of a sentence around it. */
const bare = (word: string): string => word.replace(/^[¡¿*_~,;:]+|[.,;:!?*_~…]+$/gu, '');

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const domain = /^(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*(?=$|[/?#:])/u;
const phone = /\+?\d[\d\s()./-]{4,}\d/g;

/** Links have one, and what a browser runs. */
const scheme = /[a-z][a-z\d+.-]*:\/\/|(?:javascript|data|vbscript|mailto|tel):/i;
const emailsIn = /[^\s@]+@[^\s@]+\.[^\s@]+/g;
const domainsIn = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*(?:[/?#:]\S*)?/gu;

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
  const names = labels.map((_, at) => labels.slice(0, labels.length - at).join('.'));
  return names.find(isPublicName);
};

/** The same for links that differ only in `https`, `www.` or a slash at the end. */
const placeOf = (url: URL): string =>
  `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${url.search}${url.hash}`;

const webUrlIn = (word: string): URL | undefined => {
  if (/^https?:\/\//i.test(word)) return URL.parse(word) ?? undefined;
  return isDomain(word) ? (URL.parse(`https://${word}`) ?? undefined) : undefined;
};

export const linksOf = (text: string): Links => {
  const places = new Set<string>();
  const hosts = new Set<string>();
  const emails = new Set<string>();
  const phones = new Set((text.match(phone) ?? []).map(digitsOf));
  for (const word of words(text).map(bare)) {
    const address = word.replace(/^mailto:/i, '').toLowerCase();
    if (email.test(address)) emails.add(address);
    const url = webUrlIn(word);
    if (!url) continue;
    places.add(placeOf(url));
    hosts.add(url.hostname.replace(/^www\./, ''));
  }
  const has = (link: string): boolean => {
    if (/^tel:/i.test(link)) return phones.has(digitsOf(link));
    const address = link.replace(/^mailto:/i, '').toLowerCase();
    if (email.test(address)) return emails.has(address);
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
      if (scheme.test(word)) return true;
      const found = [...(word.match(emailsIn) ?? []), ...(word.match(domainsIn) ?? []).filter(nameIn)];
      return found.map(bare).some((each) => !isOwn(each));
    },
  };
};
