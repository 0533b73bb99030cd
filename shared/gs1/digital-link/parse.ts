/**
 * Reads GS1 Digital Links (GS1 Digital Link Standard: URI Syntax). A redirector does this for every scan of one: it
 * passes over the text a few times with table lookups, and uses no regular expression searches.
 */
import { checkAssociations } from '../associations.ts';
import { isDigits, padGtin } from '../check-digit.ts';
import { type Identifier, identifiers } from '../dictionary/dictionary.ts';
import { type Gs1Element, Gs1Error } from '../gs1-error.ts';
import { checkLength, checkValue } from '../values/check-value.ts';
import { belongsInPath, checkSegments, isKeyPath, levelsOf, primaryKeys } from './key-path.ts';
import { decodeValue, encodeValue } from './percent.ts';
import { queryParts, queryPartsMax } from './query-parts.ts';
import { splitUri } from './uri.ts';

export interface DigitalLink {
  /** The path before the primary key: empty, or `/` and more. */
  stem: string;
  key: Gs1Element;
  /** In the order of the standard. */
  qualifiers: readonly Gs1Element[];
  /** From the query, in its order. */
  attributes: readonly Gs1Element[];
  /** Query parameters that are not application identifiers, unchanged, separated by `&`. */
  otherQuery: string;
  /** Canonical paths, from the most specific to the bare key: see {@link levelsOf}. */
  levels: readonly string[];
  /** The URI at GS1's own resolver, without other parameters. */
  canonical: string;
}

export interface DigitalLinkOptions {
  /**
   * Tolerates some faults in printed or typed addresses: a GTIN of 8, 12 or 13 digits, a trailing slash, `;` between
   * query parameters, and any characters in parameters that are not GS1's. A query with too many parts is not read at
   * all. Default: false, like GS1's checker.
   */
  isLenient?: boolean;
}

/** Characters, which are checked one by one. */
export const digitalLinkLengthMax = 8192;

/** GS1’s own resolver. */
export const gs1Resolver = 'https://id.gs1.org';

const noKey = (position: number): Gs1Error => {
  const expected = `/01/ and a GTIN, or another primary key (${primaryKeys.join(', ')}) and its value`;
  return new Gs1Error('no-key-in-path', { position, expected }, 'No GS1 DL keys found in path info');
};

/** The segments of a path from its primary key on: identifiers and values alternately. */
interface KeySegments {
  stem: string;
  segments: readonly string[];
}

/** Searches backwards by pairs of identifier and value, up to the first key. */
const findKey = (path: string): KeySegments | undefined => {
  const segments = path.split('/');
  for (let at = segments.length - 2; at > 0; at -= 2) {
    const identifier = identifiers.get(segments[at]!);
    if (!identifier) return undefined;
    if (identifier.qualifiers) return { stem: segments.slice(0, at).join('/'), segments: segments.slice(at) };
  }
  return undefined;
};

const keyOf = (path: string, isLenient: boolean): KeySegments | undefined => {
  const found = findKey(path);
  return found || !isLenient || !path.endsWith('/') ? found : findKey(path.slice(0, -1));
};

/** @param where `path` or `query` */
const readElement = (
  identifier: Identifier,
  encoded: string,
  where: 'path' | 'query',
  isLenient: boolean,
): Gs1Element | Gs1Error => {
  const { ai } = identifier;
  if (encoded === '') {
    const message = `AI (${ai}) value ${where} element is empty`;
    return new Gs1Error('empty-value', { ai, expected: 'a value' }, message);
  }
  const decoded = decodeValue(encoded);
  if (typeof decoded === 'number') {
    const at = { ai, position: decoded, expected: '% and two hexadecimal digits; %25 for a percent sign' };
    return new Gs1Error('malformed-percent', at, `AI (${ai}): invalid percent-encoding`);
  }
  const value = isLenient && ai === '01' ? padGtin(decoded) : decoded;
  return checkLength(identifier, value) ?? { ai, value };
};

const readPath = (segments: readonly string[], isLenient: boolean): Gs1Element[] | Gs1Error => {
  const elements: Gs1Element[] = [];
  for (let at = 0; at < segments.length; at += 2) {
    const element = readElement(identifiers.get(segments[at]!)!, segments[at + 1]!, 'path', isLenient);
    if (element instanceof Gs1Error) return element;
    elements.push(element);
  }
  return elements;
};

interface Query {
  attributes: readonly Gs1Element[];
  otherQuery: string;
}

const noQuery: Query = { attributes: [], otherQuery: '' };

/** The identifier of a parameter; undefined if it is not GS1's. */
const identifierOf = (parameter: string, equals: number): Identifier | Gs1Error | undefined => {
  const name = parameter.slice(0, Math.max(equals, 0));
  if (!isDigits(name)) return undefined;
  const message = `Unknown AI (${name.slice(0, 20)}) in query parameters`;
  return (
    identifiers.get(name) ??
    new Gs1Error('unknown-ai-in-query', { expected: 'an application identifier' }, message)
  );
};

const tooManyParts = (): Gs1Error => {
  const expected = `at most ${queryPartsMax} parameters`;
  return new Gs1Error('too-much-data', { expected }, 'Too many query parameters');
};

const readQuery = (query: string, isLenient: boolean): Query | Gs1Error => {
  if (query === '') return noQuery;
  const parts = queryParts(query, isLenient);
  if (!parts) return isLenient ? { attributes: [], otherQuery: query } : tooManyParts();
  const attributes: Gs1Element[] = [];
  const others: string[] = [];
  for (const parameter of parts) {
    const equals = parameter.indexOf('=');
    const identifier = identifierOf(parameter, equals);
    if (identifier instanceof Gs1Error) return identifier;
    if (identifier) {
      const encoded = parameter.slice(equals + 1).replaceAll('+', ' ');
      const element = readElement(identifier, encoded, 'query', isLenient);
      if (element instanceof Gs1Error) return element;
      attributes.push(element);
    } else if (parameter !== '') others.push(parameter);
  }
  return { attributes, otherQuery: others.join('&') };
};

/** @param attributes of the query @returns the first that is not allowed */
export const checkAttributes = (
  key: Identifier,
  qualifiers: readonly Gs1Element[],
  attributes: readonly Gs1Element[],
): Gs1Error | undefined => {
  if (attributes.length === 0) return undefined;
  const seen = new Set([key.ai, ...qualifiers.map(({ ai }) => ai)]);
  for (const { ai } of attributes) {
    if (seen.has(ai)) {
      const at = { ai, expected: `(${ai}) once` };
      return new Gs1Error('duplicated', at, `AI (${ai}) is duplicated`);
    }
    seen.add(ai);
    if (belongsInPath(ai, key, qualifiers)) {
      const message = `AI (${ai}) from query params should be in the path info`;
      return new Gs1Error(
        'should-be-in-path',
        { ai, expected: `/${ai}/ and its value in the path` },
        message,
      );
    }
    if (!identifiers.get(ai)!.isAttribute) {
      const message = `AI (${ai}) is not a valid DL URI data attribute`;
      return new Gs1Error('not-an-attribute', { ai, expected: `no (${ai}) in the query` }, message);
    }
  }
  return undefined;
};

const badSequence = (key: Identifier): Gs1Error => {
  const sequences = key.qualifiers!.map((sequence) => sequence.join(', ')).join(' or ');
  const expected = sequences === '' ? 'no qualifiers' : `some of ${sequences}, in this order`;
  const message = 'The AIs in the path are not a valid key-qualifier sequence for the key';
  return new Gs1Error('qualifier-sequence', { ai: key.ai, expected }, message);
};

const checkValues = (
  path: readonly Gs1Element[],
  attributes: readonly Gs1Element[],
): Gs1Error | undefined => {
  const elements = attributes.length === 0 ? path : [...path, ...attributes];
  for (const { ai, value } of elements) {
    const fault = checkValue(identifiers.get(ai)!, value);
    if (fault) return fault;
  }
  return checkAssociations(elements, path.length - 1);
};

/** @example `17=271231&3103=000195`, with its question mark */
export const attributeQuery = (attributes: readonly Gs1Element[]): string =>
  attributes.length === 0
    ? ''
    : `?${attributes.map(({ ai, value }) => `${ai}=${encodeValue(value)}`).join('&')}`;

/** Its levels are made when they are asked for: most scans need none. */
class ParsedLink implements DigitalLink {
  readonly stem: string;
  readonly key: Gs1Element;
  readonly qualifiers: readonly Gs1Element[];
  readonly attributes: readonly Gs1Element[];
  readonly otherQuery: string;
  private made: readonly string[] | undefined;

  constructor(stem: string, key: Gs1Element, qualifiers: readonly Gs1Element[], query: Query) {
    this.stem = stem;
    this.key = key;
    this.qualifiers = qualifiers;
    this.attributes = query.attributes;
    this.otherQuery = query.otherQuery;
    this.made = undefined;
  }

  get levels(): readonly string[] {
    this.made ??= levelsOf(this.key, this.qualifiers);
    return this.made;
  }

  get canonical(): string {
    return `${gs1Resolver}${this.levels[0]}${attributeQuery(this.attributes)}`;
  }
}

/**
 * @param text a URI, or a path with its query
 * @returns its content, or its first fault in the words of GS1's checker
 */
export const parseDigitalLink = (
  text: string,
  { isLenient = false }: DigitalLinkOptions = {},
): DigitalLink | Gs1Error => {
  if (text.length > digitalLinkLengthMax) {
    const at = { position: digitalLinkLengthMax, expected: `at most ${digitalLinkLengthMax} characters` };
    return new Gs1Error('too-much-data', at, `Maximum data length is ${digitalLinkLengthMax} characters`);
  }
  const uri = splitUri(text, isLenient);
  if (uri instanceof Gs1Error) return uri;
  const found = keyOf(uri.path, isLenient);
  if (!found) return noKey(uri.pathAt);
  const path = readPath(found.segments, isLenient);
  if (path instanceof Gs1Error) return path;
  const query = readQuery(uri.query, isLenient);
  if (query instanceof Gs1Error) return query;
  const key = identifiers.get(path[0]!.ai)!;
  const qualifiers = path.slice(1);
  if (!isKeyPath(key, qualifiers)) return badSequence(key);
  const { attributes } = query;
  const fault =
    checkSegments(path) ?? checkValues(path, attributes) ?? checkAttributes(key, qualifiers, attributes);
  return fault ?? new ParsedLink(found.stem, path[0]!, qualifiers, query);
};
