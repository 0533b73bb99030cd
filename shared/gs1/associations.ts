/** Which identifiers require one another, and which exclude one another. Checked once each value is valid by itself. */
import { type Identifier, identifiers, matchesPattern } from './dictionary/dictionary.ts';
import { type Gs1Element, Gs1Error } from './gs1-error.ts';

/** Keys whose serial part may be absent, but not together with a digital signature (8030). */
const keysWithSerial = new Set(['253', '255', '8003']);

type Present = ReadonlyMap<string, string>;

const isPresent = (pattern: string, present: Present): boolean => {
  if (!pattern.includes('n')) return present.has(pattern);
  for (const ai of present.keys()) if (matchesPattern(ai, pattern)) return true;
  return false;
};

const checkRequired = ({ ai, requires }: Identifier, present: Present): Gs1Error | undefined => {
  if (!requires || requires.some((all) => all.every((pattern) => isPresent(pattern, present))))
    return undefined;
  const list = requires.map((all) => all.join('+')).join(',');
  const expected = `one of ${requires.map((all) => all.map((one) => `(${one})`).join(' with ')).join(', ')}`;
  const message = `Required AIs for AI (${ai}) are not satisfied: ${list}`;
  return new Gs1Error('association-required', { ai, expected }, message);
};

const checkExcluded = ({ ai, excludes }: Identifier, present: Present): Gs1Error | undefined => {
  if (!excludes) return undefined;
  for (const other of present.keys()) {
    if (other === ai || !excludes.some((pattern) => matchesPattern(other, pattern))) continue;
    const message = `It is invalid to pair AI (${ai}) with AI (${other})`;
    return new Gs1Error('association-excluded', { ai, expected: `one of (${ai}) and (${other})` }, message);
  }
  return undefined;
};

const checkSerial = (identifier: Identifier, value: string, present: Present): Gs1Error | undefined => {
  const { ai, valueMin } = identifier;
  if (!present.has('8030') || !keysWithSerial.has(ai) || value.length > valueMin) return undefined;
  const message = `Serial component must be present for AI (${ai}) when used with AI (8030)`;
  const at = { ai, position: value.length, expected: 'a serial component' };
  return new Gs1Error('serial-component-required', at, message);
};

const valuesOf = (elements: readonly Gs1Element[]): Map<string, string> | Gs1Error => {
  const values = new Map<string, string>();
  for (const { ai, value } of elements) {
    const before = values.get(ai);
    if (before !== undefined && before !== value) {
      const message = `Multiple instances of AI (${ai}) have different values`;
      return new Gs1Error('repeated-differs', { ai, expected: before }, message);
    }
    values.set(ai, value);
  }
  return values;
};

const noQualifiers: ReadonlySet<string> = new Set();

/**
 * @param elements of known identifiers
 * @param qualifiers identifiers that follow their key in a Digital Link's path. They require nothing else: the variant
 * (22) of a piece (8006) is a path in the standard, although the dictionary says that 22 requires 01.
 * @returns the first fault
 */
export const checkAssociations = (
  elements: readonly Gs1Element[],
  qualifiers: ReadonlySet<string> = noQualifiers,
): Gs1Error | undefined => {
  const present = valuesOf(elements);
  if (present instanceof Gs1Error) return present;
  for (const ai of present.keys()) {
    const fault = checkExcluded(identifiers.get(ai)!, present);
    if (fault) return fault;
  }
  for (const ai of present.keys()) {
    const fault = qualifiers.has(ai) ? undefined : checkRequired(identifiers.get(ai)!, present);
    if (fault) return fault;
  }
  for (const [ai, value] of present) {
    const fault = checkSerial(identifiers.get(ai)!, value, present);
    if (fault) return fault;
  }
  return undefined;
};
