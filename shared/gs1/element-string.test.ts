import { describe, expect, test } from 'vitest';
import { buildDigitalLink } from './digital-link/build.ts';
import {
  checkElements,
  elementStringLengthMax,
  elementsMax,
  parseBracketed,
  parseElementString,
  parseUnbracketed,
  symbolText,
  writeBracketed,
  writeUnbracketed,
} from './element-string.ts';
import { type Gs1Element, Gs1Error } from './gs1-error.ts';
import { humanReadable } from './human-readable.ts';
import { elementStrings, faultOf, generate, toolkit, type Vector } from './testing/vectors.ts';

const right = (result: Gs1Element[] | Gs1Error): Gs1Element[] => {
  if (result instanceof Gs1Error) throw new Error(String(result));
  return result;
};

const wrong = (result: unknown): Gs1Error => {
  if (!(result instanceof Gs1Error)) throw new Error(`${JSON.stringify(result)} was accepted`);
  return result;
};

const parse = ({ form, input, scope }: Vector) =>
  (form === 'raw' ? parseUnbracketed : parseBracketed)(input, { areAssociationsChecked: scope === 'full' });

describe('GS1’s own cases', () => {
  test.each(elementStrings.filter(({ valid }) => valid))('$id $input is accepted', (vector) => {
    const elements = right(parse(vector));
    expect(writeBracketed(elements)).toBe(vector.bracketed);
    expect(`^${writeUnbracketed(elements, '^')}`).toBe(vector.raw!.replace(/\^$/, ''));
    expect(right(parseUnbracketed(vector.raw!, { areAssociationsChecked: false }))).toEqual(elements);
  });

  test.each(elementStrings.filter(({ valid }) => !valid))('$id $input is refused', (vector) => {
    expect(wrong(parse(vector)).fault).toBe(faultOf(vector.code));
  });

  test.each(elementStrings.filter(({ fullCode }) => fullCode))('$id $input requires others', (vector) => {
    expect(wrong(parse({ ...vector, scope: 'full' })).fault).toBe(vector.fullCode);
  });

  test.each(generate)('$id $input becomes $uri', ({ input, stem, uri }) => {
    const elements = right(parseBracketed(input, { areAssociationsChecked: false }));
    expect(buildDigitalLink(elements, stem)).toBe(uri);
  });

  test.each(toolkit)('$id is one symbol', ({ toBracketed, toRawToolkitOrder }) => {
    expect(symbolText(right(parseBracketed(toBracketed)))).toBe(toRawToolkitOrder);
  });
});

const gtin = { ai: '01', value: '09506000134352' };

test.each([
  ['^', '^0109506000134352'],
  ['U+001D', '\x1d0109506000134352'],
  [']Q3', ']Q30109506000134352'],
  [']C1', ']C10109506000134352'],
  [']d2 and FNC1', ']d2\x1d0109506000134352'],
  ['brackets', '(01)09506000134352'],
])('an element string begins with %s', (_, text) => {
  expect(parseElementString(text)).toEqual([gtin]);
});

test('separators are ^ or U+001D, and none follows a predefined length', () => {
  const elements = [gtin, { ai: '10', value: 'A' }, { ai: '17', value: '271200' }];
  expect(parseElementString('^010950600013435210A^17271200')).toEqual(elements);
  expect(parseElementString(']Q3010950600013435210A\x1d17271200')).toEqual(elements);
  expect(writeUnbracketed(elements, '^')).toBe('010950600013435210A^17271200');
  expect(symbolText(elements)).toBe('01095060001343521727120010A');
});

test('a bracket in the data is preceded by a backslash', () => {
  const elements = [gtin, { ai: '10', value: 'A(B)(' }];
  expect(writeBracketed(elements)).toBe('(01)09506000134352(10)A\\(B)\\(');
  expect(parseElementString(writeBracketed(elements))).toEqual(elements);
});

test('humans read each element with its identifier in brackets', () => {
  expect(humanReadable([gtin, { ai: '10', value: 'A B' }])).toEqual(['(01)09506000134352', '(10)A B']);
});

describe('a fault names the identifier, the position, and the expected content', () => {
  test.each([
    ['(01)09506000134353', '01', 13, '2', 'AI (01): The numeric check digit is incorrect.'],
    ['(01)0950600013435', '01', 13, '14 characters', 'AI (01) value is too short'],
    ['^010950600013435', '01', 13, '14 characters', 'AI (01) data has incorrect length'],
    ['^0109506000134352172713', '17', 4, '6 characters', 'AI (17) data has incorrect length'],
    ['(01)09506000134352(17)270230', '17', 4, '00 to 28', 'illegal day of the month'],
    ['(01)09506000134352(10)Bücher', '10', 1, 'set 82', 'A non-CSET 82 character was found'],
    ['(01)09506000134352(7003)2701012460', '7003', 6, '00 to 23', 'illegal hour'],
    ['(10)A^B(01)09506000134352', '10', 1, 'FNC1', 'AI (10) contains illegal ^ character'],
    [
      '(01)09506000134352(37)1',
      '01',
      0,
      'one of (01) and (37)',
      'It is invalid to pair AI (01) with AI (37)',
    ],
    ['(02)09506000134352', '02', 0, '(37)', 'Required AIs for AI (02) are not satisfied: 37'],
    ['(400)A(400)B', '400', 0, 'A', 'Multiple instances of AI (400) have different values'],
    ['(01)09506000134352(10)', null, 22, 'a value of (10)', 'Failed to parse AI data'],
    ['(01)09506000134352(10', null, 21, ')', 'Failed to parse AI data'],
    ['(89)1', null, 1, 'an application identifier', 'Unrecognised AI: 89'],
    ['^0109506000134352891', null, 17, 'an application identifier', 'No known AI is a prefix of: 891...'],
    ['0109506000134352', null, 0, ']Q3', 'Missing FNC1 in first position'],
    ['^', null, 1, 'an application identifier', 'The AI data is empty'],
    ['^10', '10', 0, 'a value', 'AI (10) data is empty'],
    ['', null, 0, ']Q3', 'Missing FNC1 in first position'],
  ])('%s', (text, ai, position, expected, message) => {
    const error = wrong(parseElementString(text));
    expect(error).toMatchObject({ ai, position });
    expect(error.expected).toContain(expected);
    expect(error.message).toContain(message);
  });
});

test('elements given one by one are checked in the same way', () => {
  expect(checkElements([gtin])).toBeUndefined();
  expect(checkElements([])?.message).toBe('The AI data is empty');
  expect(checkElements([{ ai: 'x', value: '1' }])?.message).toBe('Unrecognised AI: x');
  expect(checkElements([{ ai: '10', value: '' }, gtin])?.message).toBe('AI (10) value is too short');
  expect(checkElements(Array.from({ length: elementsMax + 1 }, () => gtin))?.message).toBe('Too many AIs');
});

test('a Digital Link has a key, and elements that belong in its query or path', () => {
  expect(wrong(buildDigitalLink([{ ai: '10', value: 'A' }], 'https://a')).fault).toBe('no-key');
  expect(wrong(buildDigitalLink([gtin, { ai: '8200', value: 'A' }], 'https://a')).ai).toBe('8200');
  const both = [gtin, { ai: '10', value: 'A' }, { ai: '235', value: 'B/' }];
  expect(buildDigitalLink(both, 'https://a/b/')).toBe('https://a/b/01/09506000134352/235/B%2F?10=A');
});

describe('a hostile text costs nothing', () => {
  test.each([
    ['a megabyte', `(10)${'A'.repeat(2 ** 20)}`, 'too-much-data'],
    ['too many elements', `^${'90A^'.repeat(elementsMax + 1)}`, 'too-much-data'],
    ['too many elements in brackets', '(90)A'.repeat(elementsMax + 1), 'too-much-data'],
    ['brackets', '('.repeat(elementStringLengthMax), 'malformed-brackets'],
    ['brackets of data', `(10)${'\\('.repeat(4000)}`, 'too-long'],
    ['separators', '^'.repeat(elementStringLengthMax), 'unknown-ai'],
    ['NUL', '(10)\0', 'content'],
    ['half a surrogate pair', '^10\ud800', 'content'],
    ['names of all objects', '(__proto__)1', 'unknown-ai'],
    ['a value without end', `^10${'A'.repeat(8000)}`, 'too-long'],
  ])('%s', (_, text, fault) => {
    expect(wrong(parseElementString(text)).fault).toBe(fault);
  });
});
