/** For tests: exports of pictures by the API, and what is in their zips. */
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import type { SerializedJob } from '#schemas/api/serialized.ts';
import { type ImageExportAnswer, imageExportAnswer } from '#schemas/api/serialized-images.ts';
import { enqueueTurn, takeTurn, turnTask } from '../../../../jobs/turns.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import type { Answer, Call } from '../../../../testing/control-plane.ts';
import { batchesPath, ended } from '../../testing/mints.ts';
import { imageJobs } from '../work/images.ts';

export const askForImages = (call: Call, batchId: string, body: object = {}): Promise<Answer> =>
  call('POST', `${batchesPath}/${batchId}/images`, body);

/** @returns an export that has begun, or is about to */
export const begun = async (call: Call, batchId: string, body: object = {}): Promise<ImageExportAnswer> => {
  const answer = await askForImages(call, batchId, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return imageExportAnswer.parse(answer.body);
};

/** @returns the job of an export that is completed */
export const exported = async (call: Call, batchId: string, body: object = {}): Promise<SerializedJob> => {
  const { jobId } = await begun(call, batchId, body);
  const job = await ended(call, jobId);
  expect(job).toMatchObject({ status: 'completed', resultReady: true });
  return job;
};

export const download = (
  call: Call,
  { batchId, jobId }: Pick<SerializedJob, 'batchId' | 'jobId'>,
  headers?: Record<string, string>,
): Promise<Answer> =>
  call('GET', `${batchesPath}/${batchId}/images/download?jobId=${jobId}`, undefined, headers);

/** The files of a zip by their names, in its order; read strictly: sizes and checksums have to be right. */
export const unzip = async (zip: Buffer): Promise<Map<string, Buffer>> => {
  const archive = await fromBufferPromise(zip, { strictFileNames: true, lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    expect(files.has(entry.fileName)).toBe(false);
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  }
  return files;
};

export const zipOf = async (
  call: Call,
  job: Pick<SerializedJob, 'batchId' | 'jobId'>,
): Promise<Map<string, Buffer>> => {
  const answer = await download(call, job);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBe(200);
  return unzip(answer.body as Buffer);
};

/** Resolves once no slice of any job is under way or waits. */
export const atRest = async (pool: Pool): Promise<void> => {
  const jobs = async () =>
    (await pool.query('SELECT FROM graphile_worker.jobs WHERE task_identifier = $1', [turnTask])).rowCount;
  await expect.poll(jobs, { timeout: 60_000 }).toBe(0);
};

/**
 * No process works on exports of a workspace until it is released.
 * @returns releases it
 */
export const holdTurn = async (pool: Pool, workspaceId: string): Promise<() => Promise<void>> => {
  const turn = { lane: imageJobs.lane, workspaceId };
  const holder = await pool.connect();
  await holder.query('BEGIN');
  expect(await takeTurn(holder, turn)).toBe(true);
  return async () => {
    await holder.query('COMMIT');
    holder.release();
    await enqueueTurn(pool, turn);
  };
};
