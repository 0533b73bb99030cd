import { describe, expect, test } from 'vitest';
import { Gs1Error } from '../gs1-error.ts';
import { digitalLinks, faultOf, keyQualifierPaths } from '../testing/vectors.ts';
import { primaryKeys } from './key-path.ts';
import { type DigitalLink, digitalLinkLengthMax, parseDigitalLink } from './parse.ts';

const bracketed = ({ key, qualifiers, attributes }: DigitalLink): string =>
  [key, ...qualifiers, ...attributes].map(({ ai, value }) => `(${ai})${value}`).join('');

const parsed = (text: string, isLenient = false): DigitalLink => {
  const link = parseDigitalLink(text, { isLenient });
  if (link instanceof Gs1Error) throw new Error(String(link));
  return link;
};

const refused = (text: string, isLenient = false): Gs1Error => {
  const error = parseDigitalLink(text, { isLenient });
  if (!(error instanceof Gs1Error)) throw new Error(`${text} was accepted`);
  return error;
};

describe('GS1’s own cases', () => {
  test.each(digitalLinks.filter(({ valid }) => valid))('$id $input is accepted', (vector) => {
    const link = parsed(vector.input, vector.option === 'permit-short-gtin');
    expect(bracketed(link)).toBe(vector.bracketed);
    expect(link.canonical).toBe(vector.canonical);
  });

  test.each(digitalLinks.filter(({ valid }) => !valid))(
    '$id $input is refused',
    ({ input, code, message }) => {
      const error = refused(input);
      expect(error.fault).toBe(faultOf(code));
      if (message) expect(error.message).toBe(message);
    },
  );

  const values: Readonly<Record<string, string>> = {
    '00': '123456789012345675',
    '01': '09506000134352',
    '8003': '01234567890128',
    '8004': '95211415678',
    '8006': '123456789012310510',
    '8018': '123456789012345675',
  };

  test.each(keyQualifierPaths)('$path is a path', ({ path }) => {
    const text = path.map((ai) => `/${ai}/${values[ai] ?? '1'}`).join('');
    const { key, qualifiers, levels } = parsed(text);
    expect([key, ...qualifiers].map(({ ai }) => ai)).toEqual(path);
    expect(levels[0]).toBe(text);
  });
});

const gtin = '/01/09506000134352';

describe('the path', () => {
  test('has the levels of a key from the most specific to the bare key; a serial outweighs the other qualifiers', () => {
    expect(parsed(`${gtin}/22/V/10/B/21/S`).levels).toEqual([
      `${gtin}/22/V/10/B/21/S`,
      `${gtin}/10/B/21/S`,
      `${gtin}/22/V/21/S`,
      `${gtin}/21/S`,
      `${gtin}/22/V/10/B`,
      `${gtin}/10/B`,
      `${gtin}/22/V`,
      gtin,
    ]);
    expect(parsed(gtin).levels).toEqual([gtin]);
  });

  test('keeps %2F inside its value, and is canonical in its levels', () => {
    const { qualifiers, levels } = parsed(`${gtin}/10/A%2fB%2d`);
    expect(qualifiers).toEqual([{ ai: '10', value: 'A/B-' }]);
    expect(levels[0]).toBe(`${gtin}/10/A%2FB-`);
  });

  test('may have a stem, and the last key of a path is the key', () => {
    expect(parsed('https://a.example/shop/00/x/01/09506000134352')).toMatchObject({
      stem: '/shop/00/x',
      key: { ai: '01', value: '09506000134352' },
    });
    expect(parsed(gtin).stem).toBe('');
  });

  test('has a key from the list of primary keys', () => {
    expect(primaryKeys).toContain('8013');
    expect(primaryKeys).not.toContain('410');
    expect(refused('/410/9506000134352').expected).toContain('8013');
  });
});

describe('a fault names the identifier, the position, and the expected content', () => {
  test.each([
    [`${gtin.slice(0, -1)}3`, '01', 13, '2', 'AI (01): The numeric check digit is incorrect.'],
    ['/01/00000000000000', '01', 0, 'not 0', 'AI (01): A GTIN of zeros identifies nothing'],
    [`${gtin}/10/A%20B`, '10', 1, 'set 82', 'AI (10): A non-CSET 82 character was found'],
    [`${gtin}/10/A%zzB`, '10', 1, '%25', 'AI (10): invalid percent-encoding'],
    [`${gtin}/10/A%2`, '10', 1, '%25', 'AI (10): invalid percent-encoding'],
    [`${gtin}/21/123456789012345678901`, '21', 20, '1 to 20 characters', 'AI (21) value is too long'],
    [`${gtin}/17/271231`, '01', 0, '22, 10, 21 or 235', 'not a valid key-qualifier sequence'],
    [`${gtin}?17=271301`, '17', 2, '01 to 12', 'AI (17): The date contains an illegal month of the year.'],
    [`${gtin}?10=A`, '10', 0, '/10/', 'AI (10) from query params should be in the path info'],
    [`${gtin}?21=A`, '21', 0, '/21/', 'AI (21) from query params should be in the path info'],
    [`${gtin}?254=A`, '254', 0, '414', 'Required AIs for AI (254) are not satisfied: 414'],
    ['/415/9506000134352', '415', 0, '8020', 'Required AIs for AI (415) are not satisfied: 8020'],
    [`${gtin}?8200=A`, '8200', 0, '(8200)', 'AI (8200) is not a valid DL URI data attribute'],
    [
      `${gtin}/10/..`,
      '10',
      0,
      'not . and not ..',
      'AI (10) value .. cannot be a component of a Digital Link',
    ],
    [`${gtin}/22/%2e/10/A`, '22', 0, 'not . and not ..', 'AI (22) value . cannot be a component'],
    [`${gtin}?99=A&99=A`, '99', 0, 'once', 'AI (99) is duplicated'],
  ])('%s', (text, ai, position, expected, message) => {
    const error = refused(text);
    expect(error).toMatchObject({ ai, position });
    expect(error.expected).toContain(expected);
    expect(error.message).toContain(message);
    expect(String(error)).toContain(`at character ${position + 1}: expected ${error.expected}`);
  });
});

test('a value of dots stays allowed if no client takes it for a step up: in the query, and with more than dots', () => {
  expect(parsed(`${gtin}/10/...?99=..`)).toMatchObject({
    qualifiers: [{ ai: '10', value: '...' }],
    attributes: [{ ai: '99', value: '..' }],
  });
});

describe('a resolver tolerates', () => {
  test.each([
    ['a slash at the end', `${gtin}/`, `${gtin}`],
    ['a slash at the end of qualifiers', `${gtin}/10/A/`, `${gtin}/10/A`],
    ['a GTIN of 13 digits', '/01/9506000134352', gtin],
    ['semicolons in the query', `${gtin}?17=271231;3103=000189`, gtin],
    ['characters in parameters that are not GS1’s', `${gtin}?q=ä|"`, gtin],
  ])('%s', (_, text, level) => {
    expect(parsed(text, true).levels[0]).toBe(level);
    expect(parseDigitalLink(text)).toBeInstanceOf(Gs1Error);
  });

  test('neither an empty value nor a wrong check digit', () => {
    expect(refused(`${gtin}/10/`, true).fault).toBe('empty-value');
    expect(refused(`${gtin}/10//`, true).fault).toBe('empty-value');
    expect(refused('/01/9506000134353', true).fault).toBe('content');
  });
});

test('parameters that are not GS1’s are kept unchanged', () => {
  const { attributes, otherQuery } = parsed(`${gtin}?linkType=gs1:pip&&17=271200&a=%2f&a=&b`);
  expect(attributes).toEqual([{ ai: '17', value: '271200' }]);
  expect(otherQuery).toBe('linkType=gs1:pip&a=%2f&a=&b');
});

describe('a query of more than 100 parts', () => {
  const wrongDate = '17=271301';

  test.each(['', ';'.repeat(8000), `&${wrongDate}`.repeat(800)])(
    'is refused by a checker, and passes a resolver unread: %#',
    (more) => {
      const query = `${wrongDate}${'&a'.repeat(100)}${more}`.slice(0, 8000);
      expect(refused(`${gtin}?${query}`)).toMatchObject({
        fault: 'too-much-data',
        expected: expect.stringContaining('100'),
      });
      expect(parsed(`${gtin}?${query}`, true)).toMatchObject({ attributes: [], otherQuery: query });
    },
  );

  test('starts at 101: exactly 100 parts are read in full', () => {
    for (const isLenient of [true, false])
      expect(refused(`${gtin}?${'a&'.repeat(99)}${wrongDate}`, isLenient)).toMatchObject({
        ai: '17',
        fault: 'content',
      });
  });
});

describe('a hostile text costs nothing', () => {
  const none = { expected: expect.any(String), message: expect.any(String) };
  test.each([
    ['a megabyte', `${gtin}/10/${'A'.repeat(2 ** 20)}`, 'too-much-data'],
    ['nothing but slashes', '/'.repeat(digitalLinkLengthMax), 'no-key-in-path'],
    ['nothing but keys', '/01'.repeat(digitalLinkLengthMax / 4), 'too-short'],
    ['a percent sign of a percent sign', `${gtin}/10/%25${'25'.repeat(1000)}`, 'too-long'],
    ['NUL', `${gtin}/10/%00`, 'content'],
    ['bare NUL', `${gtin}/10/\0`, 'uri-charset'],
    ['half a surrogate pair', `${gtin}/10/\ud800`, 'uri-charset'],
    ['bytes that are no UTF-8', `${gtin}/10/%ff`, 'content'],
    ['parameters of no identifier', `${gtin}?${'9=&'.repeat(99)}`, 'unknown-ai-in-query'],
    ['nothing', '', 'not-http'],
    ['names of all objects', '/__proto__/constructor/toString/x', 'no-key-in-path'],
  ])('%s', (_, text, fault) => {
    expect(refused(text)).toMatchObject({ fault, ...none });
    expect(refused(text, true).message.length).toBeLessThan(200);
  });
});
