import { expect, test } from 'vitest';
import { findingsOf } from '../report/findings.ts';
import { judge } from '../report/judge.ts';
import type { DownloadsFigures } from './downloads.ts';
import type { ImagesFigures } from './images.ts';
import type { MintFigures } from './mint.ts';
import { serialized } from './serialized.ts';

const criteria = serialized.criteria();

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
  return judge(criteria.find(({ id }) => id === 'mint')!, findingsOf(criteria, { mint: figures }).mint!);
};

test('a mint is judged by its time, which others only make longer', () => {
  expect(verdictOn({ ms: 1_900, foreignShare: 0.5 })).toBe('aim met');
  expect(verdictOn({ ms: 4_000 })).toBe('must met');
  expect(verdictOn({ ms: 6_000 })).toBe('NOT MET');
  expect(verdictOn({ ms: 6_000, foreignShare: 0.5 })).toBe('not measured');
  expect(verdictOn({ items: 5_000 })).toBe('not measured');
});

const round = { ms: 30_000, bytes: 2 ** 26, cpuMs: 500, behindCpuMs: 10, foreignShare: 0, besideMs: 6 };

const imageVerdicts = (changes: Partial<ImagesFigures>) => {
  const kinds = { plainSvg: round, styledSvg: round, plainPng: round, styledPng: round };
  const images = { items: 50_000, kinds, aloneMs: 4, peakMb: 300, ...changes };
  const findings = findingsOf(criteria, { images });
  return (id: string) => {
    const criterion = criteria.find((each) => each.id === id)!;
    return judge(criterion, findings[criterion.id]!);
  };
};

test('an export of images is judged by its time, its memory, and the delay of small requests beside it', () => {
  const met = imageVerdicts({});
  for (const id of ['plainSvg', 'styledSvg', 'plainPng', 'styledPng', 'imagesMemory', 'besideImages'])
    expect(met(id), id).toBe('aim met');
  expect(met('mint')).toBe('not measured');
  expect(imageVerdicts({ peakMb: 500 })('imagesMemory')).toBe('NOT MET');
  expect(imageVerdicts({ aloneMs: 2 })('besideImages')).toBe('NOT MET');
  expect(imageVerdicts({ items: 2_000 })('plainSvg')).toBe('not measured');
});

test('downloads are judged by the small request that they delay most', () => {
  const alone = { list: 5, create: 10, page: 4 };
  const quiet = { ...alone, downloads: 9, foreignShare: 0 };
  const verdict = (labels: Partial<DownloadsFigures['beside']['labels.csv']>) => {
    const downloads = {
      items: 50_000,
      alone,
      beside: { 'items.csv': quiet, 'labels.csv': { ...quiet, ...labels } },
    };
    const findings = findingsOf(criteria, { downloads });
    return judge(criteria.find(({ id }) => id === 'besideDownloads')!, findings.besideDownloads!);
  };
  expect(verdict({ create: 20 })).toBe('aim met');
  expect(verdict({ page: 9 })).toBe('NOT MET');
  expect(verdict({ page: 9, foreignShare: 0.5 })).toBe('not measured');
});
