/** Webhooks whose endpoint is a path of a receiver. */
import type { Receiver } from '../receivers/receiver.ts';
import { type Client, type CreatedWebhook, createWebhook } from './client.ts';

let made = 0;

/** @returns the webhook of a new path, whose signatures the receiver expects */
export const subscribe = async (
  client: Client,
  receiver: Receiver,
  events: readonly string[],
  status: 'active' | 'paused' = 'active',
): Promise<CreatedWebhook & { endpoint: string }> => {
  const endpoint = `endpoint-${++made}`;
  const webhook = await createWebhook(client, { url: `${receiver.origin}/${endpoint}`, events, status });
  await receiver.ask<'expect'>({ kind: 'expect', endpoint, secret: webhook.secret });
  return { ...webhook, endpoint };
};
