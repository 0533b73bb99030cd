/**
 * The API with an empty queue, with a million deliveries in it whose endpoints are all bad, and empty again, which shows how much
 * the machine has changed meanwhile. Beside them, without a promise: while a queue is processed at full speed.
 */
import { randomUUID } from 'node:crypto';
import { apiKey } from '../bench/planes.ts';
import { type Round, runRound, type Sent } from '../bench/request-round.ts';
import { answering, deadOrigin, hanging, type Receiver, startReceiver } from '../receivers/receiver.ts';
import { createWebhook, deleteWebhook, resumeWebhook, subscribe } from '../receivers/webhook.ts';
import { type Context, fillQueue } from './context.ts';
import { slowMs } from './delay.ts';

const connections = 4;

export interface ApiReading {
  get: Round;
  post: Round;
}

export interface ApiFigures {
  queued: number;
  /** It takes a while to put them there. */
  fillSeconds: number;
  empty: ApiReading;
  full: ApiReading;
  emptyAgain: ApiReading;
  /** While deliveries go out at full speed. */
  draining: ApiReading;
  /** The longest DELETE of a webhook, each of which takes a quarter of the queue with it. */
  deleteMs: number;
}

const list: Sent = { method: 'GET', path: '/api/qr/codes?limit=25' };
const create = (): Sent => ({
  method: 'POST',
  path: '/api/qr/codes',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ data: `https://example.com/${randomUUID()}`, name: 'Table 7' }),
});

const readApi = async ({ environment, quick, say }: Context, name: string): Promise<ApiReading> => {
  const { url, pid } = environment.controlPlane;
  const headers = { authorization: `Bearer ${apiKey}` };
  const round = async (what: string, request: () => Sent): Promise<Round> => {
    const options = { name: `${what}, ${name}`, url, pid, headers, connections, request };
    const measured = await runRound({ ...options, seconds: quick ? 2 : 10 });
    say(JSON.stringify({ row: 'api', ...measured }));
    return measured;
  };
  return { get: await round('GET', () => list), post: await round('POST', create) };
};

/** @param urls each a webhook that gets every event. @returns the ids of the webhooks */
const subscribeAll = async ({ client }: Context, urls: readonly string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const url of urls) ids.push((await createWebhook(client, { url, events: ['scan.created'] })).id);
  return ids;
};

/** @returns the longest, in milliseconds */
const deleteAll = async ({ client }: Context, ids: readonly string[]): Promise<number> => {
  const times: number[] = [];
  for (const id of ids) {
    const startMs = performance.now();
    await deleteWebhook(client, id);
    times.push(performance.now() - startMs);
  }
  return Math.max(...times);
};

const readWhileDraining = async (context: Context): Promise<ApiReading> => {
  const { client, healthy, quick } = context;
  const webhook = await subscribe(client, healthy, ['scan.created'], 'paused');
  await fillQueue(context, quick ? 10_000 : 100_000);
  await resumeWebhook(client, webhook.id);
  const reading = await readApi(context, 'while the queue is processed');
  await deleteWebhook(client, webhook.id);
  await webhook.take();
  return reading;
};

const readAll = async (context: Context, bad: readonly Receiver[]): Promise<ApiFigures> => {
  const empty = await readApi(context, 'empty queue');
  const urls = [await deadOrigin(), ...bad.map(({ origin }) => origin)].map((origin) => `${origin}/bad`);
  const ids = await subscribeAll(context, urls);
  const events = context.quick ? 10_000 : 250_000;
  const startMs = performance.now();
  await fillQueue(context, events);
  const fillSeconds = (performance.now() - startMs) / 1_000;
  context.say(`${events * ids.length} deliveries are queued after ${fillSeconds.toFixed(0)} s`);
  const full = await readApi(context, 'full queue');
  const deleteMs = await deleteAll(context, ids);
  const emptyAgain = await readApi(context, 'empty queue again');
  const draining = await readWhileDraining(context);
  return { queued: events * ids.length, fillSeconds, empty, full, emptyAgain, draining, deleteMs };
};

export const measureApi = async (context: Context): Promise<ApiFigures> => {
  const bad: Receiver[] = [];
  try {
    for (const behaviour of [hanging, answering(200, slowMs), answering(500)])
      bad.push(await startReceiver(behaviour));
    return await readAll(context, bad);
  } finally {
    for (const receiver of bad) await receiver.stop();
  }
};
