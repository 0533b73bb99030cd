/** The time to draw the pictures of a batch, from the call to the status that says completed, and the delay of other requests beside it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../bench/workspace.ts';
import { watchAllCores } from '../measure/core-use.ts';
import { residentBytesOf } from '../measure/processes.ts';
import { batchesPath, type Context, exportImages, mint, p99Until, untilCompleted } from './context.ts';

/** A brand's look: rounded dots in a gradient, eyes of another type. */
const styled = {
  dotsOptions: {
    type: 'rounded',
    color: {
      type: 'linear',
      rotation: 0.8,
      colorStops: [
        { offset: 0, color: '#0c4a6e' },
        { offset: 1, color: '#4c1d95' },
      ],
    },
  },
  cornersSquareOptions: { type: 'extra-rounded' },
};

export const kindsOfImages = {
  plainSvg: { format: 'svg' },
  styledSvg: { format: 'svg', ...styled },
  plainPng: { format: 'png', width: 512 },
  styledPng: { format: 'png', width: 512, ...styled },
} as const;

export type KindOfImages = keyof typeof kindsOfImages;

export interface ImagesRound {
  ms: number;
  /** Bytes of the zip. */
  bytes: number;
  /** CPU of the control plane for 1,000 pictures. */
  cpuMs: number;
  behindCpuMs: number;
  foreignShare: number;
  /** The 99th percentile of a small request meanwhile, in milliseconds. */
  besideMs: number;
}

export interface ImagesFigures {
  items: number;
  kinds: Record<KindOfImages, ImagesRound>;
  /** The 99th percentile of the same request while nothing else runs. */
  aloneMs: number;
  /** The most memory of the control plane since its start, in megabytes. */
  peakMb: number;
}

const aloneMsMin = 5_000;

/** Sends a small request again and again. @returns a function that stops it. It says the 99th percentile of their times, in ms */
const probe = ({ client }: Context): (() => Promise<number>) => {
  let isOver = false;
  const request = async () => (await call(client, 'GET', `${batchesPath}/consumption`)).arrayBuffer();
  const running = p99Until(request, () => isOver);
  return () => {
    isOver = true;
    return running;
  };
};

const measureKind = async (context: Context, batchId: string, items: number, kind: KindOfImages) => {
  const { pid, client, say } = context;
  const stopWatching = watchAllCores(pid);
  const stopProbing = probe(context);
  const startMs = performance.now();
  const { jobId } = await exportImages(client, batchId, kindsOfImages[kind]);
  await untilCompleted(client, jobId);
  const ms = performance.now() - startMs;
  const { serverMs, behindMs, foreignShare } = stopWatching();
  const besideMs = await stopProbing();
  const download = `${batchesPath}/${batchId}/images/download?jobId=${jobId}`;
  const head = await call(client, 'GET', download, undefined, { headers: { range: 'bytes=0-0' } });
  const bytes = Number(head.headers.get('content-range')?.split('/')[1]);
  const thousands = items / 1_000;
  const round = {
    ms,
    bytes,
    cpuMs: serverMs / thousands,
    behindCpuMs: behindMs / thousands,
    foreignShare,
    besideMs,
  };
  say(JSON.stringify({ kind, items, ...round, residentMb: residentBytesOf(pid) / 2 ** 20 }));
  await call(client, 'DELETE', `${batchesPath}/jobs/${jobId}`);
  return round;
};

/** One round of each kind: 50,000 pictures are a long round by themselves. A few pictures of each kind come first. */
export const measureImages = async (context: Context): Promise<ImagesFigures> => {
  const { client, pid, quick } = context;
  const items = quick ? 2_000 : 50_000;
  const [warm, batch] = [await mint(client, 500), await mint(client, items)];
  for (const { jobId } of [warm, batch]) await untilCompleted(client, jobId);
  const kinds = Object.keys(kindsOfImages) as KindOfImages[];
  for (const kind of kinds) await measureKind(context, warm.batchId, 500, kind);
  const stopProbing = probe(context);
  await sleep(aloneMsMin);
  const aloneMs = await stopProbing();
  const rounds: [KindOfImages, ImagesRound][] = [];
  for (const kind of kinds) rounds.push([kind, await measureKind(context, batch.batchId, items, kind)]);
  return {
    items,
    kinds: Object.fromEntries(rounds) as Record<KindOfImages, ImagesRound>,
    aloneMs,
    peakMb: residentBytesOf(pid, 'VmHWM') / 2 ** 20,
  };
};
