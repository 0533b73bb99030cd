/** Checks a value by the components of its identifier: lengths, characters, content. */
import type { Identifier } from '../dictionary/dictionary.ts';
import type { Component } from '../dictionary/entry.ts';
import { Gs1Error } from '../gs1-error.ts';
import { characterSets, indexOfAlien } from './character-sets.ts';
import { contentRules } from './content-rules.ts';
import { type Wrong, wrong } from './wrong.ts';

/** The padding of base64url is at the end, and fills up to a whole number of characters. */
const checkPad = (text: string): Wrong | undefined => {
  const at = text.indexOf('=');
  if (at < 0) return undefined;
  const alien = text.slice(at).search(/[^=]/);
  if (alien >= 0) return wrong(at, characterSets.Z.message, characterSets.Z.expected);
  const pads = text.length - at;
  return pads > 2 || text.length % 3 !== 0
    ? wrong(at, 'Incorrect number of CSET 64 pad characters.', 'no = or as many as make a multiple of 3')
    : undefined;
};

const checkContent = (text: string, { set, rules }: Component): Wrong | undefined => {
  const characters = characterSets[set];
  const alien = indexOfAlien(text, characters);
  if (alien >= 0) return wrong(alien, characters.message, characters.expected);
  if (set === 'Z') return checkPad(text);
  if (!rules) return undefined;
  for (const rule of rules) {
    const fault = contentRules[rule]!(text);
    if (fault) return fault;
  }
  return undefined;
};

const charactersText = (min: number, max: number): string =>
  min === max ? `${max} characters` : `${min} to ${max} characters`;

const lengthText = ({ valueMin, valueMax }: Identifier): string => charactersText(valueMin, valueMax);

/** The total length, checked first for a value with a known end. */
export const checkLength = (identifier: Identifier, value: string): Gs1Error | undefined => {
  const { ai, valueMin, valueMax } = identifier;
  if (value.length >= valueMin && value.length <= valueMax) return undefined;
  const isShort = value.length < valueMin;
  const at = { ai, position: isShort ? value.length : valueMax, expected: lengthText(identifier) };
  return isShort
    ? new Gs1Error('too-short', at, `AI (${ai}) value is too short`)
    : new Gs1Error('too-long', at, `AI (${ai}) value is too long`);
};

const checkComponents = (identifier: Identifier, value: string): Gs1Error | undefined => {
  const { ai, components } = identifier;
  let at = 0;
  for (const component of components) {
    const text =
      components.length === 1 ? value.slice(0, component.max) : value.slice(at, at + component.max);
    if (text === '' && component.isOptional) continue;
    if (text.length < component.min) {
      const expected = `${charactersText(component.min, component.max)} from character ${at + 1} on`;
      const message = `AI (${ai}) data has incorrect length`;
      return new Gs1Error('wrong-length', { ai, position: value.length, expected }, message);
    }
    const fault = checkContent(text, component);
    if (fault) {
      const { position, expected, message } = fault;
      return new Gs1Error('content', { ai, position: at + position, expected }, `AI (${ai}): ${message}`);
    }
    at += text.length;
  }
  if (at === value.length) return undefined;
  const expected = lengthText(identifier);
  return new Gs1Error('too-long', { ai, position: at, expected }, `AI (${ai}) value is too long`);
};

/** Identifiers whose value is a GTIN: of the unit itself, of its contents, and of made-to-order items. */
const ofGtins = new Set(['01', '02', '03']);

/** A GTIN of zeros has the right check digit but identifies nothing. GS1's checker accepts it. */
const checkGtin = ({ ai }: Identifier, value: string): Gs1Error | undefined =>
  ofGtins.has(ai) && /^0+$/.test(value)
    ? new Gs1Error(
        'content',
        { ai, expected: 'a digit that is not 0' },
        `AI (${ai}): A GTIN of zeros identifies nothing.`,
      )
    : undefined;

/** @returns the first fault, component by component */
export const checkValue = (identifier: Identifier, value: string): Gs1Error | undefined =>
  checkComponents(identifier, value) ?? checkGtin(identifier, value);
