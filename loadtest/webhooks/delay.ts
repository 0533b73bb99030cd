/**
 * The delay of a healthy endpoint's deliveries, alone and beside a dead one and one that takes ten seconds. Each endpoint of a round
 * gets every event. The rounds go in turn, with webhooks of their own: the control plane does not yet know that the dead one is dead.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mediansOf, takeRounds } from '../bench/interleave.ts';
import { watchServerCore } from '../measure/core-use.ts';
import { type Latencies, latenciesOf, median } from '../measure/statistics.ts';
import { answering, deadOrigin, type Receiver, startReceiver } from '../receivers/receiver.ts';
import { createWebhook, deleteWebhook, subscribe } from '../receivers/webhook.ts';
import type { Context } from './context.ts';

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

/** Events at a constant rate, each transaction with the events that are due. @returns how many were emitted */
const emitSteadily = async ({ emitScans }: Context, seconds: number): Promise<number> => {
  const startMs = performance.now();
  let emitted = 0;
  for (;;) {
    const elapsedMs = performance.now() - startMs;
    const due = Math.floor((Math.min(elapsedMs, seconds * 1_000) * eventsPerSecond) / 1_000) - emitted;
    if (due > 0) await emitScans(due);
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
  const stopWatching = watchServerCore(environment.controlPlane.pid, environment.postgresPid);
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

const medians = (rounds: readonly DelayRound[]): Latencies => {
  const { p50Ms, p99Ms, p999Ms } = mediansOf(rounds);
  return { p50Ms, p99Ms, p999Ms, maxMs: Math.max(...rounds.map(({ maxMs }) => maxMs)) };
};

/** Pairs of rounds. The first pair is a warm-up. */
const measurePairs = async (context: Context, slow: Receiver): Promise<DelayFigures> => {
  const dead = `${await deadOrigin()}/dead`;
  const pairs = await takeRounds({ rounds: context.quick ? 1 : 4, warmUps: 1 }, async (round) => {
    const alone = await measureRound(context, []);
    const beside = await measureRound(context, [dead, `${slow.origin}/${slowPath}`]);
    await untilIdle(slow);
    context.say(JSON.stringify({ row: 'delay', round, alone, beside }));
    return { alone, beside };
  });
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
