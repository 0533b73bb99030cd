import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkedText } from '#schemas/api/text.ts';
import { ClientError } from '#shared/errors.ts';
import { validateBody, validateQuery } from './validation.ts';

const page = z.strictObject({
  name: z.string().max(5),
  buttons: z
    .array(
      z.strictObject({ destination: z.string().min(3, 'must be a URL'), weight: z.int().min(1).optional() }),
    )
    .max(3)
    .optional(),
  color: z.union([z.string().regex(/^#/), z.strictObject({ stops: z.array(z.number()).min(2) })]).optional(),
  secure: z.array(z.enum(['password', 'expire'])).optional(),
});

const refusal = (body: unknown): { code: string; message: string } => {
  try {
    validateBody(page, body);
  } catch (error) {
    if (error instanceof ClientError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('was accepted');
};

describe('a wrong shape is INVALID_REQUEST and names the field by its path', () => {
  test.each([
    [{}, 'name is required'],
    [{ name: 1 }, 'name must be a string; given: 1'],
    [{ name: 'a', buttons: {} }, 'buttons must be an array; given: an object'],
    [{ name: 'a', buttons: [{ destination: 'abc' }, 7] }, 'buttons[1] must be an object; given: 7'],
    [{ name: 'a', buttons: [{ destination: 'abc' }, {}] }, 'buttons[1].destination is required'],
    [
      { name: 'a', buttons: [{ destination: 'abc', x: 1 }] },
      'buttons[0].x is not a known field; accepted are destination, weight',
    ],
    [
      { name: 'a', buttons: [{ destination: 'abc', weight: '1' }] },
      "buttons[0].weight must be a number; given: '1'",
    ],
    [{ name: 'a', color: 5 }, 'color is not acceptable; given: 5'],
    [{ name: 'a', secure: [true] }, 'secure[0] must be one of password, expire; given: true'],
    [[], 'The body must be an object; given: an array'],
    [undefined, 'The body is required'],
  ])('%j', (body, message) => {
    expect(refusal(body)).toEqual({ code: 'INVALID_REQUEST', message });
  });
});

describe('a right type with an unacceptable value is UNPROCESSABLE', () => {
  test.each([
    [{ name: 'abcdef' }, 'name must have at most 5 characters; given: 6'],
    [{ name: 'a', buttons: [{ destination: 'ab' }] }, "buttons[0].destination must be a URL; given: 'ab'"],
    [
      { name: 'a', buttons: [{ destination: 'abc', weight: 0 }] },
      'buttons[0].weight must be at least 1; given: 0',
    ],
    [
      { name: 'a', buttons: [{ destination: 'abc', weight: 1.5 }] },
      'buttons[0].weight must be a whole number; given: 1.5',
    ],
    [
      { name: 'a', buttons: Array(4).fill({ destination: 'abc' }) },
      'buttons must have at most 3 entries; given: 4',
    ],
    [{ name: 'a', color: 'red' }, "color is not acceptable; given: 'red'"],
    [{ name: 'a', color: { stops: [1] } }, 'color.stops must have at least 2 entries; given: 1'],
    [{ name: 'a', secure: ['expire', 'both'] }, "secure[1] must be one of password, expire; given: 'both'"],
  ])('%j', (body, message) => {
    expect(refusal(body)).toEqual({ code: 'UNPROCESSABLE', message });
  });
});

describe('the given value', () => {
  const secrets = z.strictObject({
    data: z.union([
      z.string().regex(/^https:/, 'must be an https URL'),
      z.object({ ssid: z.string().max(3) }),
    ]),
    password: z.string().min(4),
    encryption: z.strictObject({ key: z.string().min(8) }).optional(),
    ids: z.array(z.string()).min(1).optional(),
    sig: z.string().max(3).optional(),
  });
  const said = (body: object): string => {
    try {
      validateBody(secrets, { data: 'https://example.com', password: 'open sesame', ...body });
    } catch (error) {
      if (error instanceof ClientError) return [error.message, ...(error.details ?? [])].join('\n');
      throw error;
    }
    throw new Error('was accepted');
  };

  test('is quoted with at most 60 characters, all of them visible', () => {
    const start = 'data must be an https URL; given: ';
    expect(said({ data: 'a'.repeat(9_000) })).toBe(`${start}'${'a'.repeat(60)}…'`);
    expect(said({ data: `a\u0000\u202e\n${'😀'.repeat(40)}` })).toMatch(
      /given: 'a\ufffd{3}(😀){28}\ufffd?…'$/u,
    );
    expect(said({ data: '' })).toBe(`${start}''`);
    expect(said({ ids: [] })).toBe('ids must have at least 1 entry; given: 0');
  });

  test('is never a password, a key, a signature or a token', () => {
    const given = [
      { password: 'abc' },
      { encryption: { key: 'abc' } },
      { sig: 'abcdef' },
      { data: 'WIFI:S:home;P:abc;;' },
      { data: 'ftp://user:abc@example.com/' },
      { data: 'ftp://example.com/?token=abc' },
      { data: 'ftp://example.com/#abc' },
      { data: 'wm_abcdefgh' },
      { data: `ftp://abc${'a'.repeat(9_000)}@example.com/` },
      { data: 'the abc', encryption: { key: 'long enough' } },
      { data: { ssid: 'abcd' }, encryption: { key: 'long enough' } },
    ];
    for (const body of given) expect(said(body)).not.toContain('abc');
    expect(said({ data: 'ftp://example.com/?token=abc' })).toBe(
      "data must be an https URL; given: 'ftp://example.com/…'",
    );
  });
});

test('the accepted fields are named once, however many are unknown', () => {
  const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, n]));
  const said = (() => {
    try {
      validateBody(page, { name: 'a', ...unknown });
    } catch (error) {
      return error instanceof ClientError ? [error.message, ...(error.details ?? [])] : [];
    }
    return [];
  })();
  expect(said.slice(0, 2)).toEqual([
    'x0 is not a known field; accepted are name, buttons, color, secure',
    'x1 is not a known field',
  ]);
});

describe('all faults of a body', () => {
  const everything = z.strictObject({
    name: z.string(),
    size: z.int().min(64).max(4096),
    kind: z.enum(['a', 'b']),
    color: z.string().regex(/^#/),
    list: z.array(z.string().max(3)),
    rules: z.array(z.strictObject({ condition: z.strictObject({ country: z.string() }) })),
    link: checkedText(100, () => 'must be a URL'),
    static: z.never().optional(),
  });
  const faultsOf = (schema: z.ZodType, body: unknown) => {
    try {
      validateBody(schema, body);
    } catch (error) {
      if (error instanceof ClientError) return error;
      throw error;
    }
    throw new Error('was accepted');
  };

  test('have the path of the field, a code and the message, wrong shapes first; the first is the error', () => {
    const { message, faults = [] } = faultsOf(everything, {
      size: 1.5,
      kind: 'c',
      color: 'red',
      list: ['abcd'],
      rules: [{ condition: {} }, { condition: { country: 7, region: 'x' } }],
      link: 'x',
      static: 1,
    });
    expect(faults.map(({ param, code }) => [param, code])).toEqual([
      ['name', 'required'],
      ['rules[0].condition.country', 'required'],
      ['rules[1].condition.country', 'type'],
      ['rules[1].condition.region', 'unknown'],
      ['static', 'unknown'],
      ['size', 'type'],
      ['kind', 'enum'],
      ['color', 'format'],
      ['list[0]', 'length'],
      ['link', 'format'],
    ]);
    expect(faults[0]!.message).toBe(message);
    expect(faults[2]!.message).toBe('rules[1].condition.country must be a string; given: 7');
    expect(faultsOf(z.object({ size: z.number().max(4) }), { size: 5 }).faults).toMatchObject([
      { code: 'range' },
    ]);
    expect(faultsOf(everything, []).faults).toEqual([
      { param: null, code: 'type', message: 'The body must be an object; given: an array' },
    ]);
  });

  test('are at most 50, and the others are not put into words', () => {
    let worded = 0;
    const value = Object.assign(() => undefined, {
      toString() {
        worded++;
        return 'x';
      },
    });
    const short = z.unknown().refine(() => false, 'must be shorter');
    const { faults = [], details = [] } = faultsOf(
      z.array(short),
      Array.from({ length: 12_000 }, () => value),
    );
    expect([faults.length, details.length]).toEqual([50, 19]);
    expect(faults.at(-1)).toEqual({
      param: '[49]',
      code: 'value',
      message: '[49] must be shorter; given: x',
    });
    expect(worded).toBe(50);
  });
});

describe('a query', () => {
  const query = z.object({
    limit: z.string().regex(/^\d+$/, 'must be a whole number').optional(),
    cursor: z.string().optional(),
  });
  const refusalOf = (schema: z.ZodObject | undefined, given: Record<string, string | string[]>) => {
    try {
      validateQuery(schema, given, 'refused');
    } catch (error) {
      if (error instanceof ClientError) return [error.code, error.message];
      throw error;
    }
    throw new Error('was accepted');
  };

  test('fails only with INVALID_REQUEST', () => {
    expect(validateQuery(query, { limit: '5' }, 'refused')).toEqual({ limit: '5' });
    expect(refusalOf(query, { limit: 'x' })).toEqual([
      'INVALID_REQUEST',
      "limit must be a whole number; given: 'x'",
    ]);
    expect(refusalOf(query, { limit: ['1', '2'] })).toEqual([
      'INVALID_REQUEST',
      'limit must be given once; given: 2 times',
    ]);
  });

  test('a misspelled parameter is refused by name, with the accepted names', () => {
    const code = 'INVALID_REQUEST';
    expect(refusalOf(query, { limt: '5' })).toEqual([
      code,
      'limt is not a known parameter; accepted are limit, cursor',
    ]);
    expect(refusalOf(query, { ['__proto__']: '5' })[1]).toMatch(/^__proto__ is not a known parameter/);
    expect(refusalOf(undefined, { limit: '5' })).toEqual([
      code,
      'limit is not a known parameter; none is accepted here',
    ]);
    expect(refusalOf(query, { ['x'.repeat(9_000)]: '5' })[1]!.length).toBeLessThan(200);
  });

  test('an unknown parameter can be ignored, however often it is given', () => {
    expect(validateQuery(query, { limit: '5', utm_source: ['a', 'b'] }, 'ignored')).toEqual({ limit: '5' });
    expect(validateQuery(undefined, { utm_source: 'a' }, 'ignored')).toBeUndefined();
  });
});
