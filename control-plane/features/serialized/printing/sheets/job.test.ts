/** /api/qr/serialized-batches/{batchId}/sheets: from the call to the PDF, and what can come between. */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sheetsAnswer } from '#schemas/api/serialized-sheets.ts';
import { createLogger } from '#shared/logger.ts';
import { decodeQr } from '../../../../../deploy/testing/decode.ts';
import { temporaryFolder } from '../../../../../deploy/testing/local.ts';
import { hasProgram } from '../../../../../deploy/testing/programs.ts';
import { createFileStorage } from '../../../../platform/storage/file/file-storage.ts';
import {
  type Call,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../../testing/control-plane.ts';
import { sweepExports } from '../../exports/nightly.ts';
import { batchesPath, batchOf, ended, jobOf, minted } from '../../testing/mints.ts';
import { cutOut, designOf, poppler, showPage, textOf } from '../testing/drawn-sheets.ts';

const gtin = '09506000134352';
const hasPoppler = hasProgram('pdftoppm');
/** Four labels a page. */
const layout = {
  page: { widthMm: 84, heightMm: 84 },
  columns: 2,
  rows: 2,
  captions: ['itemId', 'productName'],
};
const product = { gtin, productName: 'Olive oil' };

let plane: TestControlPlane;
let folder: string;
let own: Workspace;
let batchId: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  plane = await startTestControlPlane({ environment: { STORAGE_URL: pathToFileURL(folder).href } });
  own = await plane.workspace();
});

/** The batch that most tests print. */
beforeEach(async () => {
  batchId ??= (await minted(own.call, { count: 10, ...product })).batchId;
});

const ask = (call: Call, id: string, body: object = { layout }) =>
  call('POST', `${batchesPath}/${id}/sheets`, body);

const begun = async (call: Call, id: string, body: object = { layout }) => {
  const answer = await ask(call, id, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return sheetsAnswer.parse(answer.body);
};

const download = (call: Call, id: string, jobId: string, headers?: Record<string, string>) =>
  call('GET', `${batchesPath}/${id}/sheets/download?jobId=${jobId}`, undefined, headers);

const drawn = async (call: Call, id: string, body: object = { layout }) => {
  const answer = await begun(call, id, body);
  expect(await ended(call, answer.jobId)).toMatchObject({
    status: 'completed',
    itemsWritten: answer.count,
    resultReady: true,
  });
  return answer;
};

const pdfOf = async (call: Call, id: string, body: object = { layout }): Promise<Buffer> => {
  const { jobId } = await drawn(call, id, body);
  return (await download(call, id, jobId)).body as Buffer;
};

const filesOf = (root: string, jobId: string): string[] => {
  const files = path.join(root, 'exports', jobId);
  return fs.existsSync(files) ? fs.readdirSync(files) : [];
};

/** Ids in the order in which they are on the sheets. */
const idsOn = (pdf: Buffer): string[] => textOf(pdf).match(/\b[1-9A-HJ-NP-Za-km-z]{12}\b/g) ?? [];

describe('the sheets of a batch', () => {
  test.skipIf(!hasPoppler)('have a label for each item, in their order, with its address', async () => {
    const answer = await drawn(own.call, batchId);
    expect(answer).toMatchObject({ batchId, count: 10, pages: 3 });
    expect(answer.jobId).toMatch(/^ssheet_/);
    const pdf = (await download(own.call, batchId, answer.jobId)).body as Buffer;
    expect(poppler('pdfinfo', ['-'], pdf).toString()).toMatch(/Pages: +3\n/);
    const { items } = await batchOf(own.call, batchId);
    expect(idsOn(pdf)).toEqual(items.map(({ itemId }) => itemId));
    const { places, ...design } = await designOf(layout, product);
    const shown = await showPage(pdf, 3, 300);
    const read = places
      .slice(0, 2)
      .map(async ([x, y]) => decodeQr(await cutOut(shown, { ...design, places }, [x, y, 42, 42])));
    expect(await Promise.all(read)).toEqual(items.slice(8).map(({ url }) => url));
  });

  test.skipIf(!hasPoppler)(
    'have the items of some positions, and GS1 Digital Links, where that is asked for',
    async () => {
      const pdf = await pdfOf(own.call, batchId, { layout, uriFormat: 'gs1', from: 4, to: 6 });
      const { items } = await batchOf(own.call, batchId);
      expect(idsOn(pdf)).toEqual(items.slice(3, 6).map(({ itemId }) => itemId));
      const design = await designOf(layout, product);
      const [x, y] = design.places[0]!;
      const text = await decodeQr(await cutOut(await showPage(pdf, 1, 300), design, [x, y, 42, 42]));
      expect(new URL(text!).pathname).toMatch(new RegExp(`^/01/${gtin}/21/${items[3]!.itemId}.{8}$`));
    },
  );

  test.skipIf(!hasPoppler)('say below their crop marks which page of which batch they are', async () => {
    const pdf = await pdfOf(own.call, batchId, { layout: { ...layout, bleedMm: 3 } });
    expect(textOf(pdf)).toContain(`${batchId} page 3 of 3 items 9-10 of 1-10`);
  });

  test('can be fetched in parts by the owner of the batch, for 30 days', async () => {
    const { jobId } = await drawn(own.call, batchId);
    const whole = await download(own.call, batchId, jobId);
    const pdf = whole.body as Buffer;
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${jobId}.pdf"`,
      'accept-ranges': 'bytes',
      'content-length': String(pdf.length),
    });
    const rest = await download(own.call, batchId, jobId, {
      range: 'bytes=100-',
      'if-range': whole.headers.get('etag')!,
    });
    expect([rest.status, rest.body]).toEqual([206, pdf.subarray(100)]);
    const other = await plane.workspace();
    expect((await download(other.call, batchId, jobId)).status).toBe(403);
    expect((await download(own.call, (await minted(own.call)).batchId, jobId)).status).toBe(404);
    const daysLeft = await plane.pool.query(
      `SELECT extract(day FROM result_until - completed_at)::integer AS days FROM jobs WHERE id = $1`,
      [jobId],
    );
    expect(daysLeft.rows[0]!.days).toBeGreaterThanOrEqual(29);
    // Only the PDF is kept, and counted.
    await expect.poll(() => filesOf(folder, jobId)).toEqual(['sheets.pdf']);
    const kept = async () =>
      (
        await plane.pool.query(
          'SELECT kept_bytes::integer AS bytes FROM serialized_exports WHERE job_id = $1',
          [jobId],
        )
      ).rows[0]!.bytes;
    await expect.poll(kept).toBe(pdf.length);
    await plane.pool.query('UPDATE jobs SET result_until = now() WHERE id = $1', [jobId]);
    const gone = await download(own.call, batchId, jobId);
    expect([gone.status, gone.body]).toMatchObject([
      404,
      { error: expect.stringContaining('at most for 30 days') },
    ]);
    const storage = createFileStorage(folder);
    await sweepExports({ pool: plane.pool, storage, logger: createLogger('test', 'silent') });
    expect(filesOf(folder, jobId)).toEqual([]);
  });
});

test('the answer names the captions that have no room', async () => {
  const tiny = { page: { widthMm: 15, heightMm: 16 }, columns: 1, rows: 1 };
  expect(await begun(own.call, batchId, { layout: tiny })).toMatchObject({ omittedCaptions: ['host'] });
  expect(await begun(own.call, batchId, { layout: { stock: '5167' } })).toMatchObject({
    omittedCaptions: [],
  });
});

describe('a call is refused', () => {
  const refusal = async (body: object, id = batchId) => {
    const { status, body: answer } = await ask(own.call, id, body);
    return `${status} ${(answer as { error: string }).error}`;
  };

  test.each<[string, object, RegExp]>([
    ['no layout', {}, /^400 layout is required/],
    ['no page', { layout: { columns: 2, rows: 2 } }, /^400 layout\.page is required/],
    ['an unknown page', { layout: { ...layout, page: 'A9' } }, /^422 layout\.page must be one of A3, A4/],
    [
      'an unknown field',
      { layout: { ...layout, columnz: 2 } },
      /^400 layout\.columnz is not a known field; accepted are stock, page/,
    ],
    [
      'a stock and columns',
      { layout: { stock: 'L7160', columns: 2 } },
      /^422 layout\.columns must not be given together with stock/,
    ],
    ['an unknown stock', { layout: { stock: 'X1' } }, /^422 layout\.stock must be one of 5160,/],
    [
      'captions true',
      { layout: { ...layout, captions: true } },
      /^422 layout\.captions must be false, a caption or a list/,
    ],
    [
      'a caption twice',
      { layout: { ...layout, captions: ['itemId', 'itemId'] } },
      /^422 layout\.captions must not name a caption twice/,
    ],
    [
      'a caption that is none',
      { layout: { ...layout, captions: ['name'] } },
      /^422 layout\.captions\[0\] must be one of itemId/,
    ],
    [
      'too many labels a page',
      { layout: { page: 'SRA3', columns: 100, rows: 21 } },
      /^422 layout\.columns times rows must be at most 2000, the labels of a page; they are 2100/,
    ],
    [
      'modules that are too small',
      { layout: { ...layout, columns: 9 } },
      /^422 layout\.columns leaves labels of 9\.33 × 42 mm, in which one module would be 0\.22 mm; .*at most \d+ columns fit/,
    ],
    [
      'a caption that the batch has nothing for',
      { layout: { ...layout, captions: 'productSku' } },
      /^422 layout\.captions must not have productSku: the batch batch_\w+ has no productSku/,
    ],
    [
      'positions that it does not have',
      { layout, from: 3, to: 11 },
      /^422 to must be at most 10, the count of the batch/,
    ],
    [
      'positions in the wrong order',
      { layout, from: 5, to: 4 },
      /^422 to must not be before from, which is 5/,
    ],
    ['half a position', { layout, from: 1.5 }, /^422 from must be a whole number from 1 to 50000/],
  ])('with %s', async (_, body, message) => {
    expect(await refusal(body)).toMatch(message);
  });

  test('with GS1 Digital Links of a batch that has no GTIN or while it is minted', async () => {
    const bare = await minted(own.call);
    expect(await refusal({ layout: { ...layout, captions: false }, uriFormat: 'gs1' }, bare.batchId)).toMatch(
      /^422 uriFormat must be url/,
    );
    const minting = await minted(own.call);
    await plane.pool.query(`UPDATE serialized_batches SET status = 'minting' WHERE id = $1`, [
      minting.batchId,
    ]);
    expect(await refusal({ layout }, minting.batchId)).toMatch(/^409 /);
  });
});

/** One label a page: a thread is busy with these for some seconds. */
const roll = { layout: { page: { widthMm: 30, heightMm: 40 }, columns: 1, rows: 1 } };

test('cancelled in the middle, it stops, and nothing of it is left in the storage', async () => {
  const { call } = await plane.workspace();
  const batch = await minted(call, { count: 5_000 });
  const { jobId } = await begun(call, batch.batchId, roll);
  await expect
    .poll(async () => (await jobOf(call, jobId)).itemsWritten, { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(0);
  expect(await call('DELETE', `${batchesPath}/jobs/${jobId}`)).toMatchObject({
    status: 200,
    body: { status: 'failed', error: 'It was cancelled', jobType: 'sheet_export' },
  });
  expect((await download(call, batch.batchId, jobId)).status).toBe(409);
  const waiting = async () =>
    (
      await plane.pool.query(
        `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'draw-serialized-sheets'`,
      )
    ).rowCount;
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  expect(filesOf(folder, jobId)).toEqual([]);
}, 120_000);
