/** Webhooks that lead to receivers: each has a path of a receiver as its endpoint. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Client, call, callFor } from '../bench/workspace.ts';
import type { Seen } from './messages.ts';
import type { Receiver } from './receiver.ts';

export interface NewWebhook {
  url: string;
  events: readonly string[];
  status?: 'active' | 'paused';
}

const created = z.object({ id: z.string(), secret: z.string() });

export const createWebhook = (client: Client, webhook: NewWebhook): Promise<z.output<typeof created>> =>
  callFor(created, client, 'POST', '/api/webhooks', webhook);

export const resumeWebhook = async (client: Client, id: string): Promise<void> => {
  await (await call(client, 'PATCH', `/api/webhooks/${id}`, { status: 'active' })).arrayBuffer();
};

export const deleteWebhook = async (client: Client, id: string): Promise<void> => {
  await (await call(client, 'DELETE', `/api/webhooks/${id}`)).arrayBuffer();
};

export interface Endpoint {
  /** Of its webhook. */
  readonly id: string;
  /** The path, without its slash. */
  readonly endpoint: string;
  /** The number of requests since the last {@link Endpoint.take}. */
  count(): Promise<number>;
  /** The requests of this endpoint since then. The receiver forgets the requests of its other endpoints. */
  take(): Promise<Seen[]>;
  /** Resolves once there are this many requests, or when that takes too long. */
  untilReceived(count: number, msMax: number): Promise<void>;
}

let made = 0;
const askEveryMs = 20;

/** @returns a new path with its webhook, whose signatures the receiver expects */
export const subscribe = async (
  client: Client,
  receiver: Receiver,
  events: readonly string[],
  status: 'active' | 'paused' = 'active',
): Promise<Endpoint> => {
  const endpoint = `endpoint-${++made}`;
  const url = `${receiver.origin}/${endpoint}`;
  const { id, secret } = await createWebhook(client, { url, events, status });
  await receiver.ask<'expect'>({ kind: 'expect', endpoint, secret });
  const count = async () => (await receiver.ask<'count'>({ kind: 'count', endpoint })).seen;
  return {
    id,
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
