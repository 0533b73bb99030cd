import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FormField } from '#schemas/api/forms.ts';
import { textsOf } from '../../../api/http/pieces.ts';
import { submissionsCsv } from './csv.ts';
import type { Submission } from './submission.ts';

const field = (id: string, label: string): FormField => ({ id, label, type: 'text', required: false });

const submission = (values: Record<string, string>): Submission => ({
  id: 'subm_1',
  seq: '1',
  values,
  ip: '198.51.100.7',
  userAgent: 'Mozilla/5.0',
  referrer: 'https://example.com/',
  createdAt: new Date('2026-05-04T12:00:00Z'),
});

const csvOf = async (fields: FormField[], ...submissions: Submission[]): Promise<string> => {
  const pages = async function* () {
    if (submissions.length > 0) yield submissions;
  };
  let text = '';
  for await (const part of textsOf(submissionsCsv(fields, pages()))) text += part;
  return text;
};

const rowsOf = (csv: string): string[][] => parse(csv, { bom: true });

test('a column is named by its field’s label, with the id if labels are repeated', async () => {
  const fields = [field('a', 'Name'), field('b', 'Name'), field('c', 'ip'), field('d', 'Größe')];
  expect(rowsOf(await csvOf(fields))).toEqual([
    [
      'submissionId',
      'createdAt',
      'Name (a)',
      'Name (b)',
      'ip (c)',
      'Größe',
      'ip',
      'userAgent',
      'referrer',
      'otherValues',
    ],
  ]);
});

test('no two columns have the same name, whatever the labels', async () => {
  const label = fc.constantFrom('A', 'A (a)', 'A (b)', 'A (a) (c)', 'ip', 'ip (a)', 'createdAt');
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
      fc.infiniteStream(label),
      async (ids, labels) => {
        const fields = ids.map((id) => field(id, labels.next().value));
        const [header = []] = rowsOf(await csvOf(fields));
        expect(header).toHaveLength(fields.length + 6);
        expect(new Set(header).size).toBe(header.length);
      },
    ),
  );
});

test('a row has the values of the current form, and also the values of deleted fields', async () => {
  const csv = await csvOf([field('a', 'A'), field('new', 'New')], submission({ a: 'x', gone: 'y' }));
  expect(rowsOf(csv)[1]).toEqual([
    'subm_1',
    '2026-05-04T12:00:00.000Z',
    'x',
    '',
    '198.51.100.7',
    'Mozilla/5.0',
    'https://example.com/',
    '{"gone":"y"}',
  ]);
});

test('no cell is a formula, whether written by a visitor, a browser or the owner of the form', async () => {
  const hostile = '=HYPERLINK("https://evil.example";"x")';
  const sent = { ...submission({ a: hostile, gone: hostile }), userAgent: '@SUM(1)', referrer: '+1' };
  const csv = await csvOf([field('a', hostile)], sent);
  expect(csv.startsWith('\ufeff')).toBe(true);
  const cells = rowsOf(csv).flat();
  expect(cells).toContain(`'${hostile}`);
  expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
});

test('a telephone number with a plus gets an apostrophe, since it can be a formula', async () => {
  const fields: FormField[] = [{ id: 'phone', label: 'Phone', type: 'phone', required: false }];
  const [, row] = rowsOf(await csvOf(fields, submission({ phone: '+49 (30) 123' })));
  expect(row?.[2]).toBe("'+49 (30) 123");
});
