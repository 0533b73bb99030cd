/** Many changes in one call, in a whole control plane. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DryRunReport } from '#schemas/api/bulk-replace.ts';
import type { CodeObject } from '#schemas/api/codes.ts';
import { parseRecord, recordKey } from '#schemas/code-record.ts';
import type { Event } from '#schemas/events.ts';
import { redisUrl } from '../../../../deploy/testing/index.ts';
import { features } from '../../../app.ts';
import {
  type Answer,
  kitBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { type Entry, resultOf } from '../testing/calls.ts';

const redis = new Redis(redisUrl());
afterAll(() => redis.disconnect());
let plane: TestControlPlane;
let own: Workspace;
let emitted: Event[] = [];

beforeAll(async () => {
  const listening = {
    name: 'listening',
    consumers: [
      {
        types: ['qr.updated' as const],
        async accept(_: unknown, events: readonly Event[]) {
          emitted.push(...events);
        },
      },
    ],
  };
  plane = await startTestControlPlane({ features: [...features, listening] });
});
beforeEach(async () => {
  own = await plane.workspace();
  emitted = [];
});

const replace = (body: unknown): Promise<Answer> => own.call('POST', '/api/qr/codes/bulk/replace', body);

/** @returns the entries of the result */
const replaced = async (body: unknown): Promise<Entry[]> => {
  const answer = await replace(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  expect(answer.body).toMatchObject({ kind: 'replace', status: 'pending' });
  return resultOf(own.call, (answer.body as { bulkId: string }).bulkId);
};

const recordOf = async (id: string) => {
  const record = await redis.get(recordKey(id));
  return record === null ? undefined : parseRecord(record);
};
const get = async (id: string) => (await own.call('GET', `/api/qr/codes/${id}`)).body as CodeObject;
const failed = (uid: string, code: string, message: RegExp) => ({
  uid,
  status: 'failed',
  code,
  message: expect.stringMatching(message),
});

describe('rows of {id, …a PUT body}', () => {
  test('change each code once: one qr.updated with its changedKeys, published to redirectors', async () => {
    const [moved, named, same, styled] = await Promise.all([1, 2, 3, 4].map(() => own.createCode()));
    const result = await replaced([
      { id: moved!.id, uid: 'the first', destination: 'https://example.org/new', maxScans: 5 },
      { id: named!.id, name: 'A name', password: 'open sesame' },
      { id: same!.id, destination: same!.destination, name: null },
      { id: styled!.id, dotsOptions: { type: 'dots', color: '#f97316' } },
    ]);
    const { id, redirectUrl } = moved!;
    expect(result).toEqual([
      { uid: 'the first', status: 'updated', id, redirectUrl },
      { uid: named!.id, status: 'updated', id: named!.id, redirectUrl: named!.redirectUrl },
      { uid: same!.id, status: 'unchanged', id: same!.id, redirectUrl: same!.redirectUrl },
      {
        ...{ uid: styled!.id, status: 'updated', id: styled!.id, redirectUrl: styled!.redirectUrl },
        warnings: [expect.stringMatching(/^dotsOptions.color #f97316/)],
      },
    ]);
    expect(await get(id)).toMatchObject({ destination: 'https://example.org/new', maxScans: 5 });
    expect(await get(named!.id)).toMatchObject({ name: 'A name', passwordProtected: true });
    expect(await get(styled!.id)).toMatchObject({ style: { dotsOptions: { type: 'dots' } } });
    expect(await get(same!.id)).toEqual(same);
    expect(emitted.map(({ subject, data }) => [subject.id, subject.version, data])).toEqual([
      [id, 2, { changedKeys: ['destination', 'maxScans'] }],
      [named!.id, 2, { changedKeys: ['name', 'password', 'passwordProtected', 'secure'] }],
      [styled!.id, 2, { changedKeys: ['style'] }],
    ]);
    // It is published after the operation is completed.
    await expect
      .poll(() => recordOf(id))
      .toMatchObject({ version: 2, destination: 'https://example.org/new' });
  });

  test('fail alone, as a PUT would', async () => {
    const good = await own.createCode();
    const encryption = { type: 'AES', key: 'a passphrase' };
    const encrypted = await own.createCode({ secure: ['encrypt'], encryption });
    const locked = await own.createCode();
    await plane.pool.query('UPDATE codes SET compliance_locked = true WHERE id = $1', [locked.id]);
    const foreign = await (await plane.workspace()).createCode();
    const wrong = await Promise.all([1, 2, 3].map(() => own.createCode()));
    const ids = wrong.map(({ id }) => id);
    const result = await replaced([
      { id: encrypted.id, name: 'x' },
      { id: locked.id, name: 'x' },
      { id: foreign.id, name: 'x' },
      { id: 'unknown11', name: 'x' },
      { id: ids[0], destination: 'javascript:alert(1)' },
      { id: ids[1], data: 'https://example.com/' },
      { id: ids[2], dotsOptions: { color: '#fefefe' } },
      { id: good.id, name: 'changed' },
    ]);
    expect(result).toEqual([
      failed(encrypted.id, 'CONFLICT', /encrypted/),
      failed(locked.id, 'CONFLICT', /locked/),
      failed(foreign.id, 'FORBIDDEN', /another workspace/),
      failed('unknown11', 'NOT_FOUND', /no code/),
      failed(ids[0]!, 'UNPROCESSABLE', /^destination/),
      failed(ids[1]!, 'INVALID_REQUEST', /^data is not a known field/),
      failed(ids[2]!, 'UNPROCESSABLE', /^dotsOptions.color #fefefe/),
      expect.objectContaining({ uid: good.id, status: 'updated' }),
    ]);
    expect(emitted.map(({ subject }) => subject.id)).toEqual([good.id]);
  });

  test.each<[string, unknown, string]>([
    ['a row without an id', [{ name: 'x' }], 'rows[0].id is required'],
    ['an id that is no text', [{ id: 7 }], 'rows[0].id must be the id of a code; given: 7'],
    [
      'an id that comes twice',
      [{ id: 'abcdefghi' }, { id: 'abcdefghi', uid: 'b' }],
      "rows[1].id must be unique in the call; 'abcdefghi' is the id of rows[0]",
    ],
    ['an unknown preset', [{ id: 'abcdefghi', preset: 'x' }], 'rows[0].preset must be one of'],
    ['no rows', [], 'The body must have at least 1 row; given: 0'],
    ['a null', null, 'The body must be an array of rows, or an object with find and replace; given: null'],
  ])('are refused as a whole if one of them is %s', async (_, body, message) => {
    expect(await replace(body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(message) },
    });
  });

  test('may clear a brand kit, but not name another workspace’s', async () => {
    const kit = (await own.call('POST', '/api/qr/brand-kits', kitBody)).body as { kitId: string };
    const code = await own.createCode({ brandKitId: kit.kitId });
    const [entry] = await replaced([{ id: code.id, brandKitId: null }]);
    expect(entry).toMatchObject({ status: 'updated' });
    expect(await get(code.id)).not.toHaveProperty('style');
    const other = await plane.workspace();
    const foreign = (await other.call('POST', '/api/qr/brand-kits', kitBody)).body as { kitId: string };
    expect(await replace([{ id: code.id, brandKitId: foreign.kitId }])).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^rows\[0\]\.brandKitId/) },
    });
  });
});

describe('{find, replace}', () => {
  const texts = { find: 'https://old.example/', replace: 'https://new.example/a$&' };

  test('changes the destinations of url codes that hold the text; dryRun only reports', async () => {
    const first = await own.createCode({ data: 'https://old.example/1?u=https://old.example/2' });
    await own.createCode({ data: 'https://OLD.example/' });
    await own.createCode({ dataType: 'text', data: 'https://old.example/' });
    await (await plane.workspace()).createCode({ data: 'https://old.example/foreign' });
    const locked = await own.createCode({ data: 'https://old.example/locked' });
    await plane.pool.query('UPDATE codes SET compliance_locked = true WHERE id = $1', [locked.id]);
    const newDestination = 'https://new.example/a$&1?u=https://new.example/a$&2';

    const dry = await replace({ ...texts, dryRun: true });
    expect(dry.status).toBe(200);
    expect(dry.body as DryRunReport).toEqual({
      dryRun: true,
      total: 2,
      remaining: 0,
      changes: [
        { id: first.id, destination: first.destination, newDestination },
        { id: locked.id, destination: locked.destination, message: expect.any(String), code: 'CONFLICT' },
      ],
    });
    expect(await get(first.id)).toEqual(first);
    expect(emitted).toEqual([]);

    expect(await replaced(texts)).toEqual([
      { uid: first.id, status: 'updated', id: first.id, redirectUrl: first.redirectUrl },
      failed(locked.id, 'CONFLICT', /locked/),
    ]);
    expect((await get(first.id)).destination).toBe(newDestination);
    expect(emitted.map(({ subject, data }) => [subject.id, data])).toEqual([
      [first.id, { changedKeys: ['destination'] }],
    ]);
    await expect.poll(() => recordOf(first.id)).toMatchObject({ version: 2 });
  });

  test('fails a code whose destination would become invalid', async () => {
    const broken = await own.createCode({ data: 'https://old.example/' });
    const good = await own.createCode({ data: 'https://good.example/?https://old.example/' });
    const dry = await replace({ find: '/', replace: 'x'.repeat(2000), dryRun: true });
    expect((dry.body as DryRunReport).changes[0]).toMatchObject({
      message: 'With find replaced, destination must have at most 4096 characters; it would have 6017',
    });
    expect(await replaced({ find: 'https://old.', replace: 'nowhere:' })).toEqual([
      failed(broken.id, 'UNPROCESSABLE', /^With find replaced, destination/),
      expect.objectContaining({ uid: good.id, status: 'updated' }),
    ]);
  });

  test('changes the first 1,000 codes that hold the text, says how many remain, and continues after them', async () => {
    await plane.pool.query(
      // Locked codes are found like others, and are cheaper.
      `INSERT INTO codes (id, workspace_id, data_type, destination, compliance_locked)
       SELECT 'many' || translate(lpad(n::text, 5, '0'), '0', 'z'), $1, 'url', 'https://many.example/' || n, n <= 950
       FROM generate_series(1, 1002) AS n`,
      [own.workspaceId],
    );
    const texts = { find: 'many', replace: 'many-few' };
    const part = { total: 1000, remaining: 2, nextAfter: 'manyz1zzz' };
    const last = { total: 2, remaining: 0 };
    for (const [asked, expected] of [
      [texts, part],
      [{ ...texts, after: part.nextAfter }, last],
    ] as const) {
      const { changes, ...report } = (await replace({ ...asked, dryRun: true })).body as DryRunReport;
      expect([report, changes.length]).toEqual([{ dryRun: true, ...expected }, expected.total]);
    }
    const first = await replace(texts);
    expect(first).toMatchObject({ status: 202, body: part });
    const second = await replaced({ ...texts, after: part.nextAfter });
    expect(second.map(({ id, status }) => [id, status])).toEqual([
      ['manyz1zz1', 'updated'],
      ['manyz1zz2', 'updated'],
    ]);
    const taken = await resultOf(own.call, (first.body as { bulkId: string }).bulkId);
    expect(taken.map(({ status }) => status)).toEqual([
      ...Array(950).fill('failed'),
      ...Array(50).fill('updated'),
    ]);
    const { rows } = await plane.pool.query(
      `SELECT compliance_locked AS locked, regexp_replace(destination, '\\d+$', '') AS begins, count(*)::integer AS codes
       FROM codes WHERE workspace_id = $1 GROUP BY 1, 2 ORDER BY 1`,
      [own.workspaceId],
    );
    expect(rows).toEqual([
      { locked: false, begins: 'https://many-few.example/', codes: 52 },
      { locked: true, begins: 'https://many.example/', codes: 950 },
    ]);
  });

  test('refuses to continue after an unknown code or one of another workspace', async () => {
    const code = await own.createCode({ data: 'https://old.example/' });
    const foreign = await (await plane.workspace()).createCode();
    for (const after of [foreign.id, '111111111', 'x'])
      for (const dryRun of [false, true])
        expect(await replace({ ...texts, after, dryRun })).toMatchObject({
          status: 422,
          body: { error: `after must be the id of a code of the workspace; given: '${after}'` },
        });
    expect(await replace({ ...texts, after: code.id })).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(/^find is in no destination of a code after '/) },
    });
  });

  test('gets its first answer again with its idempotency key, although no code holds the text now', async () => {
    await own.createCode({ data: 'https://old.example/' });
    const send = () =>
      own.call('POST', '/api/qr/codes/bulk/replace', texts, {
        'waymark-idempotency-key': 'move',
      });
    const first = await send();
    await resultOf(own.call, (first.body as { bulkId: string }).bulkId);
    expect(await send()).toMatchObject({ status: 202, body: first.body });
  });

  test.each<[string, object, number, RegExp]>([
    ['that is nowhere', texts, 422, /^find is in no destination/],
    ['that is empty', { find: '', replace: 'x' }, 422, /^find must have at least 1 character/],
    ['of too many characters', { find: 'x'.repeat(2001), replace: 'x' }, 422, /^find must have at most 2000/],
    ['that is its own replacement', { find: 'x', replace: 'x' }, 422, /^replace must differ from find/],
    ['with a zero byte', { find: 'a\u0000', replace: 'x' }, 422, /^find must not contain control/],
    ['without a replacement', { find: 'x' }, 400, /^replace is required/],
    ['and something else', { ...texts, all: true }, 400, /^all is not a known field/],
  ])('with a text %s is refused', async (_, body, status, message) => {
    expect(await replace(body)).toMatchObject({ status, body: { error: expect.stringMatching(message) } });
  });

  test('counts as a bulk call, and a dryRun does not', async () => {
    own = await plane.workspace({ limits: { bulkOrders: 1 } });
    await own.createCode({ data: 'https://old.example/' });
    expect((await replace({ ...texts, dryRun: true })).status).toBe(200);
    expect((await replace({ ...texts, dryRun: true })).status).toBe(200);
    expect((await replace(texts)).status).toBe(202);
    expect((await replace(texts)).status).toBe(429);
  });
});
