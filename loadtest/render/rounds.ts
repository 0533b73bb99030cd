/** Rounds of rendering on both cores: codes a second, and what each costs. */
import os from 'node:os';
import { busyMsOf, foreignShare } from '../measure/quiet.ts';
import { median } from '../measure/statistics.ts';
import { type Build, type LookId, looks, nextPayload, type Renderer } from './renderer.ts';

export interface Throughput {
  id: LookId;
  /** Whether each picture is read, or the first of its kind. */
  proof: 'picture' | 'style';
  perSecond: number;
  /** User and system time of all threads. */
  cpuMs: number;
  /** The share of both cores that others took, 0 to 1. */
  foreignShare: number;
}

const cores = 2;
/** Requests under way at once, so that no thread waits for the next one. */
const concurrency = 8;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const busyMs = (): number => os.cpus().reduce((sum, _, core) => sum + busyMsOf(core), 0);

const renderFor = async (
  renderer: Renderer,
  request: () => Parameters<Renderer['render']>[0],
  ms: number,
) => {
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

const measureRound = async (
  renderer: Renderer,
  request: () => Parameters<Renderer['render']>[0],
  ms: number,
) => {
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
export const measureThroughput = async (
  { createRenderer, resolveStyle }: Build,
  id: LookId,
  { proof, roundMs }: { proof: Throughput['proof']; roundMs: number },
): Promise<Throughput> => {
  const { style, format, width } = looks[id];
  const renderer = createRenderer({ threads: cores });
  const look = resolveStyle(style);
  const request = () => ({ payload: nextPayload(), look, style: look, format, width, proof });
  try {
    await renderFor(renderer, request, roundMs / 2);
    const rounds = [];
    for (let round = 0; round < 3; round++) rounds.push(await measureRound(renderer, request, roundMs));
    return {
      id,
      proof,
      perSecond: median(rounds.map((each) => each.perSecond)),
      cpuMs: median(rounds.map((each) => each.cpuMs)),
      foreignShare: median(rounds.map((each) => each.foreignShare)),
    };
  } finally {
    await renderer.close();
  }
};

/** Megabytes that the second half of the renders adds to the resident memory; all kinds of pictures in turn. */
export const measureMemory = async (
  { createRenderer, resolveStyle }: Build,
  count: number,
): Promise<number> => {
  const renderer = createRenderer({ threads: cores });
  const kinds = Object.values(looks).map(({ style, format, width }) => {
    const look = resolveStyle(style);
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
  try {
    await renderUntil(count / 2);
    const half = process.memoryUsage().rss;
    await renderUntil(count);
    return Math.max(0, (process.memoryUsage().rss - half) / 2 ** 20);
  } finally {
    await renderer.close();
  }
};
