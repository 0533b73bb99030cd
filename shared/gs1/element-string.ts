/**
 * GS1 element strings (General Specifications §7.8) in the two forms given by people and scanners:
 *
 *   (01)09506000134352(10)ABC        bracketed; `\(` is a bracket of the data
 *   ^010950600013435210ABC^21XYZ     with FNC1, written as `^` or as U+001D, or announced by a scanner's `]Q3`
 */
import { checkAssociations } from './associations.ts';
import { type Identifier, identifierAt, identifiers } from './dictionary/dictionary.ts';
import { type Gs1Element, Gs1Error } from './gs1-error.ts';
import { checkLength, checkValue } from './values/check-value.ts';

export interface ElementStringOptions {
  /** Whether each element requires and excludes others as its identifier says. Default: true. */
  areAssociationsChecked?: boolean;
}

/** Characters and elements of a text: more than any symbol holds. */
export const elementStringLengthMax = 8192;
export const elementsMax = 64;

/** Ends an element without a predefined length, unless it is the last: readers output the symbol's FNC1 as this. */
export const groupSeparator = '\x1d';

/**
 * Sent by scanners before the data of symbols that begin with FNC1: QR Code, GS1-128, DataBar, Data Matrix, DotCode.
 */
const symbologyIdentifiers = [']Q3', ']C1', ']e0', ']d2', ']J1'];

const tooLong = (): Gs1Error => {
  const at = { position: elementStringLengthMax, expected: `at most ${elementStringLengthMax} characters` };
  return new Gs1Error('too-much-data', at, `Maximum data length is ${elementStringLengthMax} characters`);
};

const tooMany = (position: number): Gs1Error =>
  new Gs1Error('too-much-data', { position, expected: `at most ${elementsMax} elements` }, 'Too many AIs');

const malformed = (position: number, expected: string): Gs1Error =>
  new Gs1Error('malformed-brackets', { position, expected }, 'Failed to parse AI data');

const notCaret = (ai: string, value: string): Gs1Error | undefined => {
  const position = value.indexOf('^');
  if (position < 0) return undefined;
  const at = { ai, position, expected: 'no ^, which means FNC1' };
  return new Gs1Error('content', at, `AI (${ai}) contains illegal ^ character`);
};

const unrecognised = (ai: string, position: number): Gs1Error => {
  const at = { position, expected: 'an application identifier' };
  return new Gs1Error('unknown-ai', at, `Unrecognised AI: ${ai.slice(0, 20)}`);
};

/** Elements with known ends: lengths first, then content, like GS1's checker. */
const checkEach = (elements: readonly Gs1Element[]): Gs1Error | undefined => {
  for (const { ai, value } of elements) {
    const fault = checkLength(identifiers.get(ai)!, value) ?? notCaret(ai, value);
    if (fault) return fault;
  }
  for (const { ai, value } of elements) {
    const fault = checkValue(identifiers.get(ai)!, value);
    if (fault) return fault;
  }
  return undefined;
};

const checkTogether = (
  elements: Gs1Element[],
  { areAssociationsChecked = true }: ElementStringOptions,
): Gs1Element[] | Gs1Error => (areAssociationsChecked ? checkAssociations(elements) : undefined) ?? elements;

/** @returns the first fault of elements given one by one */
export const checkElements = (elements: readonly Gs1Element[]): Gs1Error | undefined => {
  if (elements.length === 0)
    return new Gs1Error('no-data', { expected: 'at least one element' }, 'The AI data is empty');
  if (elements.length > elementsMax) return tooMany(0);
  const unknown = elements.find(({ ai }) => !identifiers.has(ai));
  if (unknown) return unrecognised(unknown.ai, 0);
  return checkEach(elements) ?? checkAssociations(elements);
};

/** The value from an index up to the next bracket that is not part of the data. */
const bracketedValue = (text: string, from: number): { value: string; end: number } => {
  let value = '';
  let at = from;
  for (;;) {
    const bracket = text.indexOf('(', at);
    const end = bracket < 0 ? text.length : bracket;
    if (bracket < 0 || text[bracket - 1] !== '\\') return { value: value + text.slice(at, end), end };
    value += `${text.slice(at, bracket - 1)}(`;
    at = bracket + 1;
  }
};

const splitBracketed = (text: string): Gs1Element[] | Gs1Error => {
  const elements: Gs1Element[] = [];
  let at = 0;
  while (at < text.length || at === 0) {
    if (text[at] !== '(') return malformed(at, '( and an application identifier');
    const close = text.indexOf(')', at);
    if (close < 0) return malformed(text.length, ')');
    const ai = text.slice(at + 1, close);
    if (!identifiers.has(ai)) return unrecognised(ai, at + 1);
    const { value, end } = bracketedValue(text, close + 1);
    if (value === '') return malformed(close + 1, `a value of (${ai})`);
    if (elements.length === elementsMax) return tooMany(at);
    elements.push({ ai, value });
    at = end;
  }
  return elements;
};

/** @returns elements in their order, or the first fault */
export const parseBracketed = (text: string, options: ElementStringOptions = {}): Gs1Element[] | Gs1Error => {
  if (text.length > elementStringLengthMax) return tooLong();
  const elements = splitBracketed(text);
  if (elements instanceof Gs1Error) return elements;
  return checkEach(elements) ?? checkTogether(elements, options);
};

const isSeparator = (character: string | undefined): boolean =>
  character === '^' || character === groupSeparator;

/** The index where the data begins, after the marker of GS1 data; undefined without a marker. */
const startOfData = (text: string): number | undefined => {
  const announced = symbologyIdentifiers.find((one) => text.startsWith(one));
  if (announced !== undefined) return announced.length + (isSeparator(text[announced.length]) ? 1 : 0);
  return isSeparator(text[0]) ? 1 : undefined;
};

/** The value of an identifier: of its predefined length, or up to the next separator. */
const unbracketedValue = (text: string, at: number, { isFixed, valueMax }: Identifier): string => {
  let end = at;
  const limit = isFixed ? Math.min(text.length, at + valueMax) : text.length;
  while (end < limit && !isSeparator(text[end])) end++;
  return text.slice(at, end);
};

const noPrefix = (text: string, position: number): Gs1Error => {
  const message = `No known AI is a prefix of: ${text.slice(position, position + 4)}...`;
  return new Gs1Error('unknown-ai', { position, expected: 'an application identifier' }, message);
};

const readUnbracketed = (text: string, identifier: Identifier, at: number): Gs1Element | Gs1Error => {
  const { ai } = identifier;
  const value = unbracketedValue(text, at, identifier);
  if (value === '')
    return new Gs1Error('empty-value', { ai, expected: 'a value' }, `AI (${ai}) data is empty`);
  return checkValue(identifier, value) ?? { ai, value };
};

const splitUnbracketed = (text: string, start: number): Gs1Element[] | Gs1Error => {
  const elements: Gs1Element[] = [];
  let at = start;
  while (at < text.length) {
    const identifier = identifierAt(text, at);
    if (!identifier) return noPrefix(text, at);
    if (elements.length === elementsMax) return tooMany(at);
    const element = readUnbracketed(text, identifier, at + identifier.ai.length);
    if (element instanceof Gs1Error) return element;
    elements.push(element);
    at += element.ai.length + element.value.length;
    if (isSeparator(text[at])) at++;
  }
  return elements;
};

/** @returns elements in their order, or the first fault */
export const parseUnbracketed = (
  text: string,
  options: ElementStringOptions = {},
): Gs1Element[] | Gs1Error => {
  if (text.length > elementStringLengthMax) return tooLong();
  const start = startOfData(text);
  if (start === undefined) {
    const at = { expected: 'FNC1 as ^ or U+001D, or ]Q3' };
    return new Gs1Error('no-fnc1', at, 'Missing FNC1 in first position');
  }
  if (start === text.length) {
    const at = { position: start, expected: 'an application identifier and its value' };
    return new Gs1Error('no-data', at, 'The AI data is empty');
  }
  const elements = splitUnbracketed(text, start);
  return elements instanceof Gs1Error ? elements : checkTogether(elements, options);
};

/** Accepts both forms. @returns elements in their order, or the first fault */
export const parseElementString = (
  text: string,
  options: ElementStringOptions = {},
): Gs1Element[] | Gs1Error =>
  text.startsWith('(') ? parseBracketed(text, options) : parseUnbracketed(text, options);

const withoutRepeats = (elements: readonly Gs1Element[]): Gs1Element[] => [
  ...new Map(elements.map((element) => [element.ai, element])).values(),
];

/** In order, each once, with FNC1 where needed. @param fnc1 how it is written */
export const writeUnbracketed = (elements: readonly Gs1Element[], fnc1: string): string => {
  let text = '';
  let needsSeparator = false;
  for (const { ai, value } of elements) {
    text += `${needsSeparator ? fnc1 : ''}${ai}${value}`;
    needsSeparator = !identifiers.get(ai)?.isFixed;
  }
  return text;
};

/**
 * The content of a symbol that begins with FNC1: each element once, starting with those of predefined length, which
 * need no separator.
 * @param elements accepted by {@link checkElements}
 */
export const symbolText = (elements: readonly Gs1Element[]): string => {
  const once = withoutRepeats(elements);
  const isFixed = ({ ai }: Gs1Element) => identifiers.get(ai)?.isFixed === true;
  const inOrder = [...once.filter(isFixed), ...once.filter((element) => !isFixed(element))];
  return writeUnbracketed(inOrder, groupSeparator);
};

/** The form with brackets, where a bracket in the data is `\(`. */
export const writeBracketed = (elements: readonly Gs1Element[]): string =>
  elements.map(({ ai, value }) => `(${ai})${value.replaceAll('(', '\\(')}`).join('');
