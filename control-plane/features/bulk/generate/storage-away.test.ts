/**
 * Pictures while the storage is away or full, and after a process was killed. The tests wait for several retries, which
 * are seconds apart, and for the work in between.
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { canMount, mountDisk } from '../../../../deploy/testing/disk.ts';
import { enqueueTurn } from '../../../jobs/turns.ts';
import { startS3Server } from '../../../platform/storage/testing/s3-server.ts';
import { startTestControlPlane } from '../../../testing/control-plane.ts';
import { bulkLane } from '../engine/store/operations.ts';
import { fetchZip, generated, progressOf, textRows, zipOf } from '../testing/generate-calls.ts';

const namesOf = (count: number): string[] =>
  textRows(count)
    .map(({ uid }) => `${uid}.svg`)
    .sort();

test('while the bucket is away the rows and the zip wait; afterwards all are there, and nothing is lost', async () => {
  const server = await startS3Server();
  const plane = await startTestControlPlane({ environment: { STORAGE_URL: server.url } });
  const { call, workspaceId } = await plane.workspace();
  const failures = async () => {
    const metrics = String((await plane.internal('GET', '/metrics')).body);
    return Number(/waymark_storage_failures_total\{why="away"\} (\d+)/.exec(metrics)?.[1]);
  };
  await server.kill();
  const bulkId = await generated(call, textRows(20));
  await expect.poll(failures, { timeout: 60_000, interval: 250 }).toBeGreaterThan(0);
  expect(await progressOf(call, bulkId)).toMatchObject({ processed: 0, failed: 0 });
  const attempts = async () =>
    (await plane.pool.query('SELECT max(attempts) AS most FROM bulk_rows WHERE bulk_id = $1', [bulkId]))
      .rows[0];
  // It never counts as a fault of the rows, however long it takes.
  await expect.poll(attempts, { timeout: 60_000, interval: 20 }).toEqual({ most: 0 });
  await server.start();
  const { files } = await zipOf(call, bulkId);
  expect([...files.keys()].sort()).toEqual(namesOf(20));

  await server.kill();
  const answer = await fetchZip(call, bulkId);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  const before = await failures();
  // As after a kill between the last picture and the end of the last step.
  await plane.pool.query(`UPDATE jobs SET status = 'processing', completed_at = NULL WHERE id = $1`, [
    bulkId,
  ]);
  await enqueueTurn(plane.pool, { lane: bulkLane, workspaceId });
  await expect.poll(failures, { timeout: 60_000, interval: 250 }).toBeGreaterThan(before);
  const stepsOf = async () =>
    (await plane.pool.query('SELECT status, attempts FROM jobs WHERE id = $1', [bulkId])).rows[0];
  await expect.poll(stepsOf, { timeout: 60_000 }).toEqual({ status: 'processing', attempts: 0 });
  await server.start();
  expect([...(await zipOf(call, bulkId)).files.keys()].sort()).toEqual(namesOf(20));
}, 180_000);

test.skipIf(!canMount)(
  'on a full disk the rows wait; once there is room all are there',
  async () => {
    const disk = await mountDisk(8);
    const plane = await startTestControlPlane({
      environment: { STORAGE_URL: pathToFileURL(path.join(disk, 'storage')).href },
    });
    const { call } = await plane.workspace();
    const filler = path.join(disk, 'filler');
    const file = fs.openSync(filler, 'w');
    expect(() => {
      for (;;) fs.writeSync(file, Buffer.alloc(2 ** 16));
    }).toThrow('ENOSPC');
    fs.closeSync(file);
    const bulkId = await generated(call, textRows(3));
    const failures = async () => String((await plane.internal('GET', '/metrics')).body);
    await expect
      .poll(failures, { timeout: 60_000, interval: 250 })
      .toMatch(/storage_failures_total\{why="full"\} [1-9]/);
    expect(await progressOf(call, bulkId)).toMatchObject({ processed: 0, failed: 0 });
    fs.rmSync(filler);
    expect([...(await zipOf(call, bulkId)).files.keys()].sort()).toEqual(namesOf(3));
  },
  180_000,
);
