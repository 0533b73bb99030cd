/** Which identifiers require one another, and which exclude one another. Checked once each value is valid by itself. */
import { type Identifier, identifiers, matchesPattern } from './dictionary/dictionary.ts';
import { type Gs1Element, Gs1Error } from './gs1-error.ts';

/** Keys whose serial part may be absent, but not together with a digital signature (8030). */
const keysWithSerial = new Set(['253', '255', '8003']);

/** Whether one of the elements has an identifier that matches a pattern. */
const isPresent = (pattern: string, elements: readonly Gs1Element[]): boolean => {
  for (const { ai } of elements) if (matchesPattern(ai, pattern)) return true;
  return false;
};

const checkRequired = (
  { ai, requires }: Identifier,
  elements: readonly Gs1Element[],
): Gs1Error | undefined => {
  if (!requires || requires.some((all) => all.every((pattern) => isPresent(pattern, elements))))
    return undefined;
  const list = requires.map((all) => all.join('+')).join(',');
  const expected = `one of ${requires.map((all) => all.map((one) => `(${one})`).join(' with ')).join(', ')}`;
  const message = `Required AIs for AI (${ai}) are not satisfied: ${list}`;
  return new Gs1Error('association-required', { ai, expected }, message);
};

const checkExcluded = (
  { ai, excludes }: Identifier,
  elements: readonly Gs1Element[],
): Gs1Error | undefined => {
  if (!excludes) return undefined;
  for (const { ai: other } of elements) {
    if (other === ai || !excludes.some((pattern) => matchesPattern(other, pattern))) continue;
    const message = `It is invalid to pair AI (${ai}) with AI (${other})`;
    return new Gs1Error('association-excluded', { ai, expected: `one of (${ai}) and (${other})` }, message);
  }
  return undefined;
};

const checkSerial = ({ ai, value }: Gs1Element, elements: readonly Gs1Element[]): Gs1Error | undefined => {
  if (!keysWithSerial.has(ai) || value.length > identifiers.get(ai)!.valueMin) return undefined;
  if (!isPresent('8030', elements)) return undefined;
  const message = `Serial component must be present for AI (${ai}) when used with AI (8030)`;
  const at = { ai, position: value.length, expected: 'a serial component' };
  return new Gs1Error('serial-component-required', at, message);
};

/** The first identifier with two values. */
const checkRepeated = (elements: readonly Gs1Element[]): Gs1Error | undefined => {
  for (let at = 1; at < elements.length; at++) {
    const { ai, value } = elements[at]!;
    for (let earlier = 0; earlier < at; earlier++) {
      const { ai: sameAi, value: expected } = elements[earlier]!;
      if (sameAi !== ai || expected === value) continue;
      const message = `Multiple instances of AI (${ai}) have different values`;
      return new Gs1Error('repeated-differs', { ai, expected }, message);
    }
  }
  return undefined;
};

const isQualifier = (ai: string, elements: readonly Gs1Element[], qualifiers: number): boolean => {
  for (let at = 1; at <= qualifiers; at++) if (elements[at]!.ai === ai) return true;
  return false;
};

/**
 * @param elements of known identifiers
 * @param qualifiers how many elements behind the first follow it as qualifiers in a Digital Link's path. They require nothing
 * else: the variant (22) of a piece (8006) is a path in the standard, although the dictionary says that 22 requires 01.
 * @returns the first fault
 */
export const checkAssociations = (elements: readonly Gs1Element[], qualifiers = 0): Gs1Error | undefined => {
  const repeated = checkRepeated(elements);
  if (repeated) return repeated;
  for (const { ai } of elements) {
    const fault = checkExcluded(identifiers.get(ai)!, elements);
    if (fault) return fault;
  }
  for (const { ai } of elements) {
    const fault = isQualifier(ai, elements, qualifiers)
      ? undefined
      : checkRequired(identifiers.get(ai)!, elements);
    if (fault) return fault;
  }
  for (const element of elements) {
    const fault = checkSerial(element, elements);
    if (fault) return fault;
  }
  return undefined;
};
