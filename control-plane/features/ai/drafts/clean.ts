/** Takes out of an answer what no draft may have, wherever it is: markup, foreign links, pictures, prices that the text lacks. */
import type { Links } from './links.ts';

/** What an answer becomes, and what was taken out of it. */
export interface Cleaned {
  value: Record<string, unknown>;
  warnings: string[];
}

const warningsMax = 50;

/** Fields with addresses that a browser would load, and fields that the service sets itself. */
const dropped: ReadonlySet<string> = new Set([
  ...['heroImageUrl', 'avatarUrl', 'imageUrl', 'iconUrl', 'logoUrl'],
  ...['id', 'status', 'customTags', 'tagCategories'],
]);

const linkFields: ReadonlySet<string> = new Set(['destination', 'url']);

const tag = /<\/?[a-z!][^<>]*>?/gi;

/** Taking a tag out may leave another one. */
const withoutTags = (text: string): string => {
  let [before, after] = [text, text.replaceAll(tag, '')];
  while (after !== before) [before, after] = [after, after.replaceAll(tag, '')];
  return after;
};

/** `12.50` and `12,50` are the same price. */
const numbersIn = (text: string): string[] =>
  (text.match(/\d[\d.,'’]*/g) ?? []).map((number) => number.replace(/\D/g, ''));

export interface Given {
  /** The text of the client. */
  text: string;
  links: Links;
}

export const createCleaner = ({ text, links }: Given) => {
  const numbers = new Set(numbersIn(text));
  const warnings = new Set<string>();
  const warn = (warning: string): void => {
    if (warnings.size < warningsMax) warnings.add(warning);
  };

  const textOf = (given: string, path: string): string => {
    const plain = withoutTags(given);
    if (plain !== given) warn(`${path}: markup was left out`);
    const kept = plain.replaceAll(/[^\s<>"'()[\]{}|\\^`]+/g, (word) => (links.isForeign(word) ? '' : word));
    if (kept !== plain) warn(`${path}: a link or an address that your text does not have was left out`);
    return kept.trim();
  };

  const fieldOf = (name: string, value: unknown, path: string): unknown => {
    if (value === null || dropped.has(name)) return undefined;
    if (
      name === 'price' &&
      typeof value === 'string' &&
      !numbersIn(value).every((each) => numbers.has(each))
    ) {
      warn(`${path} was left out: your text does not have it`);
      return undefined;
    }
    return linkFields.has(name) ? value : cleaned(value, path);
  };

  /** An entry whose link the text does not have is of no use. */
  const isKept = (entry: unknown, path: string): boolean => {
    if (typeof entry !== 'object' || entry === null) return true;
    const [link] = Object.entries(entry).flatMap(([name, value]) => (linkFields.has(name) ? [value] : []));
    if (typeof link !== 'string' || links.has(link)) return true;
    warn(`${path} was left out: your text does not have its link`);
    return false;
  };

  const cleaned = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return textOf(value, path);
    if (Array.isArray(value))
      return value
        .map((entry, at) => [entry, `${path}[${at}]`] as const)
        .filter(([entry, at]) => isKept(entry, at))
        .map(([entry, at]) => cleaned(entry, at));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value)
      .map(([name, each]) => [name, fieldOf(name, each, path === '' ? name : `${path}.${name}`)] as const)
      // Fields that became empty are not sent: most may be absent, but not empty.
      .filter(([, each]) => each !== undefined && each !== '');
    return Object.fromEntries(fields);
  };

  return {
    clean(answer: Record<string, unknown>): Cleaned {
      const value = cleaned(answer, '') as Record<string, unknown>;
      return { value, warnings: [...warnings] };
    },
  };
};
