import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from './body.ts';
import { rowSteps } from './json-rows.ts';
import { beginsAsRows, shapeSteps } from './json-shape.ts';

const megabyte = 2 ** 20;

const finish = <Result>(steps: Generator<void, Result>): { value: Result; pauses: number } => {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done) return { value, pauses };
  }
};

/** The rows of a body, or the refusal; and how often others were served meanwhile. */
const rowsOf = (bytes: Buffer, rowBytesMax = megabyte) => {
  const shape = finish(shapeSteps(bytes, { partsMax: 1_000_000, fieldsMax: 3_000, ofRows: true }));
  if (!beginsAsRows(bytes, shape.value.begin)) return { shapePauses: shape.pauses };
  const parse = (some: Buffer, place: string) => parseJson(some, ` (${place})`);
  try {
    const rows = finish(rowSteps(bytes, shape.value, { rowBytesMax, rowSizeText: '1 MB', parse }));
    return { rows: rows.value, rowPauses: rows.pauses, shapePauses: shape.pauses };
  } catch (error) {
    return { refusal: (error as Error).message, shapePauses: shape.pauses };
  }
};

test('an array parsed in batches of rows equals one parsed at once, and invalid JSON stays invalid', () => {
  const json = fc.array(fc.jsonValue({ maxDepth: 5 }), { maxLength: 20 });
  const damage = fc.record({
    at: fc.nat(),
    text: fc.constantFrom('', ',', ']', '}', '[', '"', '\\', ' ', 'x'),
  });
  fc.assert(
    fc.property(json, fc.nat(3), fc.option(damage, { nil: undefined }), (value, indent, damaged) => {
      let text = JSON.stringify(value, null, indent);
      fc.pre(!text.includes('__proto__'));
      if (damaged) {
        const at = damaged.at % (text.length + 1);
        text = text.slice(0, at) + damaged.text + text.slice(damaged.text === '' ? at + 1 : at);
      }
      fc.pre(text.trimStart().startsWith('['));
      const { rows } = rowsOf(Buffer.from(text));
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expected = undefined;
      }
      expect(rows).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

const row = `{"data":"https://example.com/","name":"${'ü'.repeat(5_000)}"}`;

test('24 MB of rows are checked and parsed in many steps; so is a refused body, whose fault is named', () => {
  const body = (last: string) => Buffer.from(`[${Array(2_400).fill(row).join(',')},${last}]`);
  const whole = rowsOf(body('7'));
  expect(whole.rows).toHaveLength(2_401);
  expect(whole.rowPauses).toBeGreaterThan(100);
  expect(rowsOf(Buffer.from(`[${'{},'.repeat(100_000)}{}]`)).rowPauses).toBeGreaterThan(100);
  expect(rowsOf(body('{"a":1]')).refusal).toMatch(
    /^The body is not valid JSON \(in rows\[2\d+\] to rows\[2400\]\)$/,
  );
  expect(rowsOf(body(`"${'x'.repeat(megabyte)}"`)).refusal).toBe('rows[2400] must not be larger than 1 MB');
  expect(rowsOf(Buffer.from('[1]x')).refusal).toBe(
    'The body is not valid JSON (at byte offset 2, where its array should end)',
  );
  expect(rowsOf(Buffer.from('[1')).refusal).toBe(
    'The body is not valid JSON (it ends before its array does)',
  );
});

test('rows whose field names all differ are parsed in small batches: the parser is slow for each new name', () => {
  const rowOf = (at: number) => `{${Array.from({ length: 300 }, (_, n) => `"k${n}z${at}":0`).join(',')}}`;
  const { rows, rowPauses } = rowsOf(
    Buffer.from(`[${Array.from({ length: 300 }, (_, at) => rowOf(at)).join(',')}]`),
  );
  expect(rows).toHaveLength(300);
  expect(rowPauses).toBe(300);
});

test.each([
  ['numbers', `[${'1'.repeat(24 * megabyte)}`],
  ['escaped quotes', `["${'\\"'.repeat(12 * megabyte)}`],
  ['backslashes and a quote', `["${'\\'.repeat(24 * megabyte)}"`],
  ['blanks', ' '.repeat(24 * megabyte)],
])('no step goes through more than a part of 24 MB of %s', (_, text) => {
  expect(rowsOf(Buffer.from(text)).shapePauses).toBeGreaterThanOrEqual(90);
});
