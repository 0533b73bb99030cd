import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { imageExportAnswer } from '#schemas/api/serialized-images.ts';
import { decodeQr } from '../../../../deploy/testing/decode.ts';
import { temporaryFolder } from '../../../../deploy/testing/local.ts';
import {
  kitBody,
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { batchesPath, batchOf, ended, jobOf, mint, minted } from '../testing/mints.ts';
import {
  askForImages,
  atRest,
  begun,
  download,
  exported,
  holdTurn,
  unzip,
  zipOf,
} from './testing/exports.ts';

const gtin = '09506000134352';
const rounded = {
  dotsOptions: { type: 'rounded', color: '#1d4ed8' },
  cornersSquareOptions: { type: 'extra-rounded' },
};

let plane: TestControlPlane;
let own: Workspace;
let batchId: string;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

/** The batch that most tests export. */
beforeEach(async () => {
  batchId ??= (await minted(own.call, { count: 12, gtin })).batchId;
});

const itemsOf = async (id = batchId) => (await batchOf(own.call, id)).items;

/** The sides of an SVG's symbol with its quiet zone are in its content; of a PNG all that matters is what it says. */
const textOf = async (picture: Buffer): Promise<string | undefined> =>
  decodeQr(await sharp(picture).flatten({ background: '#fff' }).png().toBuffer());

describe('the export of images', () => {
  test.each([
    ['plain svg', {}, 'svg'],
    ['plain png', { format: 'png', width: 300 }, 'png'],
    ['styled svg', { ...rounded, width: 400 }, 'svg'],
    ['styled png', { format: 'png', ...rounded }, 'png'],
    ['svg of a preset with a frame', { preset: 'menu', frame: { id: 'scanme' } }, 'svg'],
    ['png with a logo', { format: 'png', image: logo }, 'png'],
  ] as const)(
    'has one image for each code, named by its item id, that holds its url: %s',
    async (_, body, format) => {
      const job = await exported(own.call, batchId, body);
      expect(job).toMatchObject({
        jobType: 'image_export',
        count: 12,
        itemsWritten: 12,
        imageFormat: format,
        batchId,
      });
      const files = await zipOf(own.call, job);
      const items = await itemsOf();
      expect([...files.keys()]).toEqual(items.map(({ itemId }) => `${itemId}.${format}`));
      for (const { itemId, url } of items) expect(await textOf(files.get(`${itemId}.${format}`)!)).toBe(url);
    },
  );

  test.each([
    ['no body', undefined, {}],
    ['an empty body', '', { 'content-type': '' }],
    ['an empty body of JSON', '', { 'content-type': 'application/json' }],
    ['an empty body of curl -d', '', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an object without fields', {}, {}],
    ['that without a type', Buffer.from('{}'), { 'content-type': '' }],
  ] as const)('without a format is svg: %s', async (_, body, headers) => {
    const answer = await own.call('POST', `/api/qr/serialized-batches/${batchId}/images`, body, headers);
    expect(answer).toMatchObject({ status: 202, body: { format: 'svg', count: 12, batchId } });
    const { jobId } = answer.body as { jobId: string };
    await own.call('DELETE', `/api/qr/serialized-batches/jobs/${jobId}`);
  });

  test('with uriFormat gs1 the images hold the Digital Links of items.csv', async () => {
    const files = await zipOf(own.call, await exported(own.call, batchId, { uriFormat: 'gs1' }));
    const csv = String((await own.call('GET', `${batchesPath}/${batchId}/items.csv?uriFormat=gs1`)).body);
    const rows = csv
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(','));
    expect(rows).toHaveLength(12);
    for (const [itemId, url] of rows) expect(await textOf(files.get(`${itemId}.svg`)!)).toBe(url);
    expect(rows[0]![1]).toMatch(/\/01\/09506000134352\/21\/\w{20}$/);
  });

  test('is answered by 202 with the job, the batch, the format and the count, and with where the job is read', async () => {
    const answer = await askForImages(own.call, batchId);
    expect(answer).toMatchObject({
      status: 202,
      body: { jobId: expect.stringMatching(/^szip_/), batchId, format: 'svg', count: 12 },
    });
    const { jobId } = answer.body as { jobId: string };
    expect(answer.headers.get('location')).toMatch(new RegExp(`/jobs/${jobId}$`));
  });

  test('has symbols with the same number of modules', async () => {
    const files = await zipOf(own.call, await exported(own.call, batchId, { width: 500 }));
    const scales = [...files.values()].map((svg) => /scale\(([\d.]+)\)/.exec(svg.toString())?.[1]);
    expect(new Set(scales).size).toBe(1);
  });

  test('has plain PNGs of one bit a pixel', async () => {
    const files = await zipOf(own.call, await exported(own.call, batchId, { format: 'png', width: 512 }));
    for (const png of files.values()) {
      expect([png.readUInt32BE(16), png[24], png[25]]).toEqual([512, 1, 3]);
      expect(png.length).toBeLessThan(3_000);
    }
  });

  test('keeps the look of a brand kit that is changed meanwhile', async () => {
    const { body: kit } = await own.call('POST', '/api/qr/brand-kits', kitBody);
    const { kitId } = kit as { kitId: string };
    const { jobId } = await begun(own.call, batchId, { brandKitId: kitId });
    await own.call('PATCH', `/api/qr/brand-kits/${kitId}`, { primaryColor: '#7b1e3a' });
    const job = { jobId, batchId };
    expect(await ended(own.call, jobId)).toMatchObject({ resultReady: true });
    for (const svg of (await zipOf(own.call, job)).values()) expect(svg.toString()).toContain('#0c4a6e');
  });

  test('can be unpacked by the usual program', async (context) => {
    const { body } = await download(own.call, await exported(own.call, batchId));
    const file = path.join(await temporaryFolder(), 'images.zip');
    writeFileSync(file, body as Buffer);
    try {
      execFileSync('unzip', ['-v'], { stdio: 'ignore' });
    } catch {
      context.skip('unzip is not installed');
    }
    expect(execFileSync('unzip', ['-t', file]).toString()).toContain('No errors detected');
  });
});

describe('an export is refused', () => {
  test('while its batch is minting, and where the minting failed: 409', async () => {
    const { batchId: waiting } = await minted(own.call);
    for (const [status, message] of [
      ['minting', 'still minting'],
      ['failed', 'failed'],
    ]) {
      await plane.pool.query('UPDATE serialized_batches SET status = $2 WHERE id = $1', [waiting, status]);
      expect(await askForImages(own.call, waiting)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining(message!) },
      });
    }
  });

  test('with uriFormat gs1 for a batch without a gtin: 422', async () => {
    const { batchId: plain } = await minted(own.call);
    expect(await askForImages(own.call, plain, { uriFormat: 'gs1' })).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('uriFormat') },
    });
  });

  test.each([
    ['a style that cannot be read', { dotsOptions: { color: '#fefefe' } }, 'dotsOptions'],
    ['a size that is too small for its symbols', { format: 'png', width: 64, margin: 40 }, 'too small'],
    ['a brand kit that is none', { brandKitId: 'kit_none' }, 'brandKitId'],
    ['another format', { format: 'pdf' }, 'format'],
  ])('with %s, by the name of the field', async (_, body, name) => {
    const answer = await askForImages(own.call, batchId, body);
    expect(answer).toMatchObject({ body: { error: expect.stringContaining(name) } });
    expect([400, 422]).toContain(answer.status);
  });

  test('where its pictures have too many pixels together: 422', async () => {
    await plane.pool.query('UPDATE serialized_batches SET count = 50000 WHERE id = $1', [batchId]);
    const answer = await askForImages(own.call, batchId, { format: 'png', width: 4096 });
    await plane.pool.query('UPDATE serialized_batches SET count = 12 WHERE id = $1', [batchId]);
    expect(answer).toMatchObject({ status: 422, body: { error: expect.stringContaining('width') } });
  });

  test('to another workspace: 403, and 404 for what does not exist', async () => {
    const { call } = await plane.workspace();
    const job = await exported(own.call, batchId);
    expect(await askForImages(call, batchId)).toMatchObject({ status: 403 });
    expect(await download(call, job)).toMatchObject({ status: 403 });
    expect(await call('DELETE', `${batchesPath}/jobs/${job.jobId}`)).toMatchObject({ status: 403 });
    const { batchId: foreign } = await minted(call);
    expect(await download(call, { ...job, batchId: foreign })).toMatchObject({ status: 403 });
    expect(await askForImages(own.call, 'batch_4nX5cPq7Rk2mQw8Z')).toMatchObject({ status: 404 });
  });

  test('that would be the 21st unfinished one of the workspace: 429, also if all are asked for at once', async () => {
    const busy = await plane.workspace();
    const { batchId } = await minted(busy.call);
    const release = await holdTurn(plane.pool, busy.workspaceId);
    const asked = await Promise.all(Array.from({ length: 30 }, () => askForImages(busy.call, batchId)));
    const statuses = asked.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(202), ...Array(10).fill(429)]);
    await release();
    for (const { status, body } of asked)
      if (status === 202)
        await busy.call('DELETE', `${batchesPath}/jobs/${imageExportAnswer.parse(body).jobId}`);
  });

  test('where as much is kept as the plan allows: 429, until one is removed', async () => {
    const { call } = await plane.workspace();
    const { batchId: full } = await minted(call);
    const job = await exported(call, full);
    await plane.pool.query('UPDATE serialized_exports SET kept_bytes = 50::bigint << 30 WHERE job_id = $1', [
      job.jobId,
    ]);
    const refused = await askForImages(call, full);
    expect(refused).toMatchObject({ status: 429, body: { error: expect.stringContaining('DELETE') } });
    expect(refused.headers.get('x-service-error-code')).toBe('PLAN_LIMIT_REACHED');
    await call('DELETE', `${batchesPath}/jobs/${job.jobId}`);
    await exported(call, full);
  });
});

describe('the download', () => {
  test('in ranges, joined, is the whole, whatever pieces it lies in', async () => {
    const { batchId: long } = await minted(own.call, { count: 40 });
    const job = await exported(own.call, long);
    const whole = await download(own.call, job);
    const zip = whole.body as Buffer;
    expect(whole.headers.get('content-type')).toBe('application/zip');
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    const etag = whole.headers.get('etag')!;
    const parts: Buffer[] = [];
    for (let first = 0; first < zip.length; first += 9_973) {
      const last = first + 9_972;
      const part = await download(own.call, job, { range: `bytes=${first}-${last}`, 'if-range': etag });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(
        `bytes ${first}-${Math.min(last, zip.length - 1)}/${zip.length}`,
      );
      parts.push(part.body as Buffer);
    }
    expect(Buffer.concat(parts).equals(zip)).toBe(true);
    expect(await unzip(zip)).toHaveProperty('size', 40);
    expect((await download(own.call, job, { range: `bytes=${zip.length}-` })).status).toBe(416);
    expect((await download(own.call, job, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
    expect((await download(own.call, job, { 'if-none-match': etag })).status).toBe(304);
  });

  test('before the result is ready is refused by 409, and after its time by 404', async () => {
    const job = await exported(own.call, batchId);
    // The job is changed by this test alone.
    await atRest(plane.pool);
    const release = await holdTurn(plane.pool, own.workspaceId);
    const set = (change: string) => plane.pool.query(`UPDATE jobs SET ${change} WHERE id = $1`, [job.jobId]);
    const { rows } = await plane.pool.query(
      `SELECT round(extract(epoch FROM result_until - completed_at) / 86400)::integer AS days FROM jobs WHERE id = $1`,
      [job.jobId],
    );
    expect(rows).toEqual([{ days: 30 }]);
    await set(`result_until = now() - interval '1 second'`);
    expect(await jobOf(own.call, job.jobId)).toMatchObject({ status: 'completed', resultReady: false });
    expect(await download(own.call, job)).toMatchObject({ status: 404 });
    await set(`status = 'processing', done = 5, completed_at = NULL`);
    expect(await download(own.call, job)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('5 of 12 images are drawn') },
    });
    await set(`status = 'failed', error = 'as told', completed_at = now()`);
    await release();
  });

  test('without a job, or with that of another kind or batch, is refused', async () => {
    const job = await exported(own.call, batchId);
    const other = await mint(own.call);
    expect(await own.call('GET', `${batchesPath}/${batchId}/images/download`)).toMatchObject({ status: 400 });
    expect(await download(own.call, { batchId: other.batchId, jobId: job.jobId })).toMatchObject({
      status: 404,
    });
    expect(await download(own.call, other)).toMatchObject({ status: 404 });
  });
});
