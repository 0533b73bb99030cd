import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { boundedArray, boundedText } from './text.ts';

const folder = new URL('.', import.meta.url);

test('every string schema begins with boundedText, ownText or a format', async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(files).toContain('text.ts');
  for (const name of files.filter((each) => each !== 'text.ts')) {
    const text = await readFile(new URL(name, folder), 'utf8');
    expect([name, text.match(/z\s*\.(string|coerce|any|url|email|record|map|set)\(/g)]).toEqual([name, null]);
  }
});

test('a text that is too long meets only its limit check', () => {
  const seen: string[] = [];
  const schema = boundedText(3)
    .refine((text) => seen.push(text) > 0)
    .regex(/^(a+)+$/)
    .transform((text) => seen.push(text));
  expect(schema.safeParse('aaaa').error?.issues).toMatchObject([{ code: 'too_big', maximum: 3 }]);
  expect(seen).toEqual([]);
  expect(schema.safeParse('aaa').success).toBe(true);
  expect(seen).toEqual(['aaa', 'aaa']);
  expect(
    z.object({ a: boundedText(3, 'must be short') }).safeParse({ a: 'aaaa' }).error?.issues,
  ).toMatchObject([{ message: 'must be short', path: ['a'] }]);
});

test('a list that is too long is one failure, and none of its entries is read', () => {
  let looked = 0;
  const entry = boundedText(3).refine(() => ++looked > 0);
  const schema = z.object({ list: boundedArray(entry, { min: 1, max: 2 }).optional() });
  const long = schema.safeParse({ list: Array(100_000).fill('a') });
  expect(long.error?.issues).toMatchObject([
    { code: 'too_big', origin: 'array', maximum: 2, path: ['list'] },
  ]);
  expect(looked).toBe(0);
  expect(schema.safeParse({ list: ['a', 'b'] }).success).toBe(true);
  expect(schema.safeParse({ list: [] }).success).toBe(false);
  expect(schema.safeParse({ list: 'a' }).error?.issues).toMatchObject([{ code: 'invalid_type' }]);
  expect(schema.safeParse({}).success).toBe(true);
  expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({
    properties: {
      list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', maxLength: 3 } },
    },
  });
});
