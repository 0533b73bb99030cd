/** The renderer of a build in this process: codes a second, CPU milliseconds a code, and memory. */
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Style } from '#schemas/api/style.ts';
import { ownBuild } from '../bench/databases.ts';
import { mediansOf, takeRounds } from '../bench/interleave.ts';
import type { Run } from '../load-test/load-test.ts';
import { busyMsOf, foreignShare } from '../measure/quiet.ts';

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

export type LookId = keyof typeof looks;
export const lookIds = Object.keys(looks) as LookId[];

export interface Context extends Run {
  folder: string;
  build: Build;
}

export const environment = async (run: Run<{ build: string | undefined }>): Promise<Context> => {
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

export interface Throughput {
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
export const measureRun = (id: LookId) => (context: Context) => measureThroughput(context, id, 'style');

/** Every look, each picture read. */
export const measureProofs = async (context: Context): Promise<Throughput[]> => {
  const found: Throughput[] = [];
  for (const id of lookIds) found.push(await measureThroughput(context, id, 'picture'));
  return found;
};

/** Megabytes that the second half of the renders adds to the resident memory; all kinds of pictures in turn. */
export const measureMemory = async ({ build, quick: isQuick }: Context): Promise<{ growthMb: number }> => {
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
