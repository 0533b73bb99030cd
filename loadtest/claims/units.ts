/** The units: minted by the API, read from its CSV, and counted in PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { mintAnswer, serializedJob } from '#schemas/api/serialized.ts';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { apiKey } from '../bench/planes.ts';
import { call, callFor } from '../bench/workspace.ts';
import type { UnitStored } from './judge.ts';

const batchesPath = '/api/qr/serialized-batches';
const mintMsMax = 120_000;

export interface Unit {
  id: string;
  /** Of the URL that is printed. */
  path: string;
}

export interface Batch {
  batchId: string;
  units: Unit[];
}

/** Serialized codes need the Business plan, and more than its allotment for many units. */
const allow = (databaseUrl: string) => queryOnce(databaseUrl, `UPDATE subscriptions SET plan = 'enterprise'`);

const csvRow = z.object({ itemId: z.string(), url: z.string() });

/** @param url of a control plane */
export const mintUnits = async (url: string, databaseUrl: string, count: number): Promise<Batch> => {
  await allow(databaseUrl);
  const client = { url, apiKey };
  const body = { batchName: 'chaos', count, productName: 'Lamp' };
  const minted = await callFor(mintAnswer, client, 'POST', batchesPath, body);
  const endMs = performance.now() + mintMsMax;
  for (;;) {
    const job = await callFor(serializedJob, client, 'GET', `${batchesPath}/jobs/${minted.jobId}`);
    if (job.status === 'completed') break;
    if (job.status === 'failed' || performance.now() > endMs) throw new Error(`the mint is ${job.status}`);
    await sleep(50);
  }
  const csv = await (await call(client, 'GET', `${batchesPath}/${minted.batchId}/items.csv`)).text();
  const rows = z.array(csvRow).parse(parse(csv, { columns: true, bom: true }));
  const units = rows.map((row) => ({ id: row.itemId, path: new URL(row.url).pathname }));
  return { batchId: minted.batchId, units };
};

/** The units as PostgreSQL has them, in their order. */
export const storedUnits = async (databaseUrl: string, { batchId, units }: Batch): Promise<UnitStored[]> => {
  const { rows } = await queryOnce(
    databaseUrl,
    `SELECT id, scan_count, first_scanned_at IS NOT NULL AS claimed FROM serialized_items WHERE batch_id = '${batchId}'`,
  );
  const byId = new Map(
    rows.map((row: { id: string; scan_count: number; claimed: boolean }) => [row.id, row] as const),
  );
  return units.map(({ id }) => {
    const row = byId.get(id);
    if (!row) throw new Error(`the item ${id} is not stored`);
    return { scanCount: row.scan_count, claimed: row.claimed };
  });
};

/** How long the sum of all counts must stay as it is. */
const quietMs = 2000;
const drainMsMax = 120_000;

/** Resolves once the counts stay as they are, or after two minutes. */
export const untilCounted = async (databaseUrl: string, batch: Batch, verdicts: number): Promise<void> => {
  const endMs = performance.now() + drainMsMax;
  let [sum, sinceMs] = [-1, performance.now()];
  for (;;) {
    const stored = await storedUnits(databaseUrl, batch);
    const now = stored.reduce((total, { scanCount }) => total + scanCount, 0);
    if (now !== sum) [sum, sinceMs] = [now, performance.now()];
    // If counts are missing after the limit, the judge says so.
    if (performance.now() > (sum >= verdicts ? sinceMs + quietMs : endMs)) return;
    await sleep(100);
  }
};
