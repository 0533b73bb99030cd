/** The context of every row: the control plane with both cores, a workspace that mints, and another one with small requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { openApiEnvironment } from '../bench/api-environment.ts';
import { apiKey } from '../bench/planes.ts';
import { type Client, call, callFor, createWorkspace, liftLimits } from '../bench/workspace.ts';
import type { Run } from '../load-test/load-test.ts';
import { percentile } from '../measure/statistics.ts';

export interface Context extends Run {
  /** The control plane's process. */
  pid: number;
  client: Client;
  /** Of another workspace. */
  other: Client;
}

/** Load tests measure neither quotas nor rates. */
const liftQuotas = async (databaseUrl: string): Promise<void> => {
  await liftLimits(databaseUrl, { requestsPerSecond: 100_000_000, apiCalls: null });
  await queryOnce(
    databaseUrl,
    'INSERT INTO serialized_quotas (subscription_id, purchased) SELECT id, 100000000 FROM subscriptions',
  );
};

export const environment = async (run: Run<{ build: string | undefined }>): Promise<Context> => {
  const { controlPlane, databaseUrl, folder } = await openApiEnvironment(run.closer, {
    build: run.options.build,
    pinned: false,
  });
  const { url, pid } = controlPlane;
  const other = await createWorkspace(folder, { databaseUrl, url, plan: 'enterprise' });
  await liftQuotas(databaseUrl);
  return { ...run, pid, client: { url, apiKey }, other };
};

export const batchesPath = '/api/qr/serialized-batches';
const askEveryMs = 20;
const completedMsMax = 900_000;

const accepted = z.object({ jobId: z.string(), batchId: z.string() });
const job = z.object({
  status: z.string(),
  count: z.number(),
  itemsWritten: z.number(),
  error: z.string().optional(),
});

export type Accepted = z.output<typeof accepted>;

export const mint = (client: Client, count: number): Promise<Accepted> =>
  callFor(accepted, client, 'POST', batchesPath, {
    batchName: 'load',
    count,
    productSku: 'SKU-1',
    productName: 'A product',
  });

export const exportImages = (client: Client, batchId: string, style: object): Promise<Accepted> =>
  callFor(accepted, client, 'POST', `${batchesPath}/${batchId}/images`, style);

/** @throws {Error} if the job failed, or is not completed within a quarter of an hour */
export const untilCompleted = async (client: Client, jobId: string): Promise<void> => {
  const deadlineMs = performance.now() + completedMsMax;
  while (performance.now() < deadlineMs) {
    const asked = await callFor(job, client, 'GET', `${batchesPath}/jobs/${jobId}`);
    const { status, count, itemsWritten, error } = asked;
    if (status === 'completed' && itemsWritten === count) return;
    if (status === 'completed' || status === 'failed')
      throw new Error(`a job is ${status} with ${itemsWritten} of ${count} items: ${error}`);
    await sleep(askEveryMs);
  }
  throw new Error(`a job is not completed after ${completedMsMax / 1000} s`);
};

/** A small request. @throws {Error} for an answer that is no success */
export type SmallRequest = () => Promise<unknown>;

export const smallRequests = ['list', 'create', 'page'] as const;
export type SmallRequestName = (typeof smallRequests)[number];

const createdPage = z.looseObject({ pageId: z.string() });

/** Makes a landing page of the workspace. */
export const openSmallRequests = async (other: Client): Promise<Record<SmallRequestName, SmallRequest>> => {
  const body = { name: 'Beside', headline: 'Beside' };
  const { pageId } = await callFor(createdPage, other, 'POST', '/api/qr/landing-pages', body);
  let views = 0;
  const textOf = async (response: Promise<Response>): Promise<string> => (await response).text();
  return {
    list: () => textOf(call(other, 'GET', '/api/qr/codes?limit=1')),
    create: () => textOf(call(other, 'POST', '/api/qr/codes', { data: 'https://example.com/' })),
    async page() {
      // Each view is that of another person: an address has a limit.
      const address = `10.1.${(++views >> 8) % 256}.${views % 256}`;
      const response = await fetch(`${other.url}/p/${pageId}`, { headers: { 'x-forwarded-for': address } });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`/p/${pageId} answered ${response.status}`);
    },
  };
};

const pauseMs = 5;

/** Sends a small request every few milliseconds. @returns the 99th percentile of their times, in milliseconds */
export const p99Until = async (request: SmallRequest, isOver: () => boolean): Promise<number> => {
  const times: number[] = [];
  while (!isOver()) {
    const startMs = performance.now();
    await request();
    times.push(performance.now() - startMs);
    await sleep(pauseMs);
  }
  return percentile(
    times.toSorted((a, b) => a - b),
    0.99,
  );
};
