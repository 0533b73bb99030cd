/** The delay of another workspace's small requests beside eight downloads at once by one key, of each file that is written while it is sent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../bench/workspace.ts';
import { watchAllCores } from '../measure/core-use.ts';
import {
  batchesPath,
  type Context,
  mint,
  openSmallRequests,
  p99Until,
  type SmallRequest,
  type SmallRequestName,
  smallRequests,
  untilCompleted,
} from './context.ts';

const files = ['items.csv', 'labels.csv'] as const;
const downloadsAtOnce = 8;
const settleMs = 2_000;

/** The 99th percentile of each small request, in milliseconds. */
type Times = Record<SmallRequestName, number>;

export interface DownloadsFigures {
  items: number;
  alone: Times;
  beside: Record<(typeof files)[number], Times & { downloads: number; foreignShare: number }>;
}

/** Sends each of them again and again, side by side. */
const timesFor = async (requests: Record<SmallRequestName, SmallRequest>, ms: number): Promise<Times> => {
  const endMs = performance.now() + ms;
  const timed = await Promise.all(
    smallRequests.map((name) => p99Until(requests[name], () => performance.now() > endMs)),
  );
  return Object.fromEntries(smallRequests.map((name, at) => [name, timed[at]!])) as Times;
};

/** Downloads again and again until it is ended; a download that is under way then is broken off. @returns the downloads that were whole */
const download = async ({ client }: Context, target: string, ended: AbortSignal): Promise<number> => {
  for (let whole = 0; ; whole++) {
    try {
      await (await call(client, 'GET', batchesPath + target, undefined, { signal: ended })).arrayBuffer();
    } catch (error) {
      if (ended.aborted) return whole;
      throw error;
    }
  }
};

export const measureDownloads = async (context: Context): Promise<DownloadsFigures> => {
  const { client, other, quick, pid, say } = context;
  const [items, ms] = quick ? [20_000, 5_000] : [50_000, 20_000];
  const { batchId, jobId } = await mint(client, items);
  await untilCompleted(client, jobId);
  const requests = await openSmallRequests(other);
  // The first ones of a process take longer.
  await timesFor(requests, ms / 2);
  const alone = await timesFor(requests, ms);
  say(JSON.stringify({ alone }));
  const beside: [string, DownloadsFigures['beside']['items.csv']][] = [];
  for (const file of files) {
    const ended = new AbortController();
    const stopWatching = watchAllCores(pid);
    const downloading = Promise.all(
      Array.from({ length: downloadsAtOnce }, () => download(context, `/${batchId}/${file}`, ended.signal)),
    );
    // A failure ends the row below, once the small requests are timed.
    downloading.catch(() => undefined);
    const times = await timesFor(requests, ms);
    const { foreignShare } = stopWatching();
    ended.abort();
    const downloads = (await downloading).reduce((sum, each) => sum + each, 0);
    beside.push([file, { ...times, downloads, foreignShare }]);
    say(JSON.stringify({ file, items, ...times, downloads, foreignShare }));
    // A key may have eight downloads: the control plane notices the end of these only after a moment.
    await sleep(settleMs);
  }
  return { items, alone, beside: Object.fromEntries(beside) as DownloadsFigures['beside'] };
};
