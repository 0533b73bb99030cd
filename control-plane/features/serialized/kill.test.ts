/**
 * A process is killed in the middle of a mint, of an export of images and of sheets. Another one continues, and
 * nothing is missing or duplicated.
 */
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { SerializedJob } from '#schemas/api/serialized.ts';
import { sheetsAnswer } from '#schemas/api/serialized-sheets.ts';
import { createLogger } from '#shared/logger.ts';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  temporaryFolder,
} from '../../../deploy/testing/index.ts';
import { hasProgram } from '../../../deploy/testing/programs.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { startTestControlPlane, type TestControlPlane } from '../../testing/control-plane.ts';
import { startPlaneProcess } from '../../testing/plane-process.ts';
import { createWorkspace } from '../tenancy/store.ts';
import { begun, download, unzip } from './exports/testing/exports.ts';
import { sliceItems } from './mint/kind.ts';
import { textOf } from './printing/testing/drawn-sheets.ts';
import { closeGate, stopBeforeSecondPart } from './testing/gates.ts';
import {
  atPosition,
  batchesPath,
  batchOf,
  ended,
  jobOf,
  mint,
  minted,
  storedItems,
  whole,
} from './testing/mints.ts';

/** More than a thread draws in a second, the length of a slice. */
const [pictures, labels] = [2_000, 3_000];
/** Pictures that take a thread at least a millisecond each. */
const slow = { format: 'png', width: 2048 };
/** One label per page. */
const roll = { layout: { page: { widthMm: 30, heightMm: 40 }, columns: 1, rows: 1 } };

let pool: Pool;
let next: TestControlPlane;
const keys: Record<'mint' | 'images' | 'sheets', string> = { mint: '', images: '', sheets: '' };
/** The jobs, as they were when the process was killed. */
let stopped: Record<'mint' | 'images' | 'sheets', SerializedJob>;

const idsOf = async (batchId: string): Promise<string[]> =>
  (
    await pool.query<{ id: string }>(
      'SELECT id FROM serialized_items WHERE batch_id = $1 ORDER BY position',
      [batchId],
    )
  ).rows.map(({ id }) => id);

test('a process that mints, draws images and prints sheets is killed in the middle of each, and another one starts', async () => {
  const [databaseUrl, clickhouseUrl] = [await createTestDatabase(), await createTestClickHouse()];
  const shared = { STORAGE_URL: pathToFileURL(await temporaryFolder()).href };
  pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 4);
  afterFile(() => pool.end());
  const first = await startPlaneProcess('control-plane/main.ts', {
    ...shared,
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    QR_HOST: 'https://qr.example.com',
  });
  for (const kind of ['mint', 'images', 'sheets'] as const)
    keys[kind] = (await createWorkspace(pool, kind, 'enterprise')).apiKey;
  await first.ready();
  const [forMint, forImages, forSheets] = [keys.mint, keys.images, keys.sheets].map(first.callWith);

  const batches = [
    await minted(forImages!, { count: pictures }),
    await minted(forSheets!, { count: labels }),
  ];
  const gate = await closeGate(pool, 4_711);
  const letPartsPass = await stopBeforeSecondPart(pool, gate);
  const images = await begun(forImages!, batches[0]!.batchId, slow);
  const answer = await forSheets!('POST', `${batchesPath}/${batches[1]!.batchId}/sheets`, roll);
  const sheets = sheetsAnswer.parse(answer.body);
  await gate.reached(2);
  // In the middle of the third slice.
  const letItemsPass = await atPosition(pool, 2 * sliceItems + 100, gate.pass);
  const minting = await mint(forMint!, { count: 3 * sliceItems });
  await gate.reached(3);
  stopped = {
    mint: await jobOf(forMint!, minting.jobId),
    images: await jobOf(forImages!, images.jobId),
    sheets: await jobOf(forSheets!, sheets.jobId),
  };
  expect(stopped.mint).toMatchObject({ status: 'processing', itemsWritten: 2 * sliceItems });
  expect(await storedItems(pool, minting.batchId)).toEqual(whole(2 * sliceItems));
  for (const job of [stopped.images, stopped.sheets]) {
    expect(job).toMatchObject({ status: 'processing', resultReady: false });
    expect(job.itemsWritten).toBeGreaterThan(0);
    expect(job.itemsWritten).toBeLessThan(job.count);
  }
  await first.kill();
  await gate.open();
  await letPartsPass();
  await letItemsPass();
  next = await startTestControlPlane({ databaseUrl, clickhouseUrl, environment: shared });
}, 300_000);

test("a kill -9 in the middle of a mint's slice leaves neither a duplicate nor a gap", async () => {
  const { jobId, batchId } = stopped.mint;
  expect(await ended(next.callWith(keys.mint), jobId)).toMatchObject({
    status: 'completed',
    itemsWritten: 3 * sliceItems,
  });
  expect(await storedItems(pool, batchId)).toEqual(whole(3 * sliceItems));
});

test('a kill -9 in the middle of an export loses and duplicates no image: another control plane continues after the last part', async () => {
  const own = next.callWith(keys.images);
  const { jobId, batchId } = stopped.images;
  expect(await ended(own, jobId, 250_000)).toMatchObject({ status: 'completed', itemsWritten: pictures });
  const zip = (await download(own, stopped.images)).body as Buffer;
  const files = await unzip(zip);
  expect([...files.keys()]).toEqual((await idsOf(batchId)).map((id) => `${id}.png`));
  const { items } = await batchOf(own, batchId, '?limit=3');
  for (const { itemId, url } of items) expect(await decodeQr(files.get(`${itemId}.png`)!)).toBe(url);
  const { rows: parts } = await pool.query<{ end: number }>(
    `SELECT (sum(picture_bytes) OVER (ORDER BY first_position))::integer AS end FROM serialized_export_parts WHERE job_id = $1`,
    [jobId],
  );
  expect(parts.length).toBeGreaterThan(1);
  // Across the boundary of every two parts.
  for (const { end } of parts) {
    const range = { range: `bytes=${end - 100}-${end + 99}` };
    expect((await download(own, stopped.images, range)).body).toEqual(zip.subarray(end - 100, end + 100));
  }
}, 300_000);

test('a kill -9 in the middle of sheets loses and duplicates no label: another control plane continues after the last file', async () => {
  const own = next.callWith(keys.sheets);
  const { jobId, batchId } = stopped.sheets;
  expect(await ended(own, jobId, 250_000)).toMatchObject({ status: 'completed', itemsWritten: labels });
  const answer = await own('GET', `${batchesPath}/${batchId}/sheets/download?jobId=${jobId}`);
  const pdf = answer.body as Buffer;
  expect(pdf.subarray(-6).toString()).toBe('%%EOF\n');
  if (!hasProgram('pdftotext')) return;
  expect(textOf(pdf).match(/\b[1-9A-HJ-NP-Za-km-z]{12}\b/g)).toEqual(await idsOf(batchId));
}, 300_000);

test('two planes write no slice twice, and none fails because of the other', async () => {
  const { databaseUrl, clickhouseUrl } = next;
  const other = await startTestControlPlane({ databaseUrl, clickhouseUrl });
  const { call, apiKey, workspaceId } = await next.workspace();
  const both = [call, other.callWith(apiKey)];
  const mints = await Promise.all(
    both.flatMap((each) => [1, 2].map(() => mint(each, { count: 2 * sliceItems }))),
  );
  for (const { jobId, batchId } of mints) {
    expect(await ended(call, jobId)).toMatchObject({ status: 'completed' });
    expect(await storedItems(pool, batchId)).toEqual(whole(2 * sliceItems));
  }
  const { rows } = await pool.query('SELECT DISTINCT failures FROM jobs WHERE workspace_id = $1', [
    workspaceId,
  ]);
  expect(rows).toEqual([{ failures: 0 }]);
});
