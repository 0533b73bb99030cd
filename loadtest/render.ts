/**
 * Rendering on two cores: codes a second and CPU milliseconds a code, the image endpoint over HTTP, and memory. A figure in codes a
 * second falls if others use the cores; the CPU of a code hardly does.
 */
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Style } from '#schemas/api/style.ts';
import { openApiEnvironment } from './bench/api-environment.ts';
import { ownBuild } from './bench/databases.ts';
import { apiKey } from './bench/planes.ts';
import { mediansOf, takeRounds } from './bench/turns.ts';
import { quick } from './load-test/flags.ts';
import { defineLoadTest, type Run } from './load-test/load-test.ts';
import { busyMsOf, foreignShare } from './measure/quiet.ts';
import { latenciesOf } from './measure/statistics.ts';
import { measured } from './report/findings.ts';
import { atLeast, atMost, type Finding } from './report/judge.ts';
import { formatTable } from './report/table.ts';

interface Request {
  payload: string;
  look: unknown;
  /** The look, as earlier builds name it. */
  style: unknown;
  format: 'png' | 'svg' | 'webp' | 'jpg' | 'pdf';
  width: number;
  /** Whether each picture is read, or the first of its style. */
  proof: 'picture' | 'style';
}

interface Renderer {
  render(request: Request): Promise<{ body: Buffer; decoded: string }>;
  close(): Promise<void>;
}

/** The measured part of a build's renderer. */
interface Build {
  createRenderer(options: { threads: number }): Renderer;
  resolveStyle(style: Style): unknown;
}

const rounded: Style = {
  dotsOptions: {
    type: 'rounded',
    color: {
      type: 'linear',
      rotation: 0.7,
      colorStops: [
        { offset: 0, color: '#102a43' },
        { offset: 1, color: '#7b1e3a' },
      ],
    },
  },
};

/** The pictures that are rendered, by the name of their row. */
const looks = {
  svgPlain: { style: {}, format: 'svg', width: 512 },
  svgRounded: { style: rounded, format: 'svg', width: 512 },
  pngPlain: { style: {}, format: 'png', width: 512 },
  pngRounded: { style: rounded, format: 'png', width: 512 },
  webpRounded: { style: rounded, format: 'webp', width: 512 },
  pdfFramed: { style: { ...rounded, frame: { id: 'banner' } }, format: 'pdf', width: 512 },
} as const satisfies Record<string, { style: Style; format: Request['format']; width: number }>;

type LookId = keyof typeof looks;
const lookIds = Object.keys(looks) as LookId[];

interface Context extends Run {
  folder: string;
  build: Build;
}

const environment = async (run: Run<{ build: string | undefined }>): Promise<Context> => {
  const folder = path.resolve(run.options.build ?? ownBuild);
  const build = await import(pathToFileURL(path.join(folder, 'control-plane/rendering/index.ts')).href);
  return { ...run, folder, build };
};

let codes = 0;

/** A code that was never rendered before, as long as a redirect's address is. */
const nextPayload = (): string => `https://qr.example.com/r/${(codes++).toString(36).padStart(9, '0')}`;

const cores = 2;
/** Requests under way at once, so that no thread waits for the next one. */
const concurrency = 8;

interface Throughput {
  id: LookId;
  proof: Request['proof'];
  perSecond: number;
  /** User and system time of all threads. */
  cpuMs: number;
  /** The share of both cores that others took, 0 to 1. */
  foreignShare: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const busyMs = (): number => os.cpus().reduce((sum, _, core) => sum + busyMsOf(core), 0);

const renderFor = async (renderer: Renderer, request: () => Request, ms: number): Promise<number> => {
  const end = performance.now() + ms;
  let rendered = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      await renderer.render(request());
      rendered++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return rendered;
};

const measureRound = async (renderer: Renderer, request: () => Request, ms: number) => {
  const [startMs, startCpuMs, startBusyMs] = [performance.now(), cpuMs(), busyMs()];
  const rendered = await renderFor(renderer, request, ms);
  const [elapsedMs, ownMs] = [performance.now() - startMs, cpuMs() - startCpuMs];
  return {
    perSecond: (rendered * 1000) / elapsedMs,
    cpuMs: ownMs / rendered,
    foreignShare: foreignShare(busyMs() - startBusyMs, ownMs, elapsedMs * os.cpus().length),
  };
};

/** The median of three rounds after a warm-up. */
const measureThroughput = async (context: Context, id: LookId, proof: Request['proof']) => {
  const { createRenderer, resolveStyle } = context.build;
  const roundMs = context.quick ? 500 : 4_000;
  const { style, format, width } = looks[id];
  const renderer = createRenderer({ threads: cores });
  const look = resolveStyle(style);
  const request = () => ({ payload: nextPayload(), look, style: look, format, width, proof });
  try {
    await renderFor(renderer, request, roundMs / 2);
    const rounds = await takeRounds({ rounds: 3 }, () => measureRound(renderer, request, roundMs));
    const throughput: Throughput = { id, proof, ...mediansOf(rounds) };
    context.say(JSON.stringify(throughput));
    return throughput;
  } finally {
    await renderer.close();
  }
};

/** A run of pictures of one look, of which the first is read. */
const run = (id: LookId) => (context: Context) => measureThroughput(context, id, 'style');

/** Every look, each picture read. */
const measureProofs = async (context: Context): Promise<Throughput[]> => {
  const found: Throughput[] = [];
  for (const id of lookIds) found.push(await measureThroughput(context, id, 'picture'));
  return found;
};

/** Megabytes that the second half of the renders adds to the resident memory; all kinds of pictures in turn. */
const measureMemory = async ({ build, quick: isQuick }: Context): Promise<{ growthMb: number }> => {
  const renderer = build.createRenderer({ threads: cores });
  const kinds = Object.values(looks).map(({ style, format, width }) => {
    const look = build.resolveStyle(style);
    return { look, style: look, format, width };
  });
  let rendered = 0;
  const renderUntil = async (end: number): Promise<void> => {
    const work = async (): Promise<void> => {
      while (rendered < end) {
        const kind = kinds[rendered++ % kinds.length]!;
        await renderer.render({ ...kind, payload: nextPayload(), proof: 'style' });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  };
  const count = isQuick ? 1_000 : 20_000;
  try {
    await renderUntil(count / 2);
    const half = process.memoryUsage().rss;
    await renderUntil(count);
    return { growthMb: Math.max(0, (process.memoryUsage().rss - half) / 2 ** 20) };
  } finally {
    await renderer.close();
  }
};

const timePicture = async (url: string): Promise<number> => {
  const startMs = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return performance.now() - startMs;
};

/** The image endpoint over HTTP, one request after the other: each code's picture for the first time, then the same pictures again. */
const measureImages = async ({ folder, quick: isQuick, closer }: Context) => {
  const count = isQuick ? 50 : 300;
  const { controlPlane, ids } = await openApiEnvironment(closer, { build: folder, codes: count + 50 });
  const urls = ids.map((id) => `${controlPlane.url}/api/qr/codes/${id}/image?format=png&size=512`);
  const p50 = async (asked: readonly string[]): Promise<number> => {
    const valuesMs = new Float64Array(asked.length);
    for (const [index, url] of asked.entries()) valuesMs[index] = await timePicture(url);
    return latenciesOf(valuesMs).p50Ms;
  };
  await p50(urls.slice(count));
  return { firstMs: await p50(urls.slice(0, count)), cachedMs: await p50(urls.slice(0, count)) };
};

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
    svgPlain: run('svgPlain'),
    svgRounded: run('svgRounded'),
    pngPlain: run('pngPlain'),
    pngRounded: run('pngRounded'),
    webpRounded: run('webpRounded'),
    pdfFramed: run('pdfFramed'),
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
