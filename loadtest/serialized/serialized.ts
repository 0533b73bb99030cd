/**
 * Serialized codes as an integrator sees them: from the call to the status of its job that says completed. The control plane has both
 * cores, as on a machine that runs everything; PostgreSQL waits for its disk.
 */
import { build, quick } from '../load-test/flags.ts';
import { defineLoadTest } from '../load-test/load-test.ts';
import { despiteOthers, withDisturbance } from '../report/findings.ts';
import { atMost, type Finding } from '../report/judge.ts';
import { environment, smallRequests } from './context.ts';
import { type DownloadsFigures, measureDownloads } from './downloads.ts';
import { type ImagesFigures, type KindOfImages, measureImages } from './images.ts';
import { type MintFigures, measureMint } from './mint.ts';

const mintMsMax = 5_000;

const shortRound = ({ items }: { items: number }): Finding | undefined =>
  items < 50_000 ? { why: `a short round: ${items} items` } : undefined;

/** Others only make a mint slower. */
const mintFinding = (figures: MintFigures): Finding => {
  const { ms, msRange, fileMs, cpuMs, behindCpuMs, foreignShare } = figures;
  const range = `${msRange.low.toFixed(0)}–${msRange.high.toFixed(0)}`;
  const note = `${range}; ${cpuMs.toFixed(1)} + ${behindCpuMs.toFixed(1)} CPU ms for 1,000; items.csv in ${fileMs.toFixed(0)} ms`;
  return shortRound(figures) ?? despiteOthers({ value: ms, note }, ms <= mintMsMax, foreignShare);
};

/** The export of one kind of pictures. Others only make it slower. */
const imagesCriterion = (id: KindOfImages, title: string, mustMs: number) => ({
  id,
  title,
  ...atMost(mustMs, ' ms'),
  row: 'images' as const,
  finding: (figures: ImagesFigures): Finding => {
    const { ms, bytes, cpuMs, behindCpuMs, foreignShare } = figures.kinds[id];
    const note = `${(bytes / 2 ** 20).toFixed(0)} MB; ${cpuMs.toFixed(0)} + ${behindCpuMs.toFixed(0)} CPU ms for 1,000`;
    return shortRound(figures) ?? despiteOthers({ value: ms, note }, ms <= mustMs, foreignShare);
  },
});

const besideImages = (figures: ImagesFigures): Finding => {
  const rounds = Object.values(figures.kinds);
  const times = rounds.map(({ besideMs }) => besideMs);
  const note = `${times.map((ms) => ms.toFixed(1)).join(', ')} / ${figures.aloneMs.toFixed(1)} ms`;
  const finding = { value: Math.max(...times) / figures.aloneMs, note };
  const shares = rounds.map(({ foreignShare }) => foreignShare);
  return shortRound(figures) ?? withDisturbance(finding, shares);
};

/** The request and the file with the greatest ratio. A short round has a ratio, too: it is of one run. */
const besideDownloads = ({ items, alone, beside }: DownloadsFigures): Finding => {
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
  const shares = rounds.map(({ times }) => times.foreignShare);
  return withDisturbance(finding, shares);
};

export const serialized = defineLoadTest({
  name: 'serialized',
  about: 'measures serialized codes: the mint of 50,000 items, downloads of them, and their pictures',
  flags: { quick, build: build('control-plane/features/serialized') },
  only: { noun: 'row' },
  environment,
  rows: { mint: measureMint, downloads: measureDownloads, images: measureImages },
  criteria: [
    {
      id: 'mint',
      title: '50,000 items, from the call to completed',
      ...atMost(mintMsMax, ' ms', 2_000),
      row: 'mint',
      finding: mintFinding,
    },
    imagesCriterion('plainSvg', '50,000 pictures as a zip, from the call to completed: plain SVG', 45_000),
    imagesCriterion('styledSvg', 'SVG of rounded dots in a gradient', 75_000),
    imagesCriterion('plainPng', 'plain PNG of 512 pixels', 40_000),
    imagesCriterion('styledPng', 'PNG of 512 pixels, rounded dots in a gradient', 300_000),
    {
      id: 'imagesMemory',
      title: 'the most memory of the control plane in all of these',
      ...atMost(400, ' MB'),
      row: 'images',
      finding: (figures) =>
        shortRound(figures) ?? { value: figures.peakMb, note: 'since its start, threads included' },
    },
    {
      id: 'besideDownloads',
      title:
        'the 99th percentile of small requests of another workspace beside eight downloads at once, against alone',
      ...atMost(2, '×'),
      row: 'downloads',
      finding: besideDownloads,
    },
    {
      id: 'besideImages',
      title: 'the 99th percentile of a small request beside them, against alone',
      ...atMost(2, '×'),
      row: 'images',
      finding: besideImages,
    },
  ],
});
