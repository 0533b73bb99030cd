/** The API of webhooks, as a workspace uses it. */
import { z } from 'zod';

export interface Client {
  /** Of a control plane. */
  url: string;
  apiKey: string;
}

export interface NewWebhook {
  url: string;
  events: readonly string[];
  status?: 'active' | 'paused';
}

const created = z.object({ id: z.string(), secret: z.string() });
export type CreatedWebhook = z.output<typeof created>;

const answerMsMax = 30_000;

/** @throws {Error} for an answer that is no success, or that does not come within half a minute */
export const call = async (
  { url, apiKey }: Client,
  method: string,
  target: string,
  body?: unknown,
): Promise<Response> => {
  const response = await fetch(url + target, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(answerMsMax),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${target} answered ${response.status}: ${await response.text()}`);
  return response;
};

export const createWebhook = async (client: Client, webhook: NewWebhook): Promise<CreatedWebhook> =>
  created.parse(await (await call(client, 'POST', '/api/webhooks', webhook)).json());

export const resumeWebhook = async (client: Client, id: string): Promise<void> => {
  await (await call(client, 'PATCH', `/api/webhooks/${id}`, { status: 'active' })).arrayBuffer();
};

export const deleteWebhook = async (client: Client, id: string): Promise<void> => {
  await (await call(client, 'DELETE', `/api/webhooks/${id}`)).arrayBuffer();
};
