/**
 * Rendering on two cores: codes a second and CPU milliseconds a code, the image endpoint over HTTP, and memory. A figure in codes a
 * second falls if others use the cores; the CPU of a code hardly does.
 */
import { quick } from '../load-test/flags.ts';
import { defineLoadTest } from '../load-test/load-test.ts';
import { measured } from '../report/findings.ts';
import { atLeast, atMost, type Finding } from '../report/judge.ts';
import { formatTable } from '../report/table.ts';
import { measureImages } from './images.ts';
import {
  environment,
  type LookId,
  lookIds,
  measureMemory,
  measureProofs,
  measureRun,
  type Throughput,
} from './renderer.ts';

/** Above this share of others, codes a second say little of the build. */
const foreignShareMax = 0.1;

const perSecond = (throughput: Throughput): Finding => {
  const possible = Math.round(2000 / throughput.cpuMs).toLocaleString('en-US');
  const others = Math.round(throughput.foreignShare * 100);
  const disturbance = throughput.foreignShare > foreignShareMax ? `; others took ${others}% of them` : '';
  const note = `${throughput.cpuMs.toFixed(2)} CPU ms a code: ${possible}/s on two cores${disturbance}`;
  return { value: throughput.perSecond, note };
};

const throughputTable = (throughput: readonly Throughput[]): string =>
  formatTable(
    ['picture', 'read', 'codes/s on two cores', 'CPU ms a code', 'cores used by others'],
    throughput.map((each) => [
      each.id,
      each.proof === 'picture' ? 'each' : 'first of its kind',
      each.perSecond.toFixed(0),
      each.cpuMs.toFixed(2),
      `${Math.round(each.foreignShare * 100)}%`,
    ]),
  );

const look = <Row extends LookId>(row: Row, title: string, must: number, aim: number) =>
  ({ id: row, row, title, ...atLeast(must, '/s', aim), finding: perSecond }) as const;

export const render = defineLoadTest({
  name: 'render',
  about: 'measures the drawing of pictures, and the image endpoint',
  flags: {
    quick,
    build: {
      kind: 'folder',
      takes: 'FOLDER',
      contents: ['control-plane/rendering'],
      help: 'measures the rendering of another build',
    },
  },
  only: {
    noun: 'row',
    beginnings: ['svg', 'png', 'pdf', 'webp', 'proof', 'image', 'memory', ...lookIds],
  },
  environment,
  rows: {
    svgPlain: measureRun('svgPlain'),
    svgRounded: measureRun('svgRounded'),
    pngPlain: measureRun('pngPlain'),
    pngRounded: measureRun('pngRounded'),
    webpRounded: measureRun('webpRounded'),
    pdfFramed: measureRun('pdfFramed'),
    proof: measureProofs,
    memory: measureMemory,
    image: measureImages,
  },
  criteria: [
    look('svgPlain', 'SVG, plain squares', 1500, 3000),
    look('svgRounded', 'SVG, rounded with a gradient', 800, 1500),
    look('pngPlain', 'PNG 512 px, plain squares', 2000, 4500),
    look('pngRounded', 'PNG 512 px, rounded with a gradient', 180, 300),
    look('pdfFramed', 'PDF, framed with a gradient', 40, 80),
    {
      id: 'imageFirst',
      title: 'GET …/image png 512 for the first time, p50',
      ...atMost(25, ' ms', 12),
      row: 'image',
      finding: ({ firstMs }) => ({ value: firstMs, note: 'one after the other, read before it is sent' }),
    },
    {
      id: 'imageCached',
      title: 'GET …/image png 512 from the cache, p50',
      ...atMost(3, ' ms', 1),
      row: 'image',
      finding: ({ cachedMs }) => ({ value: cachedMs }),
    },
    {
      id: 'memory',
      title: 'growth of memory over the second half of 20,000 renders',
      ...atMost(50, ' MB', 20),
      row: 'memory',
      finding: ({ growthMb }) => ({ value: growthMb }),
    },
  ],
  tables: (rows) => {
    const found = [...lookIds.map((id) => measured(rows[id]) ?? []), measured(rows.proof) ?? []].flat();
    return found.length > 0 ? [throughputTable(found)] : [];
  },
});
