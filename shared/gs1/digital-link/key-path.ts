/** The path of a Digital Link: a primary key and its qualifiers. */
import { type Identifier, identifiers } from '../dictionary/dictionary.ts';
import { type Gs1Element, Gs1Error } from '../gs1-error.ts';
import { encodeValue } from './percent.ts';

/** The identifiers that a path may begin with. */
export const primaryKeys: readonly string[] = [...identifiers.values()]
  .filter(({ qualifiers }) => qualifiers)
  .map(({ ai }) => ai);

/** Whether the qualifiers are a subsequence of a sequence. */
const isWithin = (qualifiers: readonly Gs1Element[], sequence: readonly string[]): boolean => {
  let at = -1;
  for (const { ai } of qualifiers) {
    at = sequence.indexOf(ai, at + 1);
    if (at < 0) return false;
  }
  return true;
};

/** Whether the qualifiers may follow the key, in this order. @param key a primary key */
export const isKeyPath = ({ qualifiers }: Identifier, given: readonly Gs1Element[]): boolean =>
  qualifiers!.some((sequence) => isWithin(given, sequence));

/** Whether an identifier could be one of the qualifiers, which are not allowed in the query. */
export const belongsInPath = (
  ai: string,
  { qualifiers }: Identifier,
  given: readonly Gs1Element[],
): boolean => qualifiers!.some((sequence) => sequence.includes(ai) && isWithin(given, sequence));

/**
 * Clients resolve `.` and `..` in a path, including `%2E` (URL Standard, section 4.4), so they cannot request such a
 * component. GS1's checker accepts it.
 * @returns the first such component
 */
export const checkSegments = (path: readonly Gs1Element[]): Gs1Error | undefined => {
  for (const { ai, value } of path) {
    if (value !== '.' && value !== '..') continue;
    const message = `AI (${ai}) value ${value} cannot be a component of a Digital Link`;
    return new Gs1Error('dot-segment', { ai, expected: 'a value that is not . and not ..' }, message);
  }
  return undefined;
};

const segment = ({ ai, value }: Gs1Element): string => `/${ai}/${encodeValue(value)}`;

/** @example `/01/09506000134352/21/A%2FB` */
export const keyPath = (key: Gs1Element, qualifiers: readonly Gs1Element[]): string => {
  let path = segment(key);
  for (const qualifier of qualifiers) path += segment(qualifier);
  return path;
};

/**
 * Paths of the key with all its qualifiers, then with some of them, finally of the bare key: from most to least
 * specific. A later qualifier outweighs all before it: a serial a batch, a batch a variant.
 */
export const levelsOf = (key: Gs1Element, qualifiers: readonly Gs1Element[]): string[] => {
  const start = segment(key);
  const segments = qualifiers.map(segment);
  const levels: string[] = [];
  for (let choice = 2 ** segments.length - 1; choice >= 0; choice--) {
    let level = start;
    for (let at = 0; at < segments.length; at++) if ((choice >> at) & 1) level += segments[at]!;
    levels.push(level);
  }
  return levels;
};
