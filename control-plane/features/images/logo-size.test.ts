/**
 * Every call that accepts a style accepts `imageSize` from 0 to 1: if unreadable, the logo is drawn smaller, and
 * `warnings` says so.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Style } from '#schemas/api/style.ts';
import { decodeQr } from '../../../deploy/testing/decode.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import {
  type Call,
  kitBody,
  logo,
  startTestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { documentedOperations, withoutReferences } from '../../testing/documented-operations.ts';
import { resultOf } from '../bulk/testing/calls.ts';
import { generated, zipOf as generatedZip } from '../bulk/testing/generate-calls.ts';
import { begun, zipOf } from '../serialized/exports/testing/exports.ts';
import { batchOf, ended, minted } from '../serialized/testing/mints.ts';

let own: Workspace;
let call: Call;
let logoUrl: string;
let documentJson: unknown;

beforeAll(async () => {
  const plane = await startTestControlPlane({ environment: { LOGO_ALLOW_PRIVATE: 'true' } });
  own = await plane.workspace();
  ({ call } = own);
  documentJson = withoutReferences((await plane.callWith(undefined)('GET', '/openapi.json')).body);
  const server = http.createServer((_, response) => response.end(Buffer.from(logo, 'base64')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  logoUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
});

const read = async (picture: Buffer): Promise<string | undefined> =>
  decodeQr(await sharp(picture).flatten({ background: '#fff' }).png().toBuffer());

const withLogo = (imageSize: number, more: Style = {}): Style => ({
  image: logo,
  imageOptions: { imageSize },
  ...more,
});

/** The answer of a call that is not refused. */
const taken = async <Shape>(
  shape: z.ZodType<Shape>,
  method: string,
  path: string,
  body: unknown,
): Promise<Shape> => {
  const answer = await call(method, path, body);
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  return shape.parse(answer.body);
};

const warned = z.looseObject({ warnings: z.array(z.string()).optional() });
const warnedCode = warned.extend({ id: z.string(), redirectUrl: z.string() });
const warnedKit = warned.extend({ kitId: z.string() });
const bulkAnswer = z.looseObject({ bulkId: z.string() });

/** The result of a call: its warnings, and a picture with its expected content. */
interface Made {
  warnings: readonly string[] | undefined;
  picture: Buffer;
  says: string;
}

const imageOf = async (id: string): Promise<Buffer> =>
  (await call('GET', `/api/qr/codes/${id}/image`)).body as Buffer;

const madeCode = async ({ id, redirectUrl, warnings }: z.output<typeof warnedCode>): Promise<Made> => ({
  warnings,
  picture: await imageOf(id),
  says: redirectUrl,
});

const entryOf = async (bulkId: string): Promise<Made> => {
  const [entry] = await resultOf(call, bulkId);
  return madeCode(warnedCode.parse(entry));
};

/** A code with the kit. */
const madeKit = async ({ kitId, warnings }: z.output<typeof warnedKit>): Promise<Made> => {
  const { id, redirectUrl } = await own.createCode({ brandKitId: kitId });
  return { warnings, picture: await imageOf(id), says: redirectUrl };
};

const data = 'https://example.com/a';

const drawn = warned.extend({ image: z.string() });
const madeStatic = ({ image, warnings }: z.output<typeof drawn>): Made => ({
  warnings,
  picture: Buffer.from(image.replace(/^data:[^,]*,/, ''), 'base64'),
  says: data,
});

/** Every operation in the OpenAPI document that has the size of a logo, and its result with one. */
const calls: Record<string, (imageSize: number) => Promise<Made>> = {
  'POST /api/qr/static': async (imageSize) =>
    madeStatic(await taken(drawn, 'POST', '/api/qr/static', { data, ...withLogo(imageSize) })),
  'POST /api/qr/generate': async (imageSize) =>
    madeStatic(
      await taken(drawn, 'POST', '/api/qr/generate', { type: 'static', data, ...withLogo(imageSize) }),
    ),
  'POST /api/qr/public/generate': async (imageSize) =>
    madeStatic(await taken(drawn, 'POST', '/api/qr/public/generate', { data, ...withLogo(imageSize) })),
  async 'POST /api/qr/bulk-generate'(imageSize) {
    const rows = [{ uid: 'a', dataType: 'url', data, ...withLogo(imageSize) }];
    const { files, manifest } = await generatedZip(call, await generated(call, rows));
    return { warnings: manifest[0]?.warnings, picture: [...files.values()][0]!, says: data };
  },
  'POST /api/qr/codes': async (imageSize) =>
    madeCode(
      await taken(warnedCode, 'POST', '/api/qr/codes', { data, ...withLogo(imageSize, { preset: 'menu' }) }),
    ),
  async 'PUT /api/qr/codes/{id}'(imageSize) {
    const { id } = await own.createCode(withLogo(0.1));
    return madeCode(await taken(warnedCode, 'PUT', `/api/qr/codes/${id}`, withLogo(imageSize)));
  },
  async 'PATCH /api/qr/codes/{id}'(imageSize) {
    const { id } = await own.createCode(withLogo(0.1));
    const body = { style: { imageOptions: { imageSize } } };
    return madeCode(await taken(warnedCode, 'PATCH', `/api/qr/codes/${id}`, body));
  },
  'PUT /api/qr/codes/upsert': async (imageSize) =>
    madeCode(
      await taken(warnedCode, 'PUT', '/api/qr/codes/upsert', {
        externalId: `logo ${imageSize}`,
        data,
        ...withLogo(imageSize),
      }),
    ),
  async 'POST /api/qr/codes/bulk'(imageSize) {
    const rows = [{ uid: 'a', data, ...withLogo(imageSize) }];
    return entryOf((await taken(bulkAnswer, 'POST', '/api/qr/codes/bulk', rows)).bulkId);
  },
  async 'POST /api/qr/codes/bulk/replace'(imageSize) {
    const { id } = await own.createCode();
    const rows = [{ id, ...withLogo(imageSize) }];
    return entryOf((await taken(bulkAnswer, 'POST', '/api/qr/codes/bulk/replace', rows)).bulkId);
  },
  'POST /api/qr/brand-kits': async (logoSize) =>
    madeKit(await taken(warnedKit, 'POST', '/api/qr/brand-kits', { ...kitBody, logoUrl, logoSize })),
  async 'PATCH /api/qr/brand-kits/{kitId}'(logoSize) {
    const body = { ...kitBody, logoUrl, logoSize: 0.1 };
    const { kitId } = await taken(warnedKit, 'POST', '/api/qr/brand-kits', body);
    return madeKit(await taken(warnedKit, 'PATCH', `/api/qr/brand-kits/${kitId}`, { logoSize }));
  },
  async 'POST /api/qr/serialized-batches/{batchId}/images'(imageSize) {
    const { batchId } = await minted(call, { count: 1 });
    const { jobId, warnings } = await begun(call, batchId, { format: 'png', ...withLogo(imageSize) });
    await ended(call, jobId);
    const [item] = (await batchOf(call, batchId)).items;
    const [picture] = (await zipOf(call, { batchId, jobId })).values();
    return { warnings: warnings && [...warnings], picture: picture!, says: item!.url };
  },
};

test('every operation that accepts the size of a logo is tested', () => {
  const shape = z.looseObject({ requestBody: z.unknown().optional() });
  const taking = documentedOperations(documentJson, shape)
    .filter(({ operation }) => /"(imageSize|logoSize)"/.test(JSON.stringify(operation.requestBody ?? null)))
    .map(({ method, template }) => `${method} ${template}`);
  expect(taking.sort()).toEqual(Object.keys(calls).sort());
});

describe.each(Object.keys(calls))('%s accepts', (name) => {
  test.each([0, 0.2])('the size %d as it is, without a warning', async (size) => {
    const { warnings, picture, says } = await calls[name]!(size);
    expect([warnings, await read(picture)]).toEqual([undefined, says]);
  });

  test.each([0.7, 1])(
    'the size %d, draws the logo at the largest readable size, and says so',
    async (size) => {
      const { warnings, picture, says } = await calls[name]!(size);
      const field = name.includes('brand-kits') ? 'logoSize' : 'imageOptions.imageSize';
      expect(warnings).toEqual([
        expect.stringMatching(
          new RegExp(`^${field} ${size} hides too much of (this code|some codes): .* 0\\.[2-5]\\d?$`),
        ),
      ]);
      expect(await read(picture)).toBe(says);
    },
  );
});
