/** Takes out of an answer what no draft may have, wherever it is: markup, foreign links, pictures, prices that the text lacks. */
import { ClientError } from '#shared/errors.ts';
import type { Links } from './links.ts';

/** What an answer becomes, and what was taken out of it. */
export interface Cleaned {
  value: Record<string, unknown>;
  warnings: string[];
}

const warningsMax = 50;
/** The longest field has 3,000: a longer text is a fault, and is not looked into. */
const textLengthMax = 4_096;

/** Fields with addresses that a browser would load, and fields that the service sets itself. */
const dropped: ReadonlySet<string> = new Set([
  ...['heroImageUrl', 'avatarUrl', 'imageUrl', 'iconUrl', 'logoUrl'],
  ...['id', 'status', 'customTags', 'tagCategories'],
]);

const linkFields: ReadonlySet<string> = new Set(['destination', 'url']);

const tag = /<\/?[a-z!][^<>]*>?/gi;

const nestedMax = 5;

/** Taking a tag out may leave another one. What goes on like that loses every `<`. */
const withoutTags = (text: string): string => {
  let [before, after] = [text, text.replaceAll(tag, '')];
  for (let depth = 1; after !== before; depth++) {
    if (depth === nestedMax) return after.replaceAll('<', '');
    [before, after] = [after, after.replaceAll(tag, '')];
  }
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

  /** @throws {ClientError} INVALID_REQUEST for a text that no field takes */
  const requireShort = (given: unknown, path: string): void => {
    if (typeof given === 'string' && given.length > textLengthMax)
      throw new ClientError('INVALID_REQUEST', `${path} must have at most ${textLengthMax} characters`);
  };

  const textOf = (given: string, path: string): string => {
    requireShort(given, path);
    const plain = withoutTags(given);
    if (plain !== given) warn(`${path}: markup was left out`);
    const kept = plain.replaceAll(/[^\s<>"'()[\]{}|\\^`]+/g, (word) => (links.isForeign(word) ? '' : word));
    if (kept !== plain) warn(`${path}: a link or an address that your text does not have was left out`);
    return kept.trim();
  };

  function* fieldOf(name: string, value: unknown, path: string): Generator<void, unknown> {
    if (value === null || dropped.has(name)) return undefined;
    requireShort(value, path);
    if (
      name === 'price' &&
      typeof value === 'string' &&
      !numbersIn(value).every((each) => numbers.has(each))
    ) {
      warn(`${path} was left out: your text does not have it`);
      return undefined;
    }
    return linkFields.has(name) ? value : yield* cleaned(value, path);
  }

  /** An entry whose link the text does not have is of no use. */
  const isKept = (entry: unknown, path: string): boolean => {
    if (typeof entry !== 'object' || entry === null) return true;
    const [link] = Object.entries(entry).flatMap(([name, value]) => (linkFields.has(name) ? [value] : []));
    requireShort(link, path);
    if (typeof link !== 'string' || links.has(link)) return true;
    warn(`${path} was left out: your text does not have its link`);
    return false;
  };

  function* listOf(list: readonly unknown[], path: string): Generator<void, unknown[]> {
    const kept: unknown[] = [];
    for (const [at, entry] of list.entries()) {
      const place = `${path}[${at}]`;
      if (isKept(entry, place)) kept.push(yield* cleaned(entry, place));
    }
    return kept;
  }

  function* cleaned(value: unknown, path: string): Generator<void, unknown> {
    yield;
    if (typeof value === 'string') return textOf(value, path);
    if (Array.isArray(value)) return yield* listOf(value, path);
    if (typeof value !== 'object' || value === null) return value;
    const fields: [string, unknown][] = [];
    for (const [name, each] of Object.entries(value)) {
      const field = yield* fieldOf(name, each, path === '' ? name : `${path}.${name}`);
      // Fields that became empty are not sent: most may be absent, but not empty.
      if (field !== undefined && field !== '') fields.push([name, field]);
    }
    return Object.fromEntries(fields);
  }

  return {
    /** In steps. @throws {ClientError} INVALID_REQUEST naming a text that is too long */
    *clean(answer: Record<string, unknown>): Generator<void, Cleaned> {
      const value = (yield* cleaned(answer, '')) as Record<string, unknown>;
      return { value, warnings: [...warnings] };
    },
  };
};
