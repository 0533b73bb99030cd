/** How fast one control plane processes a queue to an endpoint that answers at once, and the CPU of a delivery. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mediansOf, takeRounds } from '../bench/interleave.ts';
import { watchServerCore } from '../measure/core-use.ts';
import { type Range, rangeOf } from '../measure/statistics.ts';
import { deleteWebhook, resumeWebhook, subscribe } from '../receivers/webhook.ts';
import { type Context, fillQueue } from './context.ts';

interface RateRound {
  perSecond: number;
  /** CPU of the control plane for one delivery. */
  planeUs: number;
  postgresUs: number;
  foreignShare: number;
  /** Requests that were no good delivery, deliveries that came twice, and deliveries that did not come. */
  wrong: number;
}

/** Medians of the rounds. */
export interface RateFigures extends RateRound {
  deliveries: number;
  perSecondRange: Range;
}

const roundMsMax = 120_000;
/** The log of the last deliveries is written after their answers. */
const settleMs = 1_000;

const measureRound = async (context: Context, count: number): Promise<RateRound> => {
  const { client, healthy, environment } = context;
  const webhook = await subscribe(client, healthy, ['scan.created'], 'paused');
  await fillQueue(context, count);
  await webhook.take();
  const stopWatching = watchServerCore(environment.controlPlane.pid, environment.postgresPid);
  await resumeWebhook(client, webhook.id);
  await webhook.untilReceived(count, roundMsMax);
  await sleep(settleMs);
  const { serverMs, behindMs, foreignShare } = stopWatching();
  const seen = await webhook.take();
  await deleteWebhook(client, webhook.id);
  const times = rangeOf(seen.map(({ atMs }) => atMs));
  const ids = new Set(seen.map(({ id }) => id));
  return {
    perSecond: ((seen.length - 1) * 1_000) / (times.high - times.low),
    planeUs: (serverMs * 1_000) / count,
    postgresUs: (behindMs * 1_000) / count,
    foreignShare,
    wrong:
      seen.filter(({ fault }) => fault !== null).length +
      Math.abs(seen.length - ids.size) +
      (count - ids.size),
  };
};

/** The first round is a warm-up. */
export const measureRate = async (context: Context): Promise<RateFigures> => {
  const deliveries = context.quick ? 2_000 : 30_000;
  const rounds = await takeRounds({ rounds: context.quick ? 1 : 5, warmUps: 1 }, async (round) => {
    const measured = await measureRound(context, deliveries);
    context.say(JSON.stringify({ row: 'rate', round, ...measured }));
    return measured;
  });
  return {
    deliveries,
    ...mediansOf(rounds),
    perSecondRange: rangeOf(rounds.map(({ perSecond }) => perSecond)),
    foreignShare: Math.max(...rounds.map(({ foreignShare }) => foreignShare)),
    wrong: rounds.reduce((sum, { wrong }) => sum + wrong, 0),
  };
};
