/** Endpoints, each a path of a receiver, and the webhook that leads there. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Seen } from '../receivers/messages.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { type Client, type CreatedWebhook, createWebhook } from './client.ts';

export interface Endpoint extends CreatedWebhook {
  /** The path, without its slash. */
  readonly endpoint: string;
  /** How many requests there were since the last {@link Endpoint.take}. */
  count(): Promise<number>;
  /** The requests of this endpoint since then; what came to others of the receiver is forgotten. */
  take(): Promise<Seen[]>;
  /** Resolves once there are so many requests, or when that takes too long. */
  untilReceived(count: number, msMax: number): Promise<void>;
}

let made = 0;
const askEveryMs = 20;

/** @returns the webhook of a new path, whose signatures the receiver expects */
export const subscribe = async (
  client: Client,
  receiver: Receiver,
  events: readonly string[],
  status: 'active' | 'paused' = 'active',
): Promise<Endpoint> => {
  const endpoint = `endpoint-${++made}`;
  const webhook = await createWebhook(client, { url: `${receiver.origin}/${endpoint}`, events, status });
  await receiver.ask<'expect'>({ kind: 'expect', endpoint, secret: webhook.secret });
  const count = async () => (await receiver.ask<'count'>({ kind: 'count', endpoint })).seen;
  return {
    ...webhook,
    endpoint,
    count,
    async take() {
      const seen = await receiver.ask<'take'>({ kind: 'take' });
      return seen.filter((one) => one.endpoint === endpoint);
    },
    async untilReceived(wanted, msMax) {
      const endMs = performance.now() + msMax;
      while (performance.now() < endMs && (await count()) < wanted) await sleep(askEveryMs);
    },
  };
};
