/** Everything written is read again, by this reader and by a slow and obvious one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Identifier, identifiers } from './dictionary/dictionary.ts';
import { buildDigitalLink } from './digital-link/build.ts';
import { parseDigitalLink } from './digital-link/parse.ts';
import {
  groupSeparator,
  parseBracketed,
  parseUnbracketed,
  symbolText,
  writeBracketed,
  writeUnbracketed,
} from './element-string.ts';
import { type Gs1Element, Gs1Error } from './gs1-error.ts';
import { valueOfIdentifier } from './testing/samples.ts';

const all = [...identifiers.values()];

const elementOf = (identifier: Identifier) =>
  valueOfIdentifier(identifier).map((value): Gs1Element => ({ ai: identifier.ai, value }));

const elements = fc.uniqueArray(
  fc.constantFrom(...all).chain((identifier) => elementOf(identifier)),
  { selector: ({ ai }) => ai, minLength: 1, maxLength: 12 },
);

const unchecked = { areAssociationsChecked: false };

const classes = { N: '\\d', X: '[!-~]', Y: '[!-~]', Z: '[!-~]' };

/** Takes elements off the text one by one, each by the expression of the dictionary's components. */
const slowly = (text: string): Gs1Element[] | undefined => {
  if (text === '') return [];
  for (const { ai, components, isFixed } of all) {
    const value = components
      .map(({ set, min, max, isOptional }) => `(?:${classes[set]}{${min},${max}})${isOptional ? '?' : ''}`)
      .join('');
    const [whole, found] = new RegExp(`^${ai}(${value})${isFixed ? '\x1d?' : '(?:\x1d|$)'}`).exec(text) ?? [];
    if (whole === undefined || found === undefined) continue;
    const rest = slowly(text.slice(whole.length));
    if (rest) return [{ ai, value: found }, ...rest];
  }
  return undefined;
};

describe('an element string', () => {
  test('of any elements is read back unchanged', () => {
    fc.assert(
      fc.property(elements, (given) => {
        const text = writeUnbracketed(given, groupSeparator);
        expect(parseUnbracketed(groupSeparator + text, unchecked)).toEqual(given);
        expect(parseUnbracketed(`^${writeUnbracketed(given, '^')}`, unchecked)).toEqual(given);
        expect(parseBracketed(writeBracketed(given), unchecked)).toEqual(given);
        expect(slowly(text)).toEqual(given);
      }),
      { numRuns: 300 },
    );
  });

  test('of a symbol has the same elements, with as few separators as possible', () => {
    fc.assert(
      fc.property(elements, (given) => {
        const read = parseUnbracketed(groupSeparator + symbolText(given), unchecked) as Gs1Element[];
        const byAi = (a: Gs1Element, b: Gs1Element) => Number(a.ai) - Number(b.ai);
        expect(read.toSorted(byAi)).toEqual(given.toSorted(byAi));
        const open = given.filter(({ ai }) => !identifiers.get(ai)!.isFixed).length;
        expect(symbolText(given).split(groupSeparator).length - 1).toBe(Math.max(open - 1, 0));
      }),
      { numRuns: 300 },
    );
  });

  test('of any characters is refused, or read as by the slow reader', () => {
    const character = fc.constantFrom(
      ...'0123456789',
      '01',
      '10',
      '17',
      '21',
      '3103',
      '8008',
      'A',
      '^',
      '\x1d',
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 30 }), (parts) => {
        const text = parts.join('').replaceAll('^', '\x1d');
        const read = parseUnbracketed(`\x1d${text}`, unchecked);
        if (!(read instanceof Gs1Error)) expect(slowly(text)).toEqual(read);
      }),
      { numRuns: 1000 },
    );
  });
});

const keys = all.filter(({ qualifiers }) => qualifiers);

const isSegment = ({ value }: Gs1Element) => value !== '.' && value !== '..';

/** A key, some qualifiers of one of its sequences, and company-internal attributes. */
const linkElements = fc
  .constantFrom(...keys)
  .chain((key) => fc.tuple(fc.constant(key), fc.constantFrom(...key.qualifiers!)))
  .chain(([key, sequence]) => fc.tuple(fc.constant(key), fc.subarray([...sequence])))
  .filter(([key, chosen]) => key.ai !== '415' || chosen.length > 0)
  .chain(([key, chosen]) =>
    fc.tuple(
      ...[key.ai, ...chosen].map((ai) => elementOf(identifiers.get(ai)!).filter(isSegment)),
      ...['90', '99'].map((ai) => elementOf(identifiers.get(ai)!)),
    ),
  );

test('a Digital Link of any key, qualifiers and attributes is read back unchanged', () => {
  fc.assert(
    fc.property(linkElements, (given) => {
      const uri = buildDigitalLink(given, 'https://id.gs1.org');
      if (uri instanceof Gs1Error) throw new Error(String(uri));
      const link = parseDigitalLink(uri);
      if (link instanceof Gs1Error) throw new Error(`${uri}: ${link}`);
      expect([link.key, ...link.qualifiers, ...link.attributes]).toEqual(given);
      expect(link.canonical).toBe(uri);
      expect(link.levels.length).toBe(2 ** link.qualifiers.length);
      for (const level of link.levels.slice(0, -1)) expect(level.startsWith(link.levels.at(-1)!)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
