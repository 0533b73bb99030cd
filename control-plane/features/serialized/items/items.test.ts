/** Reading batches: lists, pages of items, files; and changes by their owner. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { batchJobList, batchList, batchObject, batchSummary } from '#schemas/api/serialized.ts';
import { batchDocuments, gs1Documents, parseDocument } from '#schemas/documents.ts';
import { createLogger } from '#shared/logger.ts';
import { createSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures } from '#shared/serial-signatures.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { features } from '../../../app.ts';
import { verbsOf } from '../../../framework/feature.ts';
import type { Verb } from '../../../framework/verb.ts';
import { createPool } from '../../../platform/db/pool.ts';
import {
  qrHost,
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { dataUrlOf, redAndBlue } from '../../hosted/uploads/testing/pictures.ts';
import { findBatch } from '../store/batches.ts';
import { atPosition, batchesPath, batchOf, ended, failSoon, mint, minted } from '../testing/mints.ts';
import { itemsCsv } from './csv.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const signatures = createSerialSignatures(createSerialKeys({ secretKey, serialKeys: undefined }));

const fileOf = async (batchId: string, query = '') => {
  const answer = await own.call('GET', `${batchesPath}/${batchId}/items.csv${query}`);
  return { ...answer, text: String(answer.body) };
};

const pageText = z.looseObject({ error: z.string() });

describe('the list of batches', () => {
  test('is complete, newest first, with every field of each batch', async () => {
    const { call } = await plane.workspace();
    expect((await call('GET', batchesPath)).body).toEqual({ batches: [] });
    const first = await minted(call, { batchName: 'first', count: 1 });
    const second = await minted(call, { batchName: 'second', count: 2, productSku: 'SNK' });
    const { batches } = batchList.parse((await call('GET', batchesPath)).body);
    expect(batches).toEqual([
      {
        batchId: second.batchId,
        batchName: 'second',
        count: 2,
        scanned: 0,
        status: 'completed',
        productSku: 'SNK',
        productName: null,
        gtin: null,
        createdAt: expect.any(Number),
      },
      expect.objectContaining({ batchId: first.batchId, batchName: 'first', count: 1 }),
    ]);
    expect(Math.abs(batches[0]!.createdAt - Date.now())).toBeLessThan(3_600_000);
  });

  test('has all batches even if there is more than a page of them', async () => {
    const { call, workspaceId, subscriptionId } = await plane.workspace();
    await plane.pool.query(
      `INSERT INTO serialized_batches (id, workspace_id, subscription_id, name, count, status, key_generation)
       SELECT 'batch_' || lpad(translate(n::text, '0', 'x'), 16, 'x'), $1, $2, n, 1, 'completed', 1 FROM generate_series(1, 1203) n`,
      [workspaceId, subscriptionId],
    );
    const { batches } = batchList.parse((await call('GET', batchesPath)).body);
    expect(batches.map(({ batchName }) => batchName)).toEqual(
      Array.from({ length: 1203 }, (_, at) => String(1203 - at)),
    );
  });
});

describe('a page of the list of batches', () => {
  test('has up to `limit` of them, and nextCursor leads to the next one; a status filters', async () => {
    const { call, workspaceId } = await plane.workspace();
    for (const batchName of ['one', 'two', 'three']) await minted(call, { batchName, count: 1 });
    await plane.pool.query(
      `UPDATE serialized_batches SET status = 'failed' WHERE workspace_id = $1 AND name = 'two'`,
      [workspaceId],
    );
    const namesOf = async (query: string) => {
      const { batches, nextCursor } = batchList.parse((await call('GET', `${batchesPath}?${query}`)).body);
      return [batches.map(({ batchName }) => batchName), nextCursor] as const;
    };
    const [first, cursor] = await namesOf('limit=2');
    expect([first, typeof cursor]).toEqual([['three', 'two'], 'string']);
    expect(await namesOf(`limit=2&cursor=${cursor}`)).toEqual([['one'], null]);
    expect(await namesOf(`cursor=${cursor}`)).toEqual([['one'], null]);
    expect(await namesOf('limit=3')).toEqual([['three', 'two', 'one'], null]);
    expect(await namesOf('limit=1&status=failed')).toEqual([['two'], null]);
    expect(await namesOf('status=completed')).toEqual([['three', 'one'], undefined]);
    for (const wrong of ['limit=0', 'limit=501', 'cursor=abc', 'status=lost', 'sort=name'])
      expect((await call('GET', `${batchesPath}?${wrong}`)).status, wrong).toBe(400);
    expect((await own.call('GET', `${batchesPath}?cursor=${cursor}`)).status).toBe(400);
  });
});

describe('the jobs of a batch', () => {
  test('are its mint and its exports, newest first, in pages and by type; a cursor belongs to its list', async () => {
    const { batchId, jobId } = await minted(own.call, { count: 2 });
    const at = `${batchesPath}/${batchId}`;
    const made: string[] = [];
    for (const path of ['images', 'images', 'sheets']) {
      const body = path === 'sheets' ? { layout: { stock: 'L7160' } } : {};
      const answer = (await own.call('POST', `${at}/${path}`, body)).body as { jobId: string };
      made.unshift(answer.jobId);
    }
    await minted(own.call, { count: 1 });
    const jobsOf = async (query: string) => {
      const answer = batchJobList.parse((await own.call('GET', `${at}/jobs?${query}`)).body);
      return [answer.data.map((job) => job.jobId), answer.pagination.nextCursor] as const;
    };
    expect(await jobsOf('')).toEqual([[...made, jobId], null]);
    const [first, cursor] = await jobsOf('limit=3');
    expect(first).toEqual(made);
    expect(await jobsOf(`limit=3&cursor=${cursor}`)).toEqual([[jobId], null]);
    expect(await jobsOf('jobType=sheet_export')).toEqual([[made[0]], null]);
    expect((await own.call('GET', `${at}/jobs?limit=1`)).body).toMatchObject({
      data: [{ batchId, jobType: 'sheet_export', count: 2 }],
      pagination: { limit: 1, cursor: null },
    });
    for (const wrong of ['limit=101', 'jobType=print', `jobType=mint&cursor=${cursor}`, 'status=failed'])
      expect((await own.call('GET', `${at}/jobs?${wrong}`)).status, wrong).toBe(400);
    expect((await (await plane.workspace()).call('GET', `${at}/jobs`)).status).toBe(403);
  });
});

describe('the items of a batch', () => {
  test('come in pages of `limit`, each once, in a stable order; nextCursor is null on the last page', async () => {
    const { batchId } = await minted(own.call, { count: 1_001 });
    const walk = async (limit: string): Promise<[ids: string[], pages: number[]]> => {
      const ids: string[] = [];
      const pages: number[] = [];
      let cursor = '';
      for (;;) {
        const page = await batchOf(own.call, batchId, `?${limit}${cursor}`);
        ids.push(...page.items.map(({ itemId }) => itemId));
        pages.push(page.items.length);
        if (page.nextCursor === null) return [ids, pages];
        cursor = `&cursor=${page.nextCursor}`;
      }
    };
    const [ids, pages] = await walk('');
    expect([new Set(ids).size, pages]).toEqual([1_001, [500, 500, 1]]);
    expect(await walk('limit=250')).toEqual([ids, [250, 250, 250, 250, 1]]);
    expect((await walk('limit=143'))[0]).toEqual(ids);
    expect((await batchOf(own.call, batchId, '?limit=1')).items).toHaveLength(1);
  });

  test('with an invalid limit, cursor or parameter are 400, naming the parameter', async () => {
    const { batchId } = await mint(own.call);
    for (const query of [
      ...['limit=0', 'limit=501', 'limit=x', 'limit=1&limit=2', 'cursor=', 'cursor=abc', 'page=2'],
    ]) {
      const answer = await own.call('GET', `${batchesPath}/${batchId}?${query}`);
      expect(answer.status, query).toBe(400);
      expect(pageText.parse(answer.body).error).toMatch(new RegExp(`^${query.split('=')[0]} `));
    }
  });

  test('a cursor of another batch, or a modified one, is 400', async () => {
    const [one, two] = [await minted(own.call), await minted(own.call)];
    const { nextCursor } = await batchOf(own.call, one.batchId, '?limit=1');
    const changed = `${nextCursor!.slice(0, 8)}${nextCursor![8] === 'A' ? 'B' : 'A'}${nextCursor!.slice(9)}`;
    for (const [batchId, cursor] of [
      [two.batchId, nextCursor],
      [one.batchId, changed],
    ])
      expect(await own.call('GET', `${batchesPath}/${batchId}?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { error: 'cursor must be a nextCursor of this list' },
      });
  });

  test('while the batch is minting, the last written page has a nextCursor, which later continues with the rest', async () => {
    const gate = await plane.pool.connect();
    await gate.query('SELECT pg_advisory_lock(1)');
    const open = await atPosition(plane.pool, 5_001, 'PERFORM pg_advisory_xact_lock(1)');
    const { jobId, batchId } = await mint(own.call, { count: 5_003 });
    await expect.poll(async () => (await batchOf(own.call, batchId)).items.length).toBe(500);
    let page = await batchOf(own.call, batchId);
    let seen = page.items.length;
    while (page.items.length > 0) {
      page = await batchOf(own.call, batchId, `?cursor=${page.nextCursor}`);
      seen += page.items.length;
    }
    expect([page.status, seen, page.nextCursor]).toEqual(['minting', 5_000, expect.any(String)]);
    expect((await fileOf(batchId)).status).toBe(409);
    await gate.query('SELECT pg_advisory_unlock(1)');
    gate.release();
    await ended(own.call, jobId);
    await open();
    const last = await batchOf(own.call, batchId, `?cursor=${page.nextCursor}`);
    expect([last.status, last.items.length, last.nextCursor]).toEqual(['completed', 3, null]);
  });
});

describe('items.csv', () => {
  test('has the whole batch, with the columns itemId, url, productSku, productName, and formulas escaped', async () => {
    const { batchId } = await minted(own.call, {
      count: 2_501,
      productSku: '=1+2',
      productName: 'Shoe, "red"',
    });
    const { status, headers, text } = await fileOf(batchId);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="waymark-items-${batchId}.csv"`);
    const [header, ...lines] = text.split('\r\n');
    expect([header, lines.pop(), lines.length]).toEqual(['itemId,url,productSku,productName', '', 2_501]);
    const { items } = await batchOf(own.call, batchId);
    expect(lines.slice(0, 500)).toEqual(
      items.map(({ itemId, url }) => `${itemId},${url},'=1+2,"Shoe, ""red"""`),
    );
    expect(new Set(lines).size).toBe(2_501);
  });

  test('has GS1 Digital Links if uriFormat is gs1, whose serials verify', async () => {
    const { batchId } = await minted(own.call, { gtin: '09506000134352' });
    const { text } = await fileOf(batchId, '?uriFormat=gs1');
    const urls = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1]!);
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const serial = url.replace(`${qrHost}/01/09506000134352/21/`, '');
      expect(serial).toHaveLength(20);
      expect(signatures.checkSerial('09506000134352', serial).check).toBe('genuine');
    }
  });

  test('with gs1 but without a gtin is 422, with an unknown format 400', async () => {
    const { batchId } = await minted(own.call);
    expect(await fileOf(batchId, '?uriFormat=gs1')).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(/^uriFormat must be url: .* has no gtin.*; given: 'gs1'$/) },
    });
    expect((await fileOf(batchId, '?uriFormat=epc')).status).toBe(400);
  });
});

describe('a change of a batch', () => {
  const change = (batchId: string, body: object) => own.call('PATCH', `${batchesPath}/${batchId}`, body);

  test('gives it a name, or a notice that redirectors learn of at once; null removes it', async () => {
    const { batchId } = await minted(own.call, { productName: 'Shoe', brandName: 'Example' });
    const documentOf = async () => {
      const { body } = await plane.internal('GET', `/internal/documents?ids=${batchId}`);
      return parseDocument(batchDocuments, z.array(z.string()).parse(body)[0]!);
    };
    const before = await documentOf();
    expect(before).toEqual({
      id: batchId,
      workspaceId: own.workspaceId,
      version: expect.any(Number),
      productName: 'Shoe',
      brandName: 'Example',
    });
    expect((await change(batchId, { batchName: 'Autumn' })).body).toMatchObject({ batchName: 'Autumn' });
    expect((await documentOf()).version).toBe(before.version);
    const recalled = batchSummary.parse((await change(batchId, { notice: 'recalled' })).body);
    expect(recalled).toMatchObject({ batchName: 'Autumn', notice: 'recalled' });
    expect(await documentOf()).toEqual({ ...before, version: before.version + 1, notice: 'recalled' });
    const states = async () =>
      (await plane.pool.query('SELECT state FROM unpublished WHERE id = $1', [batchId])).rows;
    await expect.poll(states).toEqual([{ state: 'published' }]);
    expect((await change(batchId, { notice: null })).body).not.toHaveProperty('notice');
    expect(await documentOf()).toEqual({ ...before, version: before.version + 2 });
  });

  test('to anything else is rejected', async () => {
    const { batchId } = await mint(own.call);
    expect((await change(batchId, { notice: 'lost' })).status).toBe(422);
    expect((await change(batchId, { batchName: '' })).status).toBe(422);
    expect((await change(batchId, { count: 7 })).status).toBe(400);
  });
});

describe('the picture and the links of a batch', () => {
  const links = {
    brandUrl: 'https://www.example.com/',
    supportUrl: 'tel:+4930123456',
    registerUrl: 'https://www.example.com/register',
  };
  const change = (batchId: string, body: object) => own.call('PATCH', `${batchesPath}/${batchId}`, body);
  const documentOf = async (batchId: string) => {
    const { body } = await plane.internal('GET', `/internal/documents?ids=${batchId}`);
    return parseDocument(batchDocuments, z.array(z.string()).parse(body)[0]!);
  };
  const pngOf = async (width: number, height: number) =>
    dataUrlOf(await redAndBlue(width, height).png().toBuffer(), 'png');
  const small = /^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/;

  test('are given with the mint, shown with the batch, and published; the picture is a small square', async () => {
    const { batchId } = await minted(own.call, { ...links, productImage: await pngOf(600, 400) });
    const batch = await batchOf(own.call, batchId);
    expect(batch).toMatchObject({ ...links, productImage: expect.stringMatching(small) });
    const document = await documentOf(batchId);
    expect(document).toMatchObject({ ...links, productImage: batch.productImage });
    const bytes = Buffer.from(batch.productImage!.split(',')[1]!, 'base64');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 160, height: 160 });
    const list = batchList.parse((await own.call('GET', batchesPath)).body);
    expect(list.batches[0]).toMatchObject({ batchId, ...links });
    expect(list.batches[0]).not.toHaveProperty('productImage');
  });

  test('are changed after publication; redirectors learn of it, and null or an empty text unsets each', async () => {
    const { batchId } = await minted(own.call, links);
    const before = await documentOf(batchId);
    const productImage = await pngOf(40, 40);
    const changed = await change(batchId, { productImage, supportUrl: 'mailto:help@example.com' });
    expect(changed.body).toMatchObject({
      ...links,
      supportUrl: 'mailto:help@example.com',
      productImage: expect.stringMatching(small),
    });
    const after = await documentOf(batchId);
    expect(after).toEqual({
      ...before,
      version: before.version + 1,
      supportUrl: 'mailto:help@example.com',
      productImage: batchObject.parse(changed.body).productImage,
    });
    const states = async () =>
      (await plane.pool.query('SELECT state FROM unpublished WHERE id = $1', [batchId])).rows;
    await expect.poll(states).toEqual([{ state: 'published' }]);
    expect((await change(batchId, { productImage: after.productImage })).status).toBe(200);
    expect(await documentOf(batchId)).toEqual(after);
    await change(batchId, { productImage: null, brandUrl: '', supportUrl: null, registerUrl: '' });
    const { id, workspaceId, version } = after;
    expect(await documentOf(batchId)).toEqual({ id, workspaceId, version: version + 1 });
    const shown = await batchOf(own.call, batchId);
    for (const field of ['productImage', ...Object.keys(links)]) expect(shown).not.toHaveProperty(field);
  });

  test.each([
    ['brandUrl', 'javascript:alert(1)'],
    ['brandUrl', 'mailto:help@example.com'],
    ['supportUrl', 'data:text/html,<script>alert(1)</script>'],
    ['supportUrl', 'java\tscript:alert(1)'],
    ['registerUrl', 'tel:+4930123456'],
    ['productImage', 'https://example.com/lamp.png'],
    ['productImage', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['productImage', `data:image/png;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`],
  ])('are rejected by name if they are hostile: %s %s', async (field, value) => {
    const { batchId } = await mint(own.call);
    for (const answer of [
      await change(batchId, { [field]: value }),
      await own.call('POST', batchesPath, { batchName: 'x', count: 1, [field]: value }),
    ]) {
      expect(answer.status).toBe(422);
      expect(pageText.parse(answer.body).error).toMatch(new RegExp(`^${field} `));
    }
    expect(await batchOf(own.call, batchId)).not.toHaveProperty(field);
  });

  test('a picture of more than 5 MB is too large, by name, and one that cannot be read is rejected', async () => {
    const { batchId } = await mint(own.call);
    const large = dataUrlOf(Buffer.alloc(5 * 2 ** 20 + 1), 'png');
    expect(await change(batchId, { productImage: large })).toMatchObject({
      status: 413,
      body: { error: 'productImage must not be larger than 5 MB' },
    });
    const cut = dataUrlOf((await redAndBlue(400, 400).png().toBuffer()).subarray(0, 200), 'png');
    expect(await change(batchId, { productImage: cut })).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(/^productImage cannot be read: the picture is damaged/) },
    });
  });

  test('of another workspace cannot be changed', async () => {
    const { batchId } = await mint(own.call, links);
    const other = await plane.workspace();
    for (const body of [{ brandUrl: null }, { productImage: await pngOf(8, 8) }])
      expect((await other.call('PATCH', `${batchesPath}/${batchId}`, body)).status).toBe(403);
    expect(await batchOf(own.call, batchId)).toMatchObject(links);
  });
});

describe('the GTIN of a batch', () => {
  const gs1Of = async (gtin: string) => {
    const { body } = await plane.internal('GET', `/internal/documents?ids=gs1:01/${gtin}`);
    return z
      .array(z.string())
      .parse(body)
      .map((text) => parseDocument(gs1Documents, text));
  };

  test('belongs to the workspace, and its serials are verified as soon as the mint is answered', async () => {
    const other = await plane.workspace();
    const gtin = '4006381333931';
    await mint(own.call, { gtin });
    expect(await gs1Of('04006381333931')).toMatchObject([{ workspaceId: own.workspaceId, serialized: true }]);
    const refused = await other.call('POST', batchesPath, { batchName: 'x', count: 1, gtin });
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'gtin: the GS1 key 01/04006381333931 belongs to another workspace' },
    });
    expect((await other.call('GET', `${batchesPath}/consumption`)).body).toMatchObject({ minted: 0 });
  });

  test('is moved without its batches: they stay, its serials still verify, and the new owner keeps entries below it', async () => {
    const [former, latest] = [await plane.workspace(), await plane.workspace()];
    const [gtin, key] = ['00614141000036', '/01/00614141000036'];
    const { batchId } = await minted(former.call, { gtin });
    const context = { pool: plane.pool } as Parameters<Verb['run']>[1];
    await verbsOf(features)['move-gs1-key']!.run({ key, workspace: latest.workspaceId }, context);
    const path = `${key}/21/OWN`;
    const links = [{ linkType: 'gs1:pip', href: 'https://example.com/own', title: 'Own' }];
    const entry = await latest.call('POST', '/api/qr/gs1/entries', { path, itemDescription: 'Own', links });
    expect(entry).toMatchObject({ status: 201 });
    const moved = [{ workspaceId: latest.workspaceId, serialized: true, entries: [{ path }] }];
    expect(await gs1Of(gtin)).toMatchObject(moved);
    expect(await batchOf(former.call, batchId)).toMatchObject({ gtin });
    const again = await former.call('POST', batchesPath, { batchName: 'x', count: 1, gtin });
    expect(again).toMatchObject({ status: 409 });
    // Without entries it is still the new owner's: the batches keep it.
    const { entryId } = entry.body as { entryId: string };
    expect(await latest.call('DELETE', `/api/qr/gs1/entries/${entryId}`)).toMatchObject({ status: 204 });
    expect(await gs1Of(gtin)).toMatchObject([{ ...moved[0], entries: [] }]);
  });

  test('is released if the mint fails', async () => {
    const restore = await atPosition(plane.pool, 9, `RAISE EXCEPTION 'this cannot be written'`);
    const { jobId } = await mint(own.call, { gtin: '96385074', count: 9 });
    await failSoon(plane.pool, jobId);
    expect((await ended(own.call, jobId).finally(restore)).status).toBe('failed');
    expect(await gs1Of('00000096385074')).toMatchObject([{ workspaceId: '' }]);
    expect((await gs1Of('00000096385074'))[0]).not.toHaveProperty('serialized');
  });
});

test.each(['', '/items.csv'])(
  'batches%s of another workspace are refused with 403, unknown ones with 404',
  async (suffix) => {
    const foreign = await plane.workspace();
    const { jobId, batchId } = await mint(foreign.call);
    const statusOf = async (path: string) => (await own.call('GET', `${batchesPath}/${path}`)).status;
    expect([
      await statusOf(`${batchId}${suffix}`),
      await statusOf(`batch_${'x'.repeat(16)}${suffix}`),
      await statusOf(`nonsense${suffix}`),
      await statusOf(`jobs/${jobId}`),
      await statusOf(`jobs/sjob_${'x'.repeat(16)}`),
      await statusOf('jobs/nonsense'),
    ]).toEqual([403, 404, 404, 403, 404, 404]);
  },
);

describe('concurrent downloads', () => {
  test('hold no PostgreSQL connection while their clients do not read', async () => {
    const { batchId } = await minted(own.call, { count: 1_200 });
    const batch = await findBatch(plane.pool, own.workspaceId, batchId);
    const pool = createPool(plane.databaseUrl, 'test', createLogger('test', 'silent'), 1);
    afterFile(() => pool.end());
    const files = Array.from({ length: 8 }, () => itemsCsv(pool, batch, (itemId) => itemId));
    // The second piece has the first page.
    for (const file of [...files, ...files]) {
      const { value } = await file.next();
      value!();
      expect(pool.totalCount - pool.idleCount).toBe(0);
    }
    for (const file of files) await file.return(undefined);
  });

  test('leave most connections to others, however many there are and however slow PostgreSQL is', async () => {
    const owners = await Promise.all([1, 2, 3].map(() => plane.workspace()));
    const batches = await Promise.all(owners.map(({ call }) => minted(call)));
    const lock = await plane.pool.connect();
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE serialized_items IN ACCESS EXCLUSIVE MODE');
    const ended = new AbortController();
    const files = owners.flatMap(({ apiKey }, at) =>
      Array.from({ length: 6 }, () =>
        fetch(`${plane.url}${batchesPath}/${batches[at]!.batchId}/items.csv`, {
          headers: { authorization: `Bearer ${apiKey}` },
          signal: ended.signal,
        }).then((answer) => answer.text()),
      ),
    );
    const open = async () =>
      /streams_open (\d+)/.exec(String((await plane.internal('GET', '/metrics')).body))?.[1];
    await expect.poll(open).toBe('18');
    const { rows } = await plane.pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database()
       AND application_name = 'waymark-requests' AND wait_event_type = 'Lock'`,
    );
    // A quarter of eight.
    expect(rows[0]!.waiting).toBeLessThanOrEqual(2);
    expect((await own.call('GET', '/api/qr/codes?limit=1')).status).toBe(200);
    await lock.query('ROLLBACK');
    lock.release();
    ended.abort();
    await Promise.allSettled(files);
  });
});
