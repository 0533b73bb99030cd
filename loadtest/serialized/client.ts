/** A workspace's calls: batches are minted, and their jobs asked for until they are completed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

export interface Client {
  url: string;
  apiKey: string;
}

const path = '/api/qr/serialized-batches';
const askEveryMs = 20;
const completedMsMax = 900_000;

const accepted = z.object({ jobId: z.string(), batchId: z.string() });
const job = z.object({
  status: z.string(),
  count: z.number(),
  itemsWritten: z.number(),
  error: z.string().optional(),
});

/** @param target below the path of serialized batches @throws {Error} for an answer that is no success */
export const call = async (
  { url, apiKey }: Client,
  target: string,
  init: RequestInit = {},
): Promise<Response> => {
  const response = await fetch(`${url}${path}${target}`, {
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...init.headers },
  });
  if (!response.ok) throw new Error(`${target} answered ${response.status}: ${await response.text()}`);
  return response;
};

export const mint = async (client: Client, count: number): Promise<z.output<typeof accepted>> => {
  const body = JSON.stringify({ batchName: 'load', count, productSku: 'SKU-1', productName: 'A product' });
  return accepted.parse(await (await call(client, '', { method: 'POST', body })).json());
};

export const exportImages = async (
  client: Client,
  batchId: string,
  body: object,
): Promise<z.output<typeof accepted>> =>
  accepted.parse(
    await (await call(client, `/${batchId}/images`, { method: 'POST', body: JSON.stringify(body) })).json(),
  );

/** @throws {Error} where the job failed */
export const untilCompleted = async (client: Client, jobId: string): Promise<void> => {
  const deadlineMs = performance.now() + completedMsMax;
  while (performance.now() < deadlineMs) {
    const { status, count, itemsWritten, error } = job.parse(
      await (await call(client, `/jobs/${jobId}`)).json(),
    );
    if (status === 'completed' && itemsWritten === count) return;
    if (status === 'completed' || status === 'failed')
      throw new Error(`a job is ${status} with ${itemsWritten} of ${count} items: ${error}`);
    await sleep(askEveryMs);
  }
  throw new Error(`a job is not completed after ${completedMsMax / 1000} s`);
};
