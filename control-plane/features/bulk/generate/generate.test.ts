/** /api/qr/bulk-generate: rows in, a zip out. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeQr, readSymbol } from '../../../../deploy/testing/decode.ts';
import { afterFile, temporaryFolder } from '../../../../deploy/testing/local.ts';
import {
  errorBody,
  logo,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import {
  completed,
  fetchZip,
  generate,
  generated,
  progressOf,
  textRow,
  textRows,
  unzip,
  zipOf,
} from '../testing/generate-calls.ts';

let plane: TestControlPlane;
let workspace: Workspace;
let folder: string;
let logoUrl: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  plane = await startTestControlPlane({
    environment: {
      STORAGE_URL: pathToFileURL(folder).href,
      LOGO_ALLOW_PRIVATE: 'true',
    },
  });
  workspace = await plane.workspace();
  const server = http.createServer((request, response) => {
    response.writeHead(request.url === '/logo.png' ? 200 : 404).end(Buffer.from(logo, 'base64'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  logoUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
});

const hasUnzip = spawnSync('unzip', ['-v']).status === 0;

const decode = async (picture: Buffer): Promise<string | undefined> =>
  decodeQr(await sharp(picture).flatten({ background: '#ffffff' }).png().toBuffer());

const storedFiles = (bulkId: string): string[] => {
  const own = path.join(folder, 'bulk', bulkId);
  return fs.existsSync(own) ? fs.readdirSync(own, { recursive: true }).map(String) : [];
};

const runJob = async (task: string): Promise<void> => {
  const { rows } = await plane.pool.query<{ id: string }>(`SELECT (graphile_worker.add_job($1, '{}')).id`, [
    task,
  ]);
  const waits = async () =>
    (await plane.pool.query('SELECT FROM graphile_worker._private_jobs WHERE id = $1', [rows[0]!.id]))
      .rowCount;
  await expect.poll(waits, { timeout: 60_000, interval: 25 }).toBe(0);
};

describe('rows become a zip', () => {
  const gs1 = { gtin: '09506000134352', batch: 'A1', format: 'element-string' };
  const rows = [
    { uid: 'plain', data: 'https://example.com/1' },
    { uid: 'a/b:c', dataType: 'text', data: 'separators', returnType: 'svg', width: 300 },
    { uid: 'A', dataType: 'text', data: 'upper', returnType: 'webp', preset: 'ocean' },
    { uid: 'a', dataType: 'text', data: 'lower', returnType: 'webp', image: logo },
    {
      uid: '=2+2',
      dataType: 'text',
      data: 'formula',
      returnType: 'jpg',
      frame: { id: 'banner', text: 'SCAN' },
    },
    { uid: 'refused', data: 'javascript:alert(1)' },
    {
      uid: 'orange',
      dataType: 'text',
      data: 'orange',
      returnType: 'jpeg',
      dotsOptions: { color: '#f97316' },
    },
    { uid: 'wifi', dataType: 'wifi', data: { ssid: 'Guests', password: 'hunter2', encryption: 'WPA' } },
    { uid: 'gs1', dataType: 'gs1', data: gs1 },
    { uid: 'gs1 text', dataType: 'gs1', data: '(01)09506000134352(3103)000195' },
    { uid: 'gs1 fault', dataType: 'gs1', data: '(01)09506000134353' },
    { uid: 'unreadable', dataType: 'text', data: 'x', dotsOptions: { color: '#ffff99' } },
    { uid: 'dynamic only', dataType: 'text', data: 'x', maxScans: 3 },
    { uid: 'typo', dataType: 'text', data: 'x', colour: 'red' },
  ];
  let bulkId: string;

  beforeAll(async () => {
    bulkId = await generated(workspace.call, rows);
  });

  test('each with one picture, named after its uid made safe, with the row’s content', async () => {
    const { files } = await zipOf(workspace.call, bulkId);
    const texts: Record<string, string | undefined> = {};
    for (const [name, picture] of files) texts[name] = await decode(picture);
    expect(texts).toEqual({
      'plain.png': 'https://example.com/1',
      'a_b_c.svg': 'separators',
      'A.webp': 'upper',
      'a-2.webp': 'lower',
      '=2+2.jpg': 'formula',
      'orange.jpg': 'orange',
      'wifi.png': 'WIFI:T:WPA;S:Guests;P:hunter2;;',
      'gs1.png': expect.stringContaining('09506000134352'),
      'gs1 text.png': expect.stringContaining('000195'),
    });
    expect(await readSymbol(files.get('gs1 text.png')!)).toMatchObject({
      isGs1: true,
      bytes: Buffer.from('01095060001343523103000195'),
    });
    const formats = await Promise.all(
      [...files.values()].map(async (file) => (await sharp(file).metadata()).format),
    );
    expect(formats).toEqual(['png', 'svg', 'webp', 'webp', 'jpeg', 'jpeg', 'png', 'png', 'png']);
  });

  test('results.json has an entry for each row in the order of the call, with failures and warnings', async () => {
    const { manifest } = await zipOf(workspace.call, bulkId);
    expect(manifest.map(({ uid, status, file }) => [uid, status, file])).toEqual([
      ['plain', 'created', 'plain.png'],
      ['a/b:c', 'created', 'a_b_c.svg'],
      ['A', 'created', 'A.webp'],
      ['a', 'created', 'a-2.webp'],
      ['=2+2', 'created', '=2+2.jpg'],
      ['refused', 'failed', undefined],
      ['orange', 'created', 'orange.jpg'],
      ['wifi', 'created', 'wifi.png'],
      ['gs1', 'created', 'gs1.png'],
      ['gs1 text', 'created', 'gs1 text.png'],
      ['gs1 fault', 'failed', undefined],
      ['unreadable', 'failed', undefined],
      ['dynamic only', 'failed', undefined],
      ['typo', 'failed', undefined],
    ]);
    expect(
      manifest.flatMap(({ code, message }) => (message === undefined ? [] : `${code}: ${message}`)),
    ).toEqual([
      expect.stringMatching(/^UNPROCESSABLE: data must/),
      expect.stringMatching(/^UNPROCESSABLE: data must be a GS1 .* AI \(01\): The numeric check digit/),
      expect.stringMatching(/^UNPROCESSABLE: dotsOptions.color #ffff99/),
      expect.stringMatching(/^INVALID_REQUEST: maxScans must not be given/),
      expect.stringMatching(/^INVALID_REQUEST: colour is not a known field/),
    ]);
    expect(manifest.find(({ uid }) => uid === 'orange')!.warnings).toEqual([
      expect.stringContaining('has a contrast of 2.8 to 1'),
    ]);
  });

  test('progress counts pictures and failures; only the zip is stored', async () => {
    expect(await completed(workspace.call, bulkId)).toMatchObject({
      kind: 'generate',
      total: 14,
      processed: 14,
      succeeded: 9,
      failed: 5,
    });
    expect(storedFiles(bulkId)).toEqual(['pictures.zip']);
    expect((await workspace.call('GET', '/api/qr/codes')).body).toMatchObject({ pagination: { total: 0 } });
    const { rows: kept } = await plane.pool.query('SELECT body, result FROM bulk_rows WHERE bulk_id = $1', [
      bulkId,
    ]);
    expect(JSON.stringify(kept)).not.toContain('hunter2');
    expect(kept.filter(({ body }) => body !== null)).toEqual([]);
  });

  test.skipIf(!hasUnzip)('unzip finds no fault in the zip', async () => {
    const file = path.join(await temporaryFolder(), 'codes.zip');
    fs.writeFileSync(file, (await fetchZip(workspace.call, bulkId)).body as Buffer);
    expect(execFileSync('unzip', ['-t', file], { encoding: 'utf8' })).toContain('No errors detected');
  });

  test('the zip can be fetched again and in part, and is not sent to a client that has it', async () => {
    const { headers, body } = await fetchZip(workspace.call, bulkId);
    const whole = body as Buffer;
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${bulkId}.zip"`,
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    const etag = headers.get('etag')!;
    const half = Math.floor(whole.length / 2);
    const rest = await fetchZip(workspace.call, bulkId, { range: `bytes=${half}-`, 'if-range': etag });
    expect(rest.status).toBe(206);
    expect(rest.headers.get('content-range')).toBe(`bytes ${half}-${whole.length - 1}/${whole.length}`);
    expect((await unzip(Buffer.concat([whole.subarray(0, half), rest.body as Buffer]))).files.size).toBe(9);
    const statusFor = async (name: string, value: string) =>
      (await fetchZip(workspace.call, bulkId, { [name]: value })).status;
    expect(await statusFor('if-none-match', etag)).toBe(304);
    expect(await statusFor('if-match', '"other"')).toBe(412);
    expect(await statusFor('range', `bytes=${whole.length}-`)).toBe(416);
  });

  test('another workspace gets 403, an unknown id 404, and these paths show no other kind of operation', async () => {
    const other = await plane.workspace();
    expect((await fetchZip(other.call, bulkId)).status).toBe(403);
    expect((await fetchZip(workspace.call, 'blk_1111111111111111')).status).toBe(404);
    for (const path of [`/api/qr/codes/bulk/${bulkId}`, `/api/qr/codes/bulk/${bulkId}/result`]) {
      const { status, body } = await workspace.call('GET', path);
      expect([status, body]).toMatchObject([
        404,
        {
          error: `${bulkId} is a bulk operation of the kind generate: it is read at /api/qr/bulk-generate/${bulkId}`,
          code: 'NOT_FOUND',
        },
      ]);
    }
  });
});

describe('a whole call is refused with 400, and nothing is stored', () => {
  test.each<[string, unknown, string]>([
    ['an object', { rows: [] }, 'The body must be an array of rows'],
    ['an empty array', [], 'The body must have at least 1 row'],
    ['a row that is null', [textRow(1), null], 'rows[1] must be an object'],
    ['a missing uid', [textRow(1), { data: 'x' }], 'rows[1].uid is required'],
    ['a uid twice', [textRow(1), textRow(1)], 'rows[1].uid must be unique in the call'],
    ['an unknown preset', [{ ...textRow(1), preset: 'pretty' }], 'rows[0].preset must be one of'],
    ['a foreign brand kit', [{ ...textRow(1), brandKitId: 'bk_1' }], 'rows[0].brandKitId'],
    [
      'too many pixels',
      Array.from({ length: 65 }, (_, n) => ({ ...textRow(n), returnType: 'png', width: 4096 })),
      'The pictures of all rows must have at most 1073741824 pixels together',
    ],
  ])('%s', async (_what, rows, message) => {
    const answer = await generate(workspace.call, rows);
    expect(answer.status).toBe(400);
    expect(errorBody.parse(answer.body).error).toContain(message);
  });

  test('a call counts against bulkOrders, and not against dynamicQr', async () => {
    const poor = await plane.workspace({ limits: { requestsPerSecond: 1000, bulkOrders: 1, dynamicQr: 0 } });
    await zipOf(poor.call, await generated(poor.call, textRows(2)));
    const answer = await generate(poor.call, textRows(2));
    expect([answer.status, answer.headers.get('x-service-error-code')]).toEqual([429, 'PLAN_LIMIT_REACHED']);
  });
});

test('there is no zip before the operation completes or if it failed; the last step is safe to repeat', async () => {
  const bulkId = await generated(workspace.call, textRows(3));
  await completed(workspace.call, bulkId);
  const before = (await fetchZip(workspace.call, bulkId)).body as Buffer;
  const setStatus = (status: string) =>
    plane.pool.query(
      `UPDATE jobs SET status = $2, completed_at = CASE WHEN $2 = 'failed' THEN now() END, updated_at = now() WHERE id = $1`,
      [bulkId, status],
    );
  // The last step enqueues one more job, which would repeat it.
  const jobs = async () =>
    (await plane.pool.query("SELECT FROM graphile_worker._private_jobs WHERE key LIKE 'bulk:%'")).rowCount;
  await expect.poll(jobs, { timeout: 60_000 }).toBe(0);

  await setStatus('failed');
  const failed = await fetchZip(workspace.call, bulkId);
  expect([failed.status, failed.body]).toMatchObject([
    409,
    { error: expect.stringContaining('its zip could not be made; submit the rows again') },
  ]);
  await setStatus('processing');
  const early = await fetchZip(workspace.call, bulkId);
  expect([early.status, early.headers.get('retry-after'), early.body]).toMatchObject([
    409,
    '1',
    { error: expect.stringContaining('is not completed: 3 of 3 pictures are done') },
  ]);
  // The workspace's next operation resumes this one, too.
  await completed(workspace.call, await generated(workspace.call, textRows(1)));
  await completed(workspace.call, bulkId);
  expect(((await fetchZip(workspace.call, bulkId)).body as Buffer).equals(before)).toBe(true);
});

test('a zip is kept for a day, then removed with its rows; its id still differs from an unknown one', async () => {
  const [old, recent] = [
    await generated(workspace.call, textRows(2)),
    await generated(workspace.call, textRows(2)),
  ];
  for (const id of [old, recent]) await completed(workspace.call, id);
  const age = (id: string, hours: number) =>
    plane.pool.query('UPDATE jobs SET completed_at = now() - make_interval(hours => $2) WHERE id = $1', [
      id,
      hours,
    ]);
  await age(old, 25);
  await age(recent, 23);
  await runJob('sweep-bulk');
  expect([storedFiles(old), storedFiles(recent)]).toEqual([[], ['pictures.zip']]);
  const gone = await fetchZip(workspace.call, old);
  expect([gone.status, errorBody.parse(gone.body).error]).toEqual([
    404,
    expect.stringContaining('was kept for a day'),
  ]);
  expect(await progressOf(workspace.call, old)).toMatchObject({ status: 'completed', succeeded: 2 });
  expect((await fetchZip(workspace.call, recent)).status).toBe(200);
});

test('a zip that the storage has lost is reported as gone', async () => {
  const bulkId = await generated(workspace.call, textRows(1));
  await zipOf(workspace.call, bulkId);
  fs.rmSync(path.join(folder, 'bulk', bulkId), { recursive: true });
  const answer = await fetchZip(workspace.call, bulkId);
  expect([answer.status, errorBody.parse(answer.body).error]).toEqual([
    404,
    `The zip of ${bulkId} is not in the storage any more; submit the rows again`,
  ]);
});

test('a workspace keeps as many zips as its plan allows; refusals say how much is kept, and until when', async () => {
  const free = await plane.workspace({ plan: 'free' });
  const first = await generated(free.call, textRows(1));
  await completed(free.call, first);
  const keptBytes = async () =>
    Number(
      (await plane.pool.query('SELECT kept_bytes FROM bulk_operations WHERE id = $1', [first])).rows[0]
        .kept_bytes,
    );
  const zipBytes = fs.statSync(path.join(folder, 'bulk', first, 'pictures.zip')).size;
  expect(await keptBytes()).toBeGreaterThanOrEqual(zipBytes);
  const setKept = (bytes: number) =>
    plane.pool.query('UPDATE bulk_operations SET kept_bytes = $2 WHERE id = $1', [first, bytes]);

  await setKept(2 ** 30 - 30_000);
  const { manifest } = await zipOf(free.call, await generated(free.call, textRows(20)));
  const messages = manifest.map(({ status, message }) => message ?? status);
  expect([messages[0], messages.at(-1)]).toEqual([
    'created',
    expect.stringMatching(
      /^The plan allows 1024 MB of zips to be kept at a time, and 1024 MB are kept: the first of them is removed in the night after \d{4}-/,
    ),
  ]);
  await setKept(2 ** 30);
  const answer = await generate(free.call, textRows(1));
  expect([answer.status, answer.headers.get('x-service-error-code'), answer.body]).toMatchObject([
    429,
    'PLAN_LIMIT_REACHED',
    { error: expect.stringContaining('MB are kept: the first of them is removed in the night after') },
  ]);

  await plane.pool.query(`UPDATE jobs SET completed_at = now() - interval '25 hours' WHERE id = $1`, [first]);
  await runJob('sweep-bulk');
  expect(await keptBytes()).toBe(0);
  await completed(free.call, await generated(free.call, textRows(1)));
});

test('files without an operation are removed when they are a day old', async () => {
  const needed = await generated(workspace.call, textRows(1));
  await completed(workspace.call, needed);
  const stray = path.join(folder, 'bulk', 'blk_stray', 'parts');
  const young = path.join(folder, 'bulk', 'blk_young');
  for (const one of [stray, young]) {
    fs.mkdirSync(one, { recursive: true });
    fs.writeFileSync(path.join(one, 'part'), 'x');
  }
  const yesterday = Date.now() / 1000 - 90_000;
  fs.utimesSync(path.join(stray, 'part'), yesterday, yesterday);
  fs.utimesSync(path.join(folder, 'bulk', needed, 'pictures.zip'), yesterday, yesterday);
  await runJob('remove-bulk-leftovers');
  expect([storedFiles('blk_stray'), storedFiles('blk_young'), storedFiles(needed)]).toEqual([
    [],
    ['part'],
    ['pictures.zip'],
  ]);
});

test('a logo is a URL or at most 200,000 characters; a fault in it fails only its row', async () => {
  const image = (n: number, given: string) => ({ ...textRow(n), returnType: 'png', image: given });
  const { files, manifest } = await zipOf(
    workspace.call,
    await generated(workspace.call, [
      image(1, logoUrl),
      image(2, logoUrl.replace('logo.png', 'none.png')),
      image(3, 'A'.repeat(200_001)),
      textRow(4),
    ]),
  );
  expect(manifest.map(({ status, message }) => message ?? status)).toEqual([
    'created',
    expect.stringMatching(/^image could not be fetched: its server answered 404/),
    expect.stringMatching(/^image must have at most 200000 characters in a row/),
    'created',
  ]);
  const withLogo = await sharp(files.get('row 1.png')!).raw().toBuffer();
  // The logo is blue; the code is black on white.
  expect(new Set(withLogo).size).toBeGreaterThan(2);
  expect(await decode(files.get('row 1.png')!)).toBe('TEXT-1');
});

test('the pictures of a large call do not hold up a single picture of another workspace', async () => {
  const other = await plane.workspace();
  const rows = textRows(80).map((row) => ({ ...row, returnType: 'png', width: 700, preset: 'sunset' }));
  const bulkId = await generated(workspace.call, rows);
  const processed = async () => (await progressOf(workspace.call, bulkId)).processed;
  await expect.poll(processed, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0);
  const single = await other.call('POST', '/api/qr/static', { data: 'https://example.com/', width: 700 });
  expect(single.status).toBe(200);
  expect(await processed()).toBeLessThan(80);
  expect((await zipOf(workspace.call, bulkId)).files.size).toBe(80);
});
