/** How fast one control plane works off a queue to an endpoint that answers at once, and what a delivery costs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Range, rangeOf } from '../measure/statistics.ts';
import { deleteWebhook, resumeWebhook } from './client.ts';
import { type Context, workspaceId } from './context.ts';
import { newScans } from './emitter.ts';
import { subscribe } from './endpoint.ts';
import { watchPlane } from './plane-use.ts';

interface RateRound {
  perSecond: number;
  /** CPU of the control plane for one delivery. */
  planeUs: number;
  postgresUs: number;
  foreignShare: number;
  /** Requests that were no good delivery, deliveries that came twice, and those that did not come. */
  wrong: number;
}

/** Medians of the rounds. */
export interface RateFigures extends RateRound {
  deliveries: number;
  perSecondRange: Range;
}

const eventsOfTransaction = 1_000;
const roundMsMax = 120_000;
/** The log of the last deliveries is written after their answers. */
const settleMs = 1_000;

const fillQueue = async ({ emitter, environment }: Context, count: number): Promise<void> => {
  for (let left = count; left > 0; left -= eventsOfTransaction)
    await emitter.emit(newScans(workspaceId, environment.ids, Math.min(left, eventsOfTransaction)));
};

const measureRound = async (context: Context, count: number): Promise<RateRound> => {
  const { client, healthy, environment } = context;
  const webhook = await subscribe(client, healthy, ['scan.created'], 'paused');
  await fillQueue(context, count);
  await webhook.take();
  const stopWatching = watchPlane(environment.controlPlane.pid, environment.postgresPid);
  await resumeWebhook(client, webhook.id);
  await webhook.untilReceived(count, roundMsMax);
  await sleep(settleMs);
  const { planeMs, postgresMs, foreignShare } = stopWatching();
  const seen = await webhook.take();
  await deleteWebhook(client, webhook.id);
  const times = rangeOf(seen.map(({ atMs }) => atMs));
  const ids = new Set(seen.map(({ id }) => id));
  return {
    perSecond: ((seen.length - 1) * 1_000) / (times.high - times.low),
    planeUs: (planeMs * 1_000) / count,
    postgresUs: (postgresMs * 1_000) / count,
    foreignShare,
    wrong:
      seen.filter(({ fault }) => fault !== null).length +
      Math.abs(seen.length - ids.size) +
      (count - ids.size),
  };
};

/** The first round is a warm-up and does not count. */
export const measureRate = async (context: Context): Promise<RateFigures> => {
  const deliveries = context.quick ? 2_000 : 30_000;
  const rounds: RateRound[] = [];
  for (let round = 0; round <= (context.quick ? 1 : 5); round++) {
    const measured = await measureRound(context, deliveries);
    context.say(JSON.stringify({ row: 'rate', round, ...measured }));
    if (round > 0) rounds.push(measured);
  }
  const middle = (figure: keyof RateRound) => median(rounds.map((each) => each[figure]));
  return {
    deliveries,
    perSecond: middle('perSecond'),
    perSecondRange: rangeOf(rounds.map(({ perSecond }) => perSecond)),
    planeUs: middle('planeUs'),
    postgresUs: middle('postgresUs'),
    foreignShare: Math.max(...rounds.map((each) => each.foreignShare)),
    wrong: rounds.reduce((sum, { wrong }) => sum + wrong, 0),
  };
};
