/** The context of every row: the control plane with both cores, workspaces, and their batches, from the call to the completion. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openApiEnvironment } from '../bench/api-environment.ts';
import { apiKey } from '../bench/planes.ts';
import { type Client, callFor, createWorkspace, liftLimits } from '../bench/workspace.ts';
import type { BulkRow } from '../load/bulk-rows.ts';
import type { Run } from '../load-test/load-test.ts';

export interface Context extends Run {
  /** The control plane's process. */
  pid: number;
  first: Client;
  /** Further workspaces. */
  others: readonly Client[];
  rowsOfBatch: number;
  rounds: number;
}

/** As many as are served at the same time in the row on fairness. */
const workspaces = 20;

export const environment = async (run: Run<{ build: string | undefined }>): Promise<Context> => {
  const { controlPlane, databaseUrl, folder } = await openApiEnvironment(run.closer, {
    build: run.options.build,
    pinned: false,
  });
  const { url, pid } = controlPlane;
  const others: Client[] = [];
  for (let n = 1; n < (run.quick ? 3 : workspaces); n++)
    others.push(await createWorkspace(folder, { databaseUrl, url, plan: 'business' }));
  await liftLimits(databaseUrl);
  const [rowsOfBatch, rounds] = run.quick ? [200, 1] : [1_000, 3];
  return { ...run, pid, first: { url, apiKey }, others, rowsOfBatch, rounds };
};

const path = '/api/qr/codes/bulk';
const askEveryMs = 20;
const completedMsMax = 300_000;

const progress = z.object({
  bulkId: z.string(),
  status: z.string(),
  total: z.number(),
  succeeded: z.number(),
});

/** @returns the id of the batch */
export const submit = async (client: Client, rows: readonly BulkRow[]): Promise<string> =>
  (await callFor(progress, client, 'POST', path, rows)).bulkId;

/** @throws {Error} if a row failed: a time with failures would mean nothing */
export const untilCompleted = async (client: Client, bulkId: string): Promise<void> => {
  const deadlineMs = performance.now() + completedMsMax;
  while (performance.now() < deadlineMs) {
    const { status, total, succeeded } = await callFor(progress, client, 'GET', `${path}/${bulkId}`);
    if (status === 'completed' && succeeded === total) return;
    if (status === 'completed' || status === 'failed')
      throw new Error(`a batch is ${status} with ${succeeded} of ${total} rows`);
    await sleep(askEveryMs);
  }
  throw new Error(`a batch is not completed after ${completedMsMax / 1000} s`);
};

/** @returns milliseconds from the submission of a batch to its completion, as the client sees both */
export const timeBatch = async (client: Client, rows: readonly BulkRow[]): Promise<number> => {
  const startMs = performance.now();
  await untilCompleted(client, await submit(client, rows));
  return performance.now() - startMs;
};
