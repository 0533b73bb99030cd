/** Many codes at once, against real services. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import type { CodeObject, WholeCodeObject } from '#schemas/api/codes.ts';
import type { Style } from '#schemas/api/style.ts';
import { parseRecord, recordKey } from '#schemas/code-record.ts';
import type { Event } from '#schemas/events.ts';
import { ClientError } from '#shared/errors.ts';
import { createCodeIds } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { type LinkedCode, redirectUrl } from '#shared/redirect-url.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl } from '../../../../deploy/testing/index.ts';
import { validateBody } from '../../../api/http/validation.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { createBackground } from '../../../jobs/background.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createSafeFetch } from '../../../platform/outgoing/safe-fetch.ts';
import { createPublishNow } from '../../../publishing/publish-now.ts';
import { createPublisher } from '../../../publishing/publisher.ts';
import { createRenderer, type Renderer, type RenderRequest } from '../../../rendering/index.ts';
import { readsNeeded, refusalsNeeded } from '../../../rendering/proof/tally.ts';
import {
  kitBody,
  logo,
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import type { BrandKit } from '../../brand-kits/brand-kit.ts';
import { type BrandKits, createBrandKits } from '../../brand-kits/kits.ts';
import { createRowLogos } from '../../logos/row-logos.ts';
import { createPictures } from '../../pictures/pictures.ts';
import { createAliasClaims } from '../aliases/claim.ts';
import type { PreparedCode } from '../prepare-code.ts';
import { createPasswords } from '../protection/passwords.ts';
import { createSeal } from '../protection/seal.ts';
import { createCodeKind, createCodePublishing } from '../publishing.ts';
import type { Code } from '../store/code.ts';
import { type ChangeBatchOptions, createChangeBatch } from './change-batch.ts';
import { type CodeBatch, type CodeBatchOptions, createCodeBatch } from './code-batch.ts';
import type { RowOutcome } from './rows.ts';

let plane: TestControlPlane;
let own: Workspace;
let options: CodeBatchOptions & Pick<ChangeBatchOptions, 'publishing'>;
let batch: CodeBatch;
let kits: BrandKits;
/** Records its drawings in {@link drawn}. */
let counting: Renderer;
/** The symbols drawn, by their text. */
let drawn: RenderRequest[] = [];
let emitted: (readonly Event[])[] = [];
const redis = new Redis(redisUrl());
afterFile(() => redis.disconnect());

const openPublishing = async () => {
  const logger = createLogger('test', 'silent');
  const connection = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 5_000 }, logger);
  afterFile(() => connection.disconnect());
  await untilReady(connection);
  const kind = createCodeKind(plane.pool);
  const publishNow = createPublishNow({
    pool: plane.pool,
    kinds: { all: [kind] },
    publisher: createPublisher(connection),
    connection: { number: 1 },
    background: createBackground(logger),
    logger,
  });
  return createCodePublishing(publishNow, kind);
};

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  const renderer = createRenderer({ threads: 1, waitMsMax: 60_000 });
  afterFile(() => renderer.close());
  const fetch = createSafeFetch();
  afterFile(() => fetch.close());
  kits = createBrandKits(plane.pool, fetch);
  const bodies = createCodeBodies(qrHost);
  counting = {
    ...renderer,
    render(request, tenant) {
      drawn.push(request);
      return renderer.render(request, tenant);
    },
  };
  // An id with many digits makes a smaller symbol here: the URL is at the edge between two sizes.
  const urlOf = (code: LinkedCode) =>
    `${redirectUrl(qrHost, code)}${/^\d{9}$/.test(code.id) ? '' : 'x'.repeat(9)}`;
  options = {
    pool: plane.pool,
    ids: createCodeIds(Buffer.alloc(32, 1)),
    passwords: createPasswords(),
    seal: createSeal(),
    kits,
    labels: { tagIds: async () => '{}', requireFolder: async () => undefined },
    check: (body) => validateBody(bodies.row, body),
    screening: { requireAllowed: async () => undefined, isIdle: async () => true },
    kinds: createPictures({ renderer: counting, kits, urlOf }).kinds,
    logos: createRowLogos(fetch),
    outbox: createOutbox([
      {
        types: ['qr.created'],
        async accept(_, events) {
          emitted.push(events);
        },
      },
    ]),
    publishing: await openPublishing(),
    claims: createAliasClaims(new URL(qrHost).hostname),
    documentPublishing: { publish: async () => {} },
    sharedHost: 'qr.example.com',
    linkBaseOf: async () => null,
  };
  batch = createCodeBatch(options);
});
beforeEach(() => {
  drawn = [];
  emitted = [];
});

const data = 'https://example.com/';
const isCode = (row: RowOutcome<PreparedCode>): row is { value: PreparedCode } => 'value' in row;

const storeEach = async (rows: readonly RowOutcome<PreparedCode>[], createdBy: string | null = null) => {
  const work: (() => Promise<void>)[] = [];
  const codes = await inTransaction(plane.pool, (tx) =>
    batch.effect(
      tx,
      createdBy,
      rows.filter(isCode).map(({ value }) => value),
      (later) => work.push(later),
    ),
  );
  for (const each of work) await each();
  return codes;
};

const store = async (rows: readonly RowOutcome<PreparedCode>[]): Promise<Code[]> =>
  (await storeEach(rows)).flatMap((code) => {
    if (code instanceof ClientError) throw code;
    return code;
  });

const get = async (id: string) => (await own.call('GET', `/api/qr/codes/${id}`)).body as WholeCodeObject;

describe('the codes of a batch', () => {
  test('are the same as single creates make of the same bodies, and each emits qr.created once', async () => {
    const kit = (await own.call('POST', '/api/qr/brand-kits', kitBody)).body as { kitId: string };
    const bodies: Record<string, unknown>[] = [
      { data },
      { data, name: 'With a password', secure: ['password'], password: 'open sesame' },
      { data: { ssid: 'Gäste', password: 'a;b', encryption: 'WPA' }, dataType: 'wifi' },
      { data, expiresAt: '2099-01-01T00:00:00.000Z', maxScans: 7, sources: [{ id: 'a', name: 'A "b" \\c' }] },
      { data, routingRules: [{ id: 'r', condition: { os: ['ios'] }, destination: `${data}ios` }] },
      { data, deepLinkConfig: { ios: { url: 'myapp://x' } }, campaign: null },
      { data, image: logo, dotsOptions: { type: 'dots', color: '#1e3a8a' }, frame: { id: 'banner' } },
      { data, brandKitId: kit.kitId },
      { data, brandKitId: kit.kitId },
    ];
    const codes = await store(await batch.prepare(own.workspaceId, bodies));
    expect(codes).toHaveLength(bodies.length);
    // The key is known to the operation that stores them.
    const timeless = ({ id, redirectUrl: url, createdAt, updatedAt, createdBy, ...rest }: CodeObject) => rest;
    for (const [index, body] of bodies.entries()) {
      const single = await get((await own.createCode(body)).id);
      expect(timeless(await get(codes[index]!.id))).toEqual(timeless(single));
    }
    expect(emitted).toEqual([
      codes.map(({ id, createdAt }, index) => ({
        id: expect.stringMatching(/^evt_/),
        type: 'qr.created',
        workspaceId: own.workspaceId,
        subject: { id, version: 1 },
        occurredAt: createdAt,
        data: { dataType: index === 2 ? 'wifi' : 'url', secure: expect.any(Array) },
        labels: { tagIds: [], folderId: null },
      })),
    ]);
  });

  test('are listed in the order of their rows, counted, and published to redirectors', async () => {
    const other = await plane.workspace();
    const bodies = Array.from({ length: 250 }, (_, index) => ({ data: `${data}${index}` }));
    const codes = await store(await batch.prepare(other.workspaceId, bodies));
    const { body } = await other.call('GET', '/api/qr/codes?limit=100');
    const list = body as { data: CodeObject[]; pagination: { total: number } };
    expect(list.pagination.total).toBe(250);
    expect(list.data.map(({ destination }) => destination)).toEqual(
      Array.from({ length: 100 }, (_, index) => `${data}${249 - index}`),
    );
    const records = await redis.mget(codes.map(({ id }) => recordKey(id)));
    expect(records.map((text) => parseRecord(text ?? '').destination)).toEqual(
      bodies.map((each) => each.data),
    );
  });

  test('get other ids if theirs exist already, or occur twice', async () => {
    const taken = await own.createCode();
    const [first] = await batch.prepare(own.workspaceId, [{ data }]);
    if (!first || !isCode(first)) throw new Error('a plain row is prepared');
    const withId = (id: string, name: string) => ({
      value: { ...first.value, code: { ...first.value.code, id, name } },
    });
    const codes = await store([withId('free11111', 'a'), withId(taken.id, 'b'), withId('free11111', 'c')]);
    expect(codes.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(codes[0]!.id).toBe('free11111');
    expect(new Set([taken.id, ...codes.map(({ id }) => id)]).size).toBe(4);
    expect(emitted[0]!.map(({ subject }) => subject.id)).toEqual(codes.map(({ id }) => id));
  });
});

const refusal = (message: RegExp, code = 'UNPROCESSABLE') => ({
  error: expect.objectContaining({ code, message: expect.stringMatching(message) }),
});

test('a refused row fails alone, and its message names the field', async () => {
  const unreadable = { data, dotsOptions: { color: '#fefefe' } };
  const rows = await batch.prepare(own.workspaceId, [
    { data },
    unreadable,
    null,
    { data: 'no URL' },
    { data, expiry: 5, secure: ['expire'] },
    { data, brandKitId: 'bk_1111111111111111' },
    { data, colour: 'red' },
    { data },
  ]);
  expect(rows.map(isCode)).toEqual([true, false, false, false, false, false, false, true]);
  expect(rows.slice(1, -1)).toEqual([
    refusal(/^dotsOptions.color #fefefe/),
    refusal(/^The body must be an object/, 'INVALID_REQUEST'),
    refusal(/^data/),
    refusal(/^expiry/),
    refusal(/^brandKitId/),
    refusal(/^colour is not a known field/, 'INVALID_REQUEST'),
  ]);
});

describe('the logo of a row', () => {
  test('may be given by URL, and is stored with the code like the logo of a single create', async () => {
    let fetched = 0;
    const server = http.createServer((_, response) => {
      fetched++;
      response.end(Buffer.from(logo, 'base64'));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    afterFile(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
    const fetch = createSafeFetch({ isAllowed: (address) => address === '127.0.0.1' });
    afterFile(() => fetch.close());
    const fetching = createCodeBatch({ ...options, logos: createRowLogos(fetch) });
    const rows = await fetching.prepare(own.workspaceId, [
      { data, image: url },
      { data, image: url, name: 'another' },
      { data, image: 'http://127.0.0.2/' },
      { data },
    ]);
    expect(rows.map(isCode)).toEqual([true, true, false, true]);
    expect(rows[2]).toEqual(refusal(/^image must lead to a public address/));
    expect(fetched).toBe(1);
    const [code] = await store(rows);
    const single = await own.createCode({ image: logo });
    expect((await get(code!.id)).style).toEqual((await get(single.id)).style);
  });

  test('of more than 200,000 characters fails its row, and a single create accepts no URL', async () => {
    const large = Buffer.concat([Buffer.from(logo, 'base64'), Buffer.alloc(150_000)]).toString('base64');
    const [inUri, bare, small] = await batch.prepare(own.workspaceId, [
      { data, image: `data:image/png;base64,${large}` },
      { data, image: large },
      { data, image: logo },
    ]);
    expect([inUri, bare]).toEqual(Array(2).fill(refusal(/^image must have at most 200000 characters/)));
    expect(isCode(small!)).toBe(true);
    const body = { data, image: 'https://example.com/logo.png' };
    expect(await own.call('POST', '/api/qr/codes', body)).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(/^image must be a PNG, JPEG/) },
    });
  });
});

describe('a style is proven once', () => {
  const styled = (color: string) => ({ data, dotsOptions: { type: 'rounded' as const, color } });

  test('for all rows of a batch, and for the next batch', async () => {
    const bodies = Array.from({ length: 30 }, (_, index) => styled(index % 2 ? '#1e3a8a' : '#7f1d1d'));
    expect((await batch.prepare(own.workspaceId, bodies)).every(isCode)).toBe(true);
    expect(drawn).toHaveLength(2);
    expect((await batch.prepare(own.workspaceId, bodies)).every(isCode)).toBe(true);
    expect(drawn).toHaveLength(2);
  });

  test('for each size of the symbol', async () => {
    const kindOf = (id: string) =>
      options.kinds.of({ id, workspaceId: own.workspaceId, linkBase: null }, styled('#14532d'), undefined)
        .name;
    expect(kindOf('abcdefghi')).toBe(kindOf('ABCDEFGHJ'));
    expect(kindOf('123456789')).not.toBe(kindOf('abcdefghi'));
  });

  test('even if it is refused: every row with the style gets the reason', async () => {
    const bodies = Array.from({ length: 20 }, () => ({ data, dotsOptions: { color: '#fdfdfd' } }));
    const rows = await batch.prepare(own.workspaceId, bodies);
    expect(rows).toEqual(bodies.map(() => refusal(/^dotsOptions.color #fdfdfd/)));
    expect(drawn).toHaveLength(1);
  });

  test('even if it is readable but weak: every row gets the warning', async () => {
    const bodies = Array.from({ length: 3 }, () => ({ data, dotsOptions: { color: '#ff8c00' } }));
    const warnings = (await batch.prepare(own.workspaceId, bodies)).map(
      (row) => isCode(row) && row.value.warnings,
    );
    expect(warnings).toEqual(bodies.map(() => [expect.stringContaining('dotsOptions.color')]));
  });
});

describe('a style with a logo', () => {
  const withLogo = (imageSize: number, color: string, margin = 1) => ({
    data,
    image: logo,
    width: 200,
    dotsOptions: { color },
    qrOptions: { errorCorrectionLevel: 'H' as const },
    imageOptions: { imageSize, margin },
  });
  /** A batch whose codes have the same ids in each run. */
  const batchOf = (seed: string) => {
    let created = 0;
    const create = () => `${seed}bcdef${String(created++).padStart(3, '0').replaceAll('0', 'z')}`;
    const urlOf = (code: LinkedCode) => redirectUrl(qrHost, code);
    const { kinds } = createPictures({ renderer: counting, kits, urlOf });
    return createCodeBatch({ ...options, kinds, ids: { ...options.ids, create } });
  };
  const prepare = (of: CodeBatch, count: number, body: object) =>
    of.prepare(own.workspaceId, Array(count).fill(body), { timeMsMax: 60_000 });
  /** Drawings in progress when the last one needed ends. */
  const besideMax = 3;

  test('is proven with the first codes, and then applies to all', async () => {
    const good = batchOf('a');
    expect((await prepare(good, 60, withLogo(0.2, '#1e3a8a'))).every(isCode)).toBe(true);
    expect(drawn.length).toBeGreaterThanOrEqual(readsNeeded);
    expect(drawn.length).toBeLessThanOrEqual(readsNeeded + besideMax);
    drawn = [];
    expect((await prepare(good, 20, withLogo(0.2, '#1e3a8a'))).every(isCode)).toBe(true);
    expect(drawn).toEqual([]);
  });

  test('is proven with each code if some are refused: these fail alone, and every stored code is readable', async () => {
    const count = 24;
    const rows = await prepare(batchOf('b'), count, withLogo(0.05, '#7f1d1d', 7));
    expect(drawn).toHaveLength(count);
    const codes = rows.filter(isCode).map(({ value }) => value.code.id);
    expect(codes.length).toBeGreaterThan(4);
    expect(codes.length).toBeLessThan(20);
    expect(rows.filter((row) => !isCode(row))).toEqual(
      Array(count - codes.length).fill(
        refusal(/^image hides too much .* imageOptions.margin 7 is too large/),
      ),
    );
    const requests = new Map(drawn.map((request) => [request.payload, request]));
    for (const id of codes)
      expect(
        (await counting.render(requests.get(redirectUrl(qrHost, { id, linkBase: null }))!)).decoded,
      ).toBe('yes');
  });

  test('that makes no code readable is refused without drawing each', async () => {
    const rows = await prepare(batchOf('c'), 40, withLogo(0.1, '#14532d', 40));
    expect(rows).toEqual(rows.map(() => refusal(/^image hides too much/)));
    expect(drawn.length).toBeLessThanOrEqual(refusalsNeeded + besideMax);
  });

  test('whose size hides too much is accepted: each row says that its logo is smaller, and not each is drawn', async () => {
    const rows = await prepare(batchOf('d'), 40, withLogo(1, '#1e3a8a'));
    const warnings = rows.map((row) => isCode(row) && row.value.warnings);
    expect(warnings).toEqual(
      warnings.map(() => [
        expect.stringMatching(
          /^imageOptions\.imageSize 1 hides too much of (this code: its logo has 0\.\d+|some codes: their logo is as large as it is read, with one of them 0\.\d+)$/,
        ),
      ]),
    );
    expect(drawn.length).toBeGreaterThanOrEqual(readsNeeded);
    expect(drawn.length).toBeLessThanOrEqual(readsNeeded + besideMax);
  });

  test('may have it from its brand kit', () => {
    const code = { id: 'abcdefghi', workspaceId: own.workspaceId, linkBase: null };
    const kit: BrandKit = {
      kitId: 'bk_1',
      workspaceId: own.workspaceId,
      name: 'With a logo',
      fields: { primaryColor: '#0c4a6e', backgroundColor: '#ffffff', logoUrl: 'https://example.com/a.png' },
      createdBy: '',
      version: 1,
      logoVersion: 1,
      createdAt: new Date(),
      updatedAt: new Date(),
      deleted: false,
    };
    const hasLogo = (style: Style) => options.kinds.of(code, style, kit).hasLogo;
    expect(hasLogo({ brandKitId: 'bk_1' })).toBe(true);
    expect(hasLogo({ brandKitId: 'bk_1', imageOptions: { imageSize: 0 } })).toBe(false);
  });
});

describe('a batch waits for its place', () => {
  const locked = (count: number) =>
    Array.from({ length: count }, () => ({ data, secure: ['password'], password: 'open sesame' }));

  test('if others fill the password queue: no row fails for it', async () => {
    const refusals: string[] = [];
    const passwords = createPasswords({
      runningMax: 1,
      waitingMax: 1,
      waitMsMax: 60_000,
      onRefused: (why) => refusals.push(why),
    });
    const crowded = createCodeBatch({ ...options, passwords });
    let isCrowded = true;
    const crowd = async (): Promise<void> => {
      while (isCrowded) await passwords.hash('x', own.workspaceId).catch(() => sleep(5));
    };
    const others = [crowd(), crowd(), crowd()];
    const preparing = crowded.prepare(own.workspaceId, locked(4), { timeMsMax: 60_000 });
    await expect.poll(() => refusals.length).toBeGreaterThan(3);
    isCrowded = false;
    expect((await preparing).map(isCode)).toEqual([true, true, true, true]);
    await Promise.all(others);
  });

  test('and leaves rows for later if its time runs out', async () => {
    const rows = await batch.prepare(own.workspaceId, [{ data }, ...locked(100)], { timeMsMax: 200 });
    expect(isCode(rows[0]!)).toBe(true);
    const late = rows.filter((row) => !isCode(row));
    expect(late.length).toBeGreaterThan(0);
    expect(late).toEqual(late.map(() => refusal(/turn/, 'UNAVAILABLE')));
  });
});

test('a change of style that another update overtakes is left for later, and the other changes are made', async () => {
  const [overtaken, other] = [await own.createCode(), await own.createCode()];
  const bodies = createCodeBodies(qrHost);
  const changes = createChangeBatch({
    ...options,
    pool: plane.pool,
    check: (body) => validateBody(bodies.update, body),
    destinationOf: bodies.destinationOf,
  });
  const change = async (rows: readonly { id: string; body: object }[], meanwhile = async () => {}) => {
    const prepared = await changes.prepare(own.workspaceId, rows);
    await meanwhile();
    return inTransaction(plane.pool, (tx) =>
      changes.effect(
        tx,
        own.workspaceId,
        prepared.flatMap((row) => ('value' in row ? [row.value] : [])),
        () => {},
      ),
    );
  };
  const styled = { id: overtaken!.id, body: { shape: 'circle' } };
  const [late, made] = await change([styled, { id: other!.id, body: { name: 'changed' } }], async () => {
    const { status } = await own.call('PUT', `/api/qr/codes/${overtaken!.id}`, { margin: 6 });
    expect(status).toBe(200);
  });
  expect(late).toMatchObject({ code: 'UNAVAILABLE' });
  expect(made).toMatchObject({ isChanged: true });
  expect(await change([styled])).toEqual([expect.objectContaining({ isChanged: true })]);
  expect((await get(overtaken!.id)).style).toMatchObject({ shape: 'circle', margin: 6 });
});
