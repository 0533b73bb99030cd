/** One batch: it is submitted, and asked for until it is completed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { BulkRow } from './rows.ts';

/** A workspace that submits batches. */
export interface Client {
  url: string;
  apiKey: string;
}

const askEveryMs = 20;
const completedMsMax = 300_000;

const progress = z.object({
  bulkId: z.string(),
  status: z.string(),
  total: z.number(),
  succeeded: z.number(),
});

const call = async ({ url, apiKey }: Client, target: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(`${url}${target}`, { ...init, headers });
  if (!response.ok) throw new Error(`${target} answered ${response.status}: ${await response.text()}`);
  return progress.parse(await response.json());
};

/** @returns its id */
export const submit = async (client: Client, rows: readonly BulkRow[]): Promise<string> => {
  const { bulkId } = await call(client, '/api/qr/codes/bulk', {
    method: 'POST',
    body: JSON.stringify(rows),
  });
  return bulkId;
};

/** @throws {Error} where a row failed: a time with failures would mean nothing */
export const untilCompleted = async (client: Client, bulkId: string): Promise<void> => {
  const deadlineMs = performance.now() + completedMsMax;
  while (performance.now() < deadlineMs) {
    const { status, total, succeeded } = await call(client, `/api/qr/codes/bulk/${bulkId}`);
    if (status === 'completed' && succeeded === total) return;
    if (status === 'completed' || status === 'failed')
      throw new Error(`a batch is ${status} with ${succeeded} of ${total} rows`);
    await sleep(askEveryMs);
  }
  throw new Error(`a batch is not completed after ${completedMsMax / 1000} s`);
};

/** @returns milliseconds from its submission to its completion, as the client sees both */
export const timeBatch = async (client: Client, rows: readonly BulkRow[]): Promise<number> => {
  const startMs = performance.now();
  await untilCompleted(client, await submit(client, rows));
  return performance.now() - startMs;
};
