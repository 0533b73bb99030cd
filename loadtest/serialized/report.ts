/** The report of the load test of serialized codes: goals and verdicts. */
import type { Outcomes } from '../bench/run-rows.ts';
import { findingOf, withDisturbance } from '../report/findings.ts';
import type { Criterion, Finding } from '../report/judge.ts';
import { goalTable } from '../report/table.ts';
import { smallRequests } from './beside.ts';
import type { DownloadsFigures } from './downloads.ts';
import type { ImagesFigures, KindOfImages } from './images.ts';
import type { MintFigures } from './mint.ts';

/** A row of its own for each thing that is measured; index.ts measures them in this order. */
export interface Rows {
  mint: MintFigures;
  downloads: DownloadsFigures;
  images: ImagesFigures;
}

type CriterionId = 'mint' | KindOfImages | 'imagesMemory' | 'besideImages' | 'besideDownloads';

const goal = (id: CriterionId, title: string, bound: number, unit: Criterion['unit']) =>
  ({ id, title, better: 'lower', must: bound, aim: bound, unit }) as const;

export const criteria: readonly (Criterion & { id: CriterionId })[] = [
  {
    id: 'mint',
    title: '50,000 items, from the call to completed',
    better: 'lower',
    must: 5_000,
    aim: 2_000,
    unit: ' ms',
  },
  goal('plainSvg', '50,000 pictures as a zip, from the call to completed: plain SVG', 45_000, ' ms'),
  goal('styledSvg', 'SVG of rounded dots in a gradient', 75_000, ' ms'),
  goal('plainPng', 'plain PNG of 512 pixels', 40_000, ' ms'),
  goal('styledPng', 'PNG of 512 pixels, rounded dots in a gradient', 300_000, ' ms'),
  goal('imagesMemory', 'the most memory of the control plane in all of these', 400, ' MB'),
  goal(
    'besideDownloads',
    'the 99th percentile of small requests of another workspace beside eight downloads at once, against alone',
    2,
    '×',
  ),
  goal('besideImages', 'the 99th percentile of a small request beside them, against alone', 2, '×'),
];

/** Others only make a job slower: a time that is met beside them is met. */
const timeOf = (ms: number, mustMs: number, foreignShare: number, note: string): Finding => {
  const finding = { value: ms, note };
  if (ms > mustMs) return withDisturbance(finding, [foreignShare]);
  return { ...finding, note: `${note}; others took ${(foreignShare * 100).toFixed(0)}% of the cores` };
};

const mintFinding = ({
  items,
  ms,
  msRange,
  fileMs,
  cpuMs,
  behindCpuMs,
  foreignShare,
}: MintFigures): Finding => {
  if (items < 50_000) return { why: `a short round: ${items} items` };
  const range = `${msRange.low.toFixed(0)}–${msRange.high.toFixed(0)}`;
  const note = `${range}; ${cpuMs.toFixed(1)} + ${behindCpuMs.toFixed(1)} CPU ms for 1,000; items.csv in ${fileMs.toFixed(0)} ms`;
  return timeOf(ms, 5_000, foreignShare, note);
};

const shortRound = ({ items }: ImagesFigures): Finding | undefined =>
  items < 50_000 ? { why: `a short round: ${items} items` } : undefined;

const imagesFinding =
  (kind: KindOfImages, mustMs: number) =>
  (figures: ImagesFigures): Finding => {
    const { ms, bytes, cpuMs, behindCpuMs, foreignShare } = figures.kinds[kind];
    const note = `${(bytes / 2 ** 20).toFixed(0)} MB; ${cpuMs.toFixed(0)} + ${behindCpuMs.toFixed(0)} CPU ms for 1,000`;
    return shortRound(figures) ?? timeOf(ms, mustMs, foreignShare, note);
  };

const besideFinding = (figures: ImagesFigures): Finding => {
  const { kinds, aloneMs } = figures;
  const rounds = Object.values(kinds);
  const times = rounds.map(({ besideMs }) => besideMs);
  const note = `${times.map((ms) => ms.toFixed(1)).join(', ')} / ${aloneMs.toFixed(1)} ms`;
  const finding = { value: Math.max(...times) / aloneMs, note };
  return (
    shortRound(figures) ??
    withDisturbance(
      finding,
      rounds.map(({ foreignShare }) => foreignShare),
    )
  );
};

/** The request and the file of which others feel most. A short round has a ratio, too: it is of one run. */
const downloadsFinding = ({ items, alone, beside }: DownloadsFigures): Finding => {
  const rounds = Object.entries(beside).flatMap(([file, times]) =>
    smallRequests.map((name) => ({ file, name, value: times[name] / alone[name], times })),
  );
  const worst = rounds.reduce((most, each) => (each.value > most.value ? each : most));
  const each = rounds.map(
    ({ file, name, times }) =>
      `${name} beside ${file} ${times[name].toFixed(1)} / ${alone[name].toFixed(1)} ms`,
  );
  const finding = { value: worst.value, note: `${items} items; ${each.join(', ')}` };
  if (worst.value <= 2) return finding;
  return withDisturbance(
    finding,
    rounds.map(({ times }) => times.foreignShare),
  );
};

export const findingsOf = ({ mint, downloads, images }: Outcomes<Rows>): Record<CriterionId, Finding> => ({
  plainSvg: findingOf(images, imagesFinding('plainSvg', 45_000)),
  styledSvg: findingOf(images, imagesFinding('styledSvg', 75_000)),
  plainPng: findingOf(images, imagesFinding('plainPng', 40_000)),
  styledPng: findingOf(images, imagesFinding('styledPng', 300_000)),
  imagesMemory: findingOf(
    images,
    (figures) => shortRound(figures) ?? { value: figures.peakMb, note: 'since its start, threads included' },
  ),
  besideDownloads: findingOf(downloads, downloadsFinding),
  besideImages: findingOf(images, besideFinding),
  mint: findingOf(mint, mintFinding),
});

export const goals = (findings: Record<CriterionId, Finding>): string => goalTable(criteria, findings);
