import { expect, test } from 'vitest';
import { publishedRunOf, rangesTable, readPublished } from './ranges.ts';

test('the ranges are those of the published runs, and a peer that was not measured has no ratio', () => {
  const table = rangesTable([
    { machine: 'a', waymarkUs: 8, bareUs: 4, nginxJobUs: 10 },
    { machine: 'b', waymarkUs: 15, bareUs: 10, nginxJobUs: 12, nginxUnlimitedUs: 10 },
  ]);
  const cells = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  expect(cells.slice(2).map((line) => line.slice(1, -1))).toEqual([
    ['a', '8.0', '2.00 ×', '0.80 ×', ''],
    ['b', '15.0', '1.50 ×', '1.25 ×', '1.50 ×'],
    ['range', '8.0–15.0', '1.50–2.00 ×', '0.80–1.25 ×', '1.50–1.50 ×'],
  ]);
});

test('every published run can be read', async () => {
  expect((await readPublished()).length).toBeGreaterThan(1);
});

test('a run without the floor is not published', () => {
  expect(publishedRunOf('x', [])).toBeUndefined();
});
