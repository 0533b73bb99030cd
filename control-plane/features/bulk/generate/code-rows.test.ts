/** Rows of bulk-generate that name stored codes. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import { decodeQr } from '../../../../deploy/testing/decode.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { errorBody, logo, startTestControlPlane, type Workspace } from '../../../testing/control-plane.ts';
import { findPicturedCodes } from '../../images/store.ts';
import { plainRows, resultOf, submitted } from '../testing/calls.ts';
import { completed, generate, generated, zipOf } from '../testing/generate-calls.ts';

type Plane = Awaited<ReturnType<typeof startTestControlPlane>>;

let plane: Plane;
let own: Workspace;
let foreign: CodeObject;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  foreign = await (await plane.workspace()).createCode();
});

const imageOf = async (id: string, query = ''): Promise<Buffer> => {
  const answer = await own.call('GET', `/api/qr/codes/${id}/image?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Buffer;
};

const decode = async (picture: Buffer): Promise<string | undefined> =>
  decodeQr(await sharp(picture).flatten({ background: '#ffffff' }).png().toBuffer());

test('the ids of a bulk result give a zip of its codes', async () => {
  const result = await resultOf(own.call, await submitted(own.call, plainRows(12)));
  const rows = result.map(({ uid, id }) => ({ uid, id }));
  const { files, manifest } = await zipOf(own.call, await generated(own.call, rows));
  expect(manifest).toEqual(rows.map(({ uid }) => ({ uid, status: 'created', file: `${uid}.png` })));
  const texts = await Promise.all([...files.values()].map(decode));
  expect(texts).toEqual(result.map(({ redirectUrl }) => redirectUrl));
});

describe('a row with an id gives the picture of that code in its saved style, as its own path does', () => {
  const look = { dotsOptions: { type: 'dots', color: '#0c4a6e' }, frame: { id: 'banner', text: 'MENU' } };

  test('to the byte, in every format and size, also next to rows of static codes', async () => {
    const kit = await own.call('POST', '/api/qr/brand-kits', {
      name: 'House',
      primaryColor: '#7f1d1d',
      backgroundColor: '#ffffff',
    });
    const { kitId } = kit.body as { kitId: string };
    const styled = await own.createCode({ ...look, image: logo, sources: [{ id: 'door', name: 'Door' }] });
    const branded = await own.createCode({ brandKitId: kitId, width: 300, height: 400, returnType: 'svg' });
    const asked: [string, object, string, string][] = [
      ['plain', {}, styled.id, ''],
      ['jpeg', { returnType: 'jpeg' }, styled.id, 'format=jpg'],
      ['vector', { returnType: 'svg', width: 300, height: 300 }, styled.id, 'format=svg&size=300'],
      ['print', { returnType: 'pdf' }, styled.id, 'format=pdf'],
      ['door', { source: 'door', returnType: 'webp' }, styled.id, 'format=webp&source=door'],
      ['branded', {}, branded.id, ''],
      ['by the names of a query', { format: 'svg', size: 700 }, branded.id, 'format=svg&size=700'],
    ];
    const { files, manifest } = await zipOf(
      own.call,
      await generated(own.call, [
        ...asked.map(([uid, fields, id]) => ({ uid, id, ...fields })),
        { uid: 'static', dataType: 'text', data: 'STATIC' },
      ]),
    );
    expect(manifest.map(({ file, message }) => message ?? file)).toEqual([
      'plain.png',
      'jpeg.jpg',
      'vector.svg',
      'print.pdf',
      'door.webp',
      'branded.png',
      'by the names of a query.svg',
      'static.png',
    ]);
    for (const [at, [uid, , id, query]] of asked.entries())
      expect(files.get(manifest[at]!.file!)!.equals(await imageOf(id, query)), uid).toBe(true);
    expect(await decode(files.get('door.webp')!)).toBe(`${styled.redirectUrl}?s=door`);
    expect(await decode(files.get('static.png')!)).toBe('STATIC');
    expect(await sharp(files.get('branded.png')!).metadata()).toMatchObject({ width: 300, height: 400 });
  });

  test('with its own width in place of the saved size, and with a warning if it is too small to be read', async () => {
    const code = await own.createCode({
      ...look,
      width: 600,
      height: 900,
      sources: [{ id: 'x'.repeat(64), name: 'X' }],
    });
    const { files, manifest } = await zipOf(
      own.call,
      await generated(own.call, [
        { uid: 'wide', id: code.id, width: 480, height: 320 },
        { uid: 'small', id: code.id, size: 64, source: 'x'.repeat(64) },
      ]),
    );
    expect(await sharp(files.get('wide.png')!).metadata()).toMatchObject({ width: 480, height: 320 });
    expect(await decode(files.get('wide.png')!)).toBe(code.redirectUrl);
    expect(manifest.map(({ warnings }) => warnings)).toEqual([
      undefined,
      [expect.stringMatching(/^It is too small to be read; it would be read from \d+ by \d+ pixels on$/)],
    ]);
  });
});

test('a row whose code is unknown or another workspace’s fails alone, as the code’s own path does', async () => {
  const code = await own.createCode();
  const refusalOf = async (id: string): Promise<string> => {
    const answer = await own.call('GET', `/api/qr/codes/${id}/image`);
    const { error, code } = errorBody.parse(answer.body);
    return `${code}: ${error}`;
  };
  const rows = [
    { uid: 'foreign', id: foreign.id },
    { uid: 'unknown', id: '111111111' },
    { uid: 'no id', id: 'x' },
    { uid: 'number', id: 7 },
    { uid: 'source', id: code.id, source: 'door' },
    { uid: 'two names', id: code.id, format: 'svg', returnType: 'png' },
    { uid: 'two sizes', id: code.id, size: 300, width: 300 },
    { uid: 'styled', id: code.id, dotsOptions: { color: '#000000' } },
    { uid: 'static', data: code.redirectUrl },
    { uid: 'good', id: code.id },
  ];
  const { files, manifest } = await zipOf(own.call, await generated(own.call, rows));
  expect(manifest.map(({ code, message }) => code && `${code}: ${message}`)).toEqual([
    await refusalOf(foreign.id),
    await refusalOf('111111111'),
    await refusalOf('x'),
    'INVALID_REQUEST: id must be a string; given: 7',
    "INVALID_REQUEST: source must be one of none: the code has no sources; given: 'door'",
    expect.stringMatching(/^UNPROCESSABLE: format must not be given with returnType/),
    expect.stringMatching(/^UNPROCESSABLE: size must not be given with width/),
    expect.stringMatching(/^INVALID_REQUEST: dotsOptions is not a known field; accepted are id, returnType/),
    expect.stringMatching(
      /^UNPROCESSABLE: data must not be one of the codes at .*\/r\/ itself; the row \{"uid": …, "id": …\} draws/,
    ),
    undefined,
  ]);
  expect(manifest.slice(0, 2).map(({ code }) => code)).toEqual(['FORBIDDEN', 'NOT_FOUND']);
  expect([...files.keys()]).toEqual(['good.png']);
});

test('the saved sizes of codes count against the pixels of a call', async () => {
  const code = await own.createCode({ width: 128 });
  const rows = Array.from({ length: 65 }, (_, n) => ({ uid: `${n}`, id: code.id }));
  const again = () =>
    own.call('POST', '/api/qr/bulk-generate', rows, {
      'waymark-idempotency-key': 'labels',
    });
  const first = await again();
  await completed(own.call, (first.body as { bulkId: string }).bulkId);
  expect((await own.call('PUT', `/api/qr/codes/${code.id}`, { width: 4096 })).status).toBe(200);
  // The same call is answered, and not counted again.
  expect(await again()).toMatchObject({ status: 202, body: first.body });
  const answer = await generate(own.call, rows);
  expect([answer.status, errorBody.parse(answer.body).error]).toEqual([
    400,
    expect.stringContaining('must have at most 1073741824 pixels together'),
  ]);
});

test('the codes of a slice are read by one statement', async () => {
  const code = await own.createCode();
  let statements = 0;
  const counting = {
    query: (...query: Parameters<Queryable['query']>) => {
      statements++;
      return plane.pool.query(...query);
    },
  } as Queryable;
  const find = await findPicturedCodes(counting, own.workspaceId, [code.id, foreign.id, '111111111', 'x\0']);
  expect([code.id, foreign.id, '111111111', 'x\0'].map(find)).toMatchObject([
    { id: code.id, workspaceId: own.workspaceId },
    { code: 'FORBIDDEN' },
    { code: 'NOT_FOUND' },
    { code: 'NOT_FOUND' },
  ]);
  expect(statements).toBe(1);
});
