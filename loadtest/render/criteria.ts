/** The promises of rendering. */
import type { Criterion } from '../report/judge.ts';

const perSecond = (id: string, title: string, must: number, aim: number): Criterion => ({
  id,
  title,
  better: 'higher',
  must,
  aim,
  unit: '/s',
});

const atMostMs = (id: string, title: string, must: number, aim: number): Criterion => ({
  id,
  title,
  better: 'lower',
  must,
  aim,
  unit: ' ms',
});

export const criteria: readonly Criterion[] = [
  perSecond('svgPlain', 'SVG, plain squares', 1500, 3000),
  perSecond('svgRounded', 'SVG, rounded with a gradient', 800, 1500),
  perSecond('pngPlain', 'PNG 512 px, plain squares', 2000, 4500),
  perSecond('pngRounded', 'PNG 512 px, rounded with a gradient', 180, 300),
  perSecond('pdfFramed', 'PDF, framed with a gradient', 40, 80),
  atMostMs('imageFirst', 'GET …/image png 512 for the first time, p50', 25, 12),
  atMostMs('imageCached', 'GET …/image png 512 from the cache, p50', 3, 1),
  {
    id: 'memory',
    title: 'growth of memory over the second half of 20,000 renders',
    better: 'lower',
    must: 50,
    aim: 20,
    unit: ' MB',
  },
];
