import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClientError } from '#shared/errors.ts';
import { checkJsonShape, depthMax, type ShapeLimit } from './json-shape.ts';

const refusalOf = (text: string, partsMax = 1_000, limit: Partial<ShapeLimit> = {}): string | undefined => {
  try {
    checkJsonShape(Buffer.from(text), { partsMax, fieldsMax: partsMax, ...limit });
    return undefined;
  } catch (error) {
    if (error instanceof ClientError) return `${error.code} ${error.message}`;
    throw error;
  }
};

test('anything not nested too deep and with few parts passes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), fc.nat(4), (value, indent) => {
      fc.pre(!JSON.stringify(value).includes('__proto__'));
      expect(refusalOf(JSON.stringify(value, null, indent), 1e9)).toBeUndefined();
    }),
  );
});

test.each([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
])('%s may be nested 32 deep and no deeper', (_, open, close) => {
  const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
  expect(refusalOf(nested(depthMax))).toBeUndefined();
  expect(refusalOf(nested(depthMax + 1))).toBe(
    'INVALID_REQUEST The body must not be nested deeper than 32 levels',
  );
});

test('brackets, commas and quotes within a string are not structure', () => {
  const text = `${'[{,'.repeat(100)}\\"${'[{,'.repeat(100)}\\\\\\"\\\\`;
  expect(refusalOf(`{"a":"${text}","b":["${text}"]}`, 10)).toBeUndefined();
  expect(refusalOf(`"${'\\'.repeat(10_001)}`)).toBeUndefined();
});

test.each([
  ['[1,2,3]', 3],
  ['{"a":1}', 2],
  ['{"a":"b","c":[]}', 6],
  ['[[],{}]', 4],
  ['""""""', 3],
])('%s has as many parts as it has names, strings, objects, arrays and commas: %i', (text, parts) => {
  expect(refusalOf(text, parts)).toBeUndefined();
  expect(refusalOf(text, parts - 1)).toBe(
    `INVALID_REQUEST The body must not have more than ${parts - 1} fields, values and entries`,
  );
});

test('a text has a limit of fields at any depth; an array of rows has it for each row, and the row is named', () => {
  const fields = (count: number) =>
    `{"a:":[{${Array.from({ length: count - 1 }, (_, n) => `"${n}:":${n}`).join(',')}}]}`;
  const [whole, ofRows] = [{ fieldsMax: 5 }, { fieldsMax: 5, ofRows: true }];
  expect(refusalOf(fields(5), 1e9, whole)).toBeUndefined();
  expect(refusalOf(fields(6), 1e9, whole)).toBe('INVALID_REQUEST The body must not have more than 5 fields');
  const rows = (...counts: number[]) => ` [${counts.map(fields).join(', ')}]`;
  expect(refusalOf(rows(5, 5, 5), 1e9, ofRows)).toBeUndefined();
  expect(refusalOf(rows(5, 5, 5), 1e9, whole)).toBe(
    'INVALID_REQUEST The body must not have more than 5 fields',
  );
  expect(refusalOf(rows(5, 5, 6), 1e9, ofRows)).toBe(
    'INVALID_REQUEST rows[2] must not have more than 5 fields',
  );
  // Anything but an array of rows counts as one text.
  expect(refusalOf(fields(6), 1e9, ofRows)).toBe('INVALID_REQUEST The body must not have more than 5 fields');
});

test('a row has a limit of values at any depth; an array with ten times its rows is refused by the real limit', () => {
  const row = (values: number) => `{"a":[${Array.from({ length: values }, (_, n) => `"${n},["`).join(',')}]}`;
  const limit = { ofRows: true, rowValuesMax: 20, rowsMax: 3 };
  const refusal = (...rows: number[]) => refusalOf(`[${rows.map(row).join(',')}]`, 1e9, limit);
  expect(refusal(15, 15, 15)).toBeUndefined();
  expect(refusal(15, 22)).toBe('INVALID_REQUEST rows[1] must not have more than 20 values');
  expect(refusal(...Array<number>(30).fill(15))).toBeUndefined();
  expect(refusal(...Array<number>(31).fill(15))).toBe(
    'INVALID_REQUEST The body must have at most 3 rows; it has far more',
  );
});

test.each([
  '"__proto__"',
  '"\\u005f_proto\\u005F_"',
  '"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f"',
])('a field named %s is refused, wherever it stands, naming the place', (name) => {
  expect(refusalOf(`{"a":[{${name} \n: {}}]}`)).toBe(
    'INVALID_REQUEST __proto__ is not a known field; it is at byte offset 7 of the body',
  );
  expect(refusalOf(`{"name":${name}}`)).toBeUndefined();
});
