/** For tests: batches minted through the API. */
import { expect } from 'vitest';
import type { z } from 'zod';
import {
  batchWithItems,
  type MintAnswer,
  mintAnswer,
  type SerializedJob,
  serializedJob,
  serializedQuota,
} from '#schemas/api/serialized.ts';
import { failuresMax } from '../../../jobs/slices.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Call } from '../../../testing/control-plane.ts';

export const batchesPath = '/api/qr/serialized-batches';

export const mint = async (call: Call, body: object = {}): Promise<MintAnswer> => {
  const answer = await call('POST', batchesPath, { batchName: 'Spring drop', count: 3, ...body });
  if (answer.status !== 202)
    throw new Error(`mint answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return mintAnswer.parse(answer.body);
};

export const jobOf = async (call: Call, jobId: string): Promise<SerializedJob> =>
  serializedJob.parse((await call('GET', `${batchesPath}/jobs/${jobId}`)).body);

/** Resolves once the job is completed or failed. */
export const ended = async (call: Call, jobId: string, timeoutMs = 60_000): Promise<SerializedJob> => {
  await expect
    .poll(async () => (await jobOf(call, jobId)).status, { timeout: timeoutMs, interval: 20 })
    .toMatch(/^(completed|failed)$/);
  return jobOf(call, jobId);
};

/** Makes a mint whose items cannot be written reach its limit of failures. */
export const failSoon = (pool: Pool, jobId: string): Promise<unknown> =>
  pool.query('UPDATE jobs SET failures = $2 WHERE id = $1', [jobId, failuresMax]);

/** A batch whose items are all written. */
export const minted = async (call: Call, body: object = {}): Promise<MintAnswer> => {
  const answer = await mint(call, body);
  expect(await ended(call, answer.jobId)).toMatchObject({ status: 'completed' });
  return answer;
};

export const quotaOf = async (call: Call) =>
  serializedQuota.parse((await call('GET', `${batchesPath}/consumption`)).body);

export const batchOf = async (
  call: Call,
  batchId: string,
  query = '',
): Promise<z.output<typeof batchWithItems>> =>
  batchWithItems.parse((await call('GET', `${batchesPath}/${batchId}${query}`)).body);

/** The stored items of a batch: their number, their distinct ids, and the range of their positions. */
export const storedItems = async (pool: Pool, batchId: string) => {
  const { rows } = await pool.query<{ items: number; ids: number; first: number; last: number }>(
    `SELECT count(*)::integer AS items, count(DISTINCT id)::integer AS ids, min(position) AS first, max(position) AS last
     FROM serialized_items WHERE batch_id = $1`,
    [batchId],
  );
  return rows[0]!;
};

/** The result of `storedItems` for a complete batch. */
export const whole = (count: number) => ({ items: count, ids: count, first: 1, last: count });

/** Replaces the statement of {@link atPosition} atomically. */
export const replaceAtPosition = (pool: Pool, statement: string): Promise<unknown> =>
  pool.query(
    `CREATE OR REPLACE FUNCTION at_position() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$`,
  );

/**
 * From now on a statement runs for each item that is written at a position.
 * @param statement PL/pgSQL
 * @returns a function that removes this
 */
export const atPosition = async (
  pool: Pool,
  position: number,
  statement: string,
): Promise<() => Promise<unknown>> => {
  await replaceAtPosition(pool, statement);
  await pool.query(`
    CREATE TRIGGER at_position BEFORE INSERT ON serialized_items FOR EACH ROW WHEN (NEW.position = ${position})
      EXECUTE FUNCTION at_position()`);
  return () => pool.query('DROP TRIGGER at_position ON serialized_items');
};
