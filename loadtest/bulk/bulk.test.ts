import { expect, test } from 'vitest';
import { findingsOf } from '../report/findings.ts';
import { judge } from '../report/judge.ts';
import { batchesTable, bulk } from './bulk.ts';
import type { BatchFigures } from './rows.ts';

const figures = (changes: Partial<BatchFigures>): BatchFigures => ({
  kind: 'plain',
  rows: 1_000,
  ms: 1_000,
  msRange: { low: 900, high: 1_100 },
  cpuMs: 0.3,
  behindCpuMs: 0.2,
  foreignShare: 0,
  ...changes,
});

const verdictOn = (plain: Partial<BatchFigures>) => {
  const rows = { batches: [figures(plain), figures({ kind: 'styled' })] };
  const { plain: finding } = findingsOf(bulk.criteria(), rows);
  return judge(bulk.criteria().find(({ id }) => id === 'plain')!, finding!);
};

test('a time that is met beside others is met, and one that is not met beside them says nothing', () => {
  expect(verdictOn({ ms: 1_900, foreignShare: 0.5 })).toBe('aim met');
  expect(verdictOn({ ms: 2_100, foreignShare: 0.5 })).toBe('not measured');
  expect(verdictOn({ ms: 2_100, foreignShare: 0 })).toBe('NOT MET');
});

test('a short round is not judged', () => {
  expect(verdictOn({ rows: 200, ms: 100 })).toBe('not measured');
});

test('a ratio is withdrawn if others took the cores', () => {
  const fairness = { workspaces: 20, aloneMs: 1, besideMs: 2, besideRatio: 2, spreadRatio: 1.2 };
  const findingAt = (foreignShare: number) =>
    findingsOf(bulk.criteria(), { fairness: { ...fairness, foreignShare } }).beside;
  expect(findingAt(0.01)).toMatchObject({ value: 2 });
  expect(findingAt(0.5)).toMatchObject({ why: expect.stringContaining('disturbed') });
});

test('times are shown beside those of plain rows', () => {
  const table = batchesTable([figures({}), figures({ kind: 'styled', ms: 1_500 })]);
  expect(table).toContain('| 1,000 fully styled, one style | 1500 [900–1100] | 1.50 ×');
});
