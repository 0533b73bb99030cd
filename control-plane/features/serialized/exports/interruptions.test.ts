/** What can come between an export and its end: another one, its owner, a storage that is away, a picture that cannot be drawn. */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { temporaryFolder } from '../../../../deploy/testing/local.ts';
import { createFileStorage } from '../../../platform/storage/file/file-storage.ts';
import { startS3Server } from '../../../platform/storage/testing/s3-server.ts';
import { type Call, startTestControlPlane, type TestControlPlane } from '../../../testing/control-plane.ts';
import { closeGate, stopBeforeSecondPart } from '../testing/gates.ts';
import { batchesPath, ended, jobOf, minted } from '../testing/mints.ts';
import { sweepExports } from './nightly.ts';
import { atRest, begun, download, exported, holdTurn, zipOf } from './testing/exports.ts';

let plane: TestControlPlane;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  plane = await startTestControlPlane({ environment: { STORAGE_URL: pathToFileURL(folder).href } });
});

/** Pictures that take a thread a millisecond or more. */
const slow = { format: 'png', width: 2048 };

const filesOf = (root: string, jobId: string): string[] => {
  const files = path.join(root, 'exports', jobId);
  return fs.existsSync(files) ? fs.readdirSync(files) : [];
};

const written = async (call: Call, jobId: string): Promise<number> => (await jobOf(call, jobId)).itemsWritten;

test('cancelled in the middle, it stops, and nothing of it is left in the storage', async () => {
  const { call } = await plane.workspace();
  const { batchId } = await minted(call, { count: 5_000 });
  const { jobId } = await begun(call, batchId, slow);
  await expect.poll(() => written(call, jobId), { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  expect(filesOf(folder, jobId)).not.toEqual([]);
  const cancelled = await call('DELETE', `${batchesPath}/jobs/${jobId}`);
  expect(cancelled).toMatchObject({
    status: 200,
    body: { status: 'failed', error: 'It was cancelled', resultReady: false },
  });
  expect(await download(call, { batchId, jobId })).toMatchObject({ status: 409 });
  await atRest(plane.pool);
  expect(filesOf(folder, jobId)).toEqual([]);
  expect(await jobOf(call, jobId)).toEqual(cancelled.body);
  expect(await call('DELETE', `${batchesPath}/jobs/${jobId}`)).toEqual(
    expect.objectContaining({ status: 200, body: cancelled.body }),
  );
}, 120_000);

test('one that is completed is removed by DELETE before its time, and a mint cannot be cancelled', async () => {
  const { call } = await plane.workspace();
  const mint = await minted(call);
  const job = await exported(call, mint.batchId);
  expect(filesOf(folder, job.jobId)).not.toEqual([]);
  expect(await call('DELETE', `${batchesPath}/jobs/${job.jobId}`)).toMatchObject({
    status: 200,
    body: { status: 'completed', resultReady: false },
  });
  expect(filesOf(folder, job.jobId)).toEqual([]);
  expect(await download(call, job)).toMatchObject({ status: 404 });
  expect(await call('DELETE', `${batchesPath}/jobs/${mint.jobId}`)).toMatchObject({ status: 409 });
});

test('while the storage is away it waits, and later it is completed', async () => {
  const server = await startS3Server();
  const other = await startTestControlPlane({ environment: { STORAGE_URL: server.url } });
  const { call } = await other.workspace();
  const { batchId } = await minted(call, { count: 2_000 });
  // It is not completed before the storage is away.
  const gate = await closeGate(other.pool, 1);
  const letPass = await stopBeforeSecondPart(other.pool, gate);
  const job = await begun(call, batchId, slow);
  await gate.reached();
  expect(await written(call, job.jobId)).toBeGreaterThan(0);
  await server.kill();
  await gate.open();
  await letPass();
  const heldUp = async () =>
    (
      await other.pool.query(
        'SELECT FROM jobs JOIN serialized_exports ON job_id = jobs.id WHERE held_up_since IS NOT NULL AND attempts = 0',
      )
    ).rowCount;
  await expect.poll(heldUp, { timeout: 60_000, interval: 20 }).toBe(1);
  expect(await jobOf(call, job.jobId)).toMatchObject({ status: 'processing' });
  await server.start();
  expect(await ended(call, job.jobId, 150_000)).toMatchObject({ status: 'completed', itemsWritten: 2_000 });
  expect((await zipOf(call, job)).size).toBe(2_000);
  await server.kill();
  const answer = await download(call, job);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  await server.start();
}, 300_000);

test.each([
  [
    'a picture that cannot be drawn',
    `UPDATE serialized_exports SET request = jsonb_set(request::jsonb, '{look,version}', '1')::json WHERE job_id = $1`,
    /^The picture of the item \w{12} cannot be drawn: data has \d+ bytes/,
  ],
  [
    'no room left in what the plan allows',
    `UPDATE serialized_exports SET request = jsonb_set(request::jsonb, '{keptBytesMax}', '100')::json WHERE job_id = $1`,
    /^The plan allows 1 MB of exports/,
  ],
  [
    'attempts that all ended without coming further',
    'UPDATE jobs SET attempts = 10 WHERE id = $1',
    /^The pictures could not be made, for a reason of ours$/,
  ],
])('with %s it fails, says why, and leaves nothing', async (_, change, why) => {
  const { call, workspaceId } = await plane.workspace();
  const { batchId } = await minted(call);
  const release = await holdTurn(plane.pool, workspaceId);
  const { jobId } = await begun(call, batchId);
  await plane.pool.query(change, [jobId]);
  await release();
  const job = await ended(call, jobId);
  expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(why) });
  await atRest(plane.pool);
  expect(filesOf(folder, jobId)).toEqual([]);
  expect(await download(call, job)).toMatchObject({ status: 409 });
});

test('the nightly job removes what was kept for 30 days, and what belongs to no export', async () => {
  const { call } = await plane.workspace();
  const { batchId } = await minted(call);
  const [old, fresh] = [await exported(call, batchId), await exported(call, batchId)];
  const storage = createFileStorage(folder);
  const leftover = 'szip_2NqU7yWbZ4kcAa11';
  async function* bytes() {
    yield Buffer.from('left by a process that was killed');
  }
  await storage.put(`exports/${leftover}/part`, bytes());
  const options = { pool: plane.pool, storage, logger: createLogger('test', 'silent') };
  await plane.pool.query('UPDATE jobs SET result_until = now() WHERE id = $1', [old.jobId]);
  await sweepExports(options);
  expect(filesOf(folder, old.jobId)).toEqual([]);
  expect(filesOf(folder, leftover)).toEqual(['part']);
  await sweepExports({ ...options, nowMs: () => Date.now() + 25 * 3_600_000 });
  expect(filesOf(folder, leftover)).toEqual([]);
  expect((await zipOf(call, fresh)).size).toBe(3);
  expect(await download(call, old)).toMatchObject({ status: 404 });
});
