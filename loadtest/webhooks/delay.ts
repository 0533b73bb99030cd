/**
 * What a healthy endpoint waits for its deliveries, alone and beside a dead one and one that takes ten seconds. Each endpoint of a
 * round gets every event. The rounds go in turn, with webhooks of their own: the dead one is not yet known to be dead.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Latencies, latenciesOf, median } from '../measure/statistics.ts';
import { answering, deadOrigin, type Receiver, startReceiver } from '../receivers/receiver.ts';
import { createWebhook, deleteWebhook } from './client.ts';
import { type Context, workspaceId } from './context.ts';
import { newScans } from './emitter.ts';
import { subscribe } from './endpoint.ts';
import { watchPlane } from './plane-use.ts';

export const eventsPerSecond = 300;
export const slowMs = 10_000;
const slowPath = 'slow';
const tickMs = 20;
/** The first seconds are not counted: connections are opened. */
const warmUpMs = 2_000;
const drainMsMax = 60_000;

interface DelayRound extends Latencies {
  /** Events of the counted seconds that never came. */
  missing: number;
  foreignShare: number;
}

export interface DelayFigures {
  alone: Latencies;
  beside: Latencies;
  /** The 99th percentile beside, against alone: the median of the pairs' ratios. */
  p99Ratio: number;
  missing: number;
  foreignShare: number;
}

/** Events at a constant rate, each transaction with those that are due. @returns how many were emitted */
const emitSteadily = async ({ emitter, environment }: Context, seconds: number): Promise<number> => {
  const startMs = performance.now();
  let emitted = 0;
  for (;;) {
    const elapsedMs = performance.now() - startMs;
    const due = Math.floor((Math.min(elapsedMs, seconds * 1_000) * eventsPerSecond) / 1_000) - emitted;
    if (due > 0) await emitter.emit(newScans(workspaceId, environment.ids, due));
    emitted += Math.max(0, due);
    if (elapsedMs >= seconds * 1_000) return emitted;
    await sleep(tickMs);
  }
};

const measureRound = async (context: Context, others: readonly string[]): Promise<DelayRound> => {
  const { client, healthy, environment } = context;
  const events = ['scan.created'];
  const webhook = await subscribe(client, healthy, events);
  const ids = [webhook.id];
  for (const url of others) ids.push((await createWebhook(client, { url, events })).id);
  await webhook.take();
  const stopWatching = watchPlane(environment.controlPlane.pid, environment.postgresPid);
  const startMs = Date.now();
  const emitted = await emitSteadily(context, context.quick ? 4 : 15);
  const { foreignShare } = stopWatching();
  await webhook.untilReceived(emitted, drainMsMax);
  const seen = await webhook.take();
  for (const each of ids) await deleteWebhook(client, each);
  const counted = seen.filter(({ createdAtMs }) => createdAtMs >= startMs + warmUpMs);
  const delays = counted.map(({ atMs, createdAtMs }) => atMs - createdAtMs);
  const arrived = new Set(seen.map((one) => one.id)).size;
  return { ...latenciesOf(Float64Array.from(delays)), missing: emitted - arrived, foreignShare };
};

/** Resolves once a slow endpoint has no request any more. */
const untilIdle = async (receiver: Receiver): Promise<void> => {
  while ((await receiver.ask<'count'>({ kind: 'count', endpoint: slowPath })).open > 0) await sleep(100);
};

const medians = (rounds: readonly Latencies[]): Latencies => ({
  p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  p999Ms: median(rounds.map(({ p999Ms }) => p999Ms)),
  maxMs: Math.max(...rounds.map(({ maxMs }) => maxMs)),
});

const measurePairs = async (context: Context, slow: Receiver): Promise<DelayFigures> => {
  const dead = `${await deadOrigin()}/dead`;
  const pairs: { alone: DelayRound; beside: DelayRound }[] = [];
  for (let round = 0; round <= (context.quick ? 1 : 4); round++) {
    const alone = await measureRound(context, []);
    const beside = await measureRound(context, [dead, `${slow.origin}/${slowPath}`]);
    await untilIdle(slow);
    context.say(JSON.stringify({ row: 'delay', round, alone, beside }));
    // The first pair is a warm-up.
    if (round > 0) pairs.push({ alone, beside });
  }
  const all = pairs.flatMap(({ alone, beside }) => [alone, beside]);
  return {
    alone: medians(pairs.map(({ alone }) => alone)),
    beside: medians(pairs.map(({ beside }) => beside)),
    p99Ratio: median(pairs.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms)),
    missing: all.reduce((sum, { missing }) => sum + missing, 0),
    foreignShare: Math.max(...all.map(({ foreignShare }) => foreignShare)),
  };
};

export const measureDelay = async (context: Context): Promise<DelayFigures> => {
  const slow = await startReceiver(answering(200, slowMs));
  try {
    return await measurePairs(context, slow);
  } finally {
    await slow.stop();
  }
};
