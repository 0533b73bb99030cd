import { describe, expect, test } from 'vitest';
import { z } from 'zod';
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
    [{ name: 1 }, 'name must be a string'],
    [{ name: 'a', buttons: {} }, 'buttons must be an array'],
    [{ name: 'a', buttons: [{ destination: 'abc' }, 7] }, 'buttons[1] must be an object'],
    [{ name: 'a', buttons: [{ destination: 'abc' }, {}] }, 'buttons[1].destination is required'],
    [{ name: 'a', buttons: [{ destination: 'abc', x: 1 }] }, 'buttons[0].x is not a known field'],
    [{ name: 'a', buttons: [{ destination: 'abc', weight: '1' }] }, 'buttons[0].weight must be a number'],
    [{ name: 'a', color: 5 }, 'color is not acceptable'],
    [{ name: 'a', secure: [true] }, 'secure[0] must be one of password, expire'],
    [[], 'The body must be an object'],
    [undefined, 'The body is required'],
  ])('%j', (body, message) => {
    expect(refusal(body)).toEqual({ code: 'INVALID_REQUEST', message });
  });
});

describe('a right type with an unacceptable value is UNPROCESSABLE', () => {
  test.each([
    [{ name: 'abcdef' }, 'name must have at most 5 characters'],
    [{ name: 'a', buttons: [{ destination: 'ab' }] }, 'buttons[0].destination must be a URL'],
    [{ name: 'a', buttons: [{ destination: 'abc', weight: 0 }] }, 'buttons[0].weight must be at least 1'],
    [
      { name: 'a', buttons: [{ destination: 'abc', weight: 1.5 }] },
      'buttons[0].weight must be a whole number',
    ],
    [{ name: 'a', buttons: Array(4).fill({ destination: 'abc' }) }, 'buttons must have at most 3 entries'],
    [{ name: 'a', color: 'red' }, 'color is not acceptable'],
    [{ name: 'a', color: { stops: [1] } }, 'color.stops must have at least 2 entries'],
    [{ name: 'a', secure: ['expire', 'both'] }, 'secure[1] must be one of password, expire'],
  ])('%j', (body, message) => {
    expect(refusal(body)).toEqual({ code: 'UNPROCESSABLE', message });
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

  test('has no failure but INVALID_REQUEST', () => {
    expect(validateQuery(query, { limit: '5' }, 'refused')).toEqual({ limit: '5' });
    expect(refusalOf(query, { limit: 'x' })).toEqual(['INVALID_REQUEST', 'limit must be a whole number']);
    expect(refusalOf(query, { limit: ['1', '2'] })).toEqual(['INVALID_REQUEST', 'limit must be given once']);
  });

  test('a misspelled parameter is refused by its name, with the names that are accepted', () => {
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

  test('what is not known can be ignored, however often it is given', () => {
    expect(validateQuery(query, { limit: '5', utm_source: ['a', 'b'] }, 'ignored')).toEqual({ limit: '5' });
    expect(validateQuery(undefined, { utm_source: 'a' }, 'ignored')).toBeUndefined();
  });
});
