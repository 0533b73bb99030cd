import { expect, test } from 'vitest';
import { judge } from '../report/judge.ts';
import type { MintFigures } from './mint.ts';
import { criteria, findingsOf } from './report.ts';

const verdictOn = (changes: Partial<MintFigures>) => {
  const figures = {
    items: 50_000,
    ms: 1_000,
    msRange: { low: 900, high: 1_100 },
    fileMs: 500,
    cpuMs: 5,
    behindCpuMs: 5,
    foreignShare: 0,
    ...changes,
  };
  return judge(criteria.find(({ id }) => id === 'mint')!, findingsOf({ mint: figures }).mint);
};

test('a mint is judged by its time, which others only make longer', () => {
  expect(verdictOn({ ms: 1_900, foreignShare: 0.5 })).toBe('aim met');
  expect(verdictOn({ ms: 4_000 })).toBe('must met');
  expect(verdictOn({ ms: 6_000 })).toBe('NOT MET');
  expect(verdictOn({ ms: 6_000, foreignShare: 0.5 })).toBe('not measured');
  expect(verdictOn({ items: 5_000 })).toBe('not measured');
});
