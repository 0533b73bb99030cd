/** The history of codes, and reverts. */
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WholeCodeObject } from '#schemas/api/codes.ts';
import type { CodeHistory, HistoryEntry } from '#schemas/api/history.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { actAs } from '../../../platform/db/actions.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import {
  logo,
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { createKey } from '../../tenancy/store.ts';
import { publishingConsumer } from '../publishing.ts';
import { changeCodes } from '../store/change-many.ts';
import { logoHash } from '../store/history.ts';
import { activateCode, lockAgainstChanges } from '../store/locks.ts';

let plane: TestControlPlane;
let own: Workspace;
beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const image = `data:image/png;base64,${logo}`;

const historyOf = async (id: string, query = ''): Promise<CodeHistory> => {
  const answer = await own.call('GET', `/api/qr/codes/${id}/history?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as CodeHistory;
};
const changesOf = async (id: string) =>
  (await historyOf(id)).data.map(({ version, changes }) => [version, changes] as const);

const put = async (id: string, body: object): Promise<WholeCodeObject> => {
  const answer = await own.call('PUT', `/api/qr/codes/${id}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as WholeCodeObject;
};
const get = async (id: string) => (await own.call('GET', `/api/qr/codes/${id}`)).body as WholeCodeObject;
const revert = (id: string, version: unknown) => own.call('POST', `/api/qr/codes/${id}/revert`, { version });

const configurationOf = ({ updatedAt: _, scanCount: __, ...rest }: WholeCodeObject) => rest;

describe('the history', () => {
  test('says who changed what and when, from what to what, newest first', async () => {
    const key = await createKey(plane.pool, { workspaceId: own.workspaceId, role: 'member', name: 'Till' });
    const { id, createdAt } = await own.createCode({ data: 'https://example.com/a', name: 'Door' });
    const changed = await plane.callWith(key!.apiKey)('PUT', `/api/qr/codes/${id}`, {
      destination: 'https://example.com/b',
      name: null,
      expiresAt: '2090-01-01T00:00:00Z',
    });
    await own.call('DELETE', `/api/qr/codes/${id}`);
    await actAs({ kind: 'operator' }, undefined, () =>
      activateCode(plane.pool, createOutbox([publishingConsumer]), id),
    );
    const { keyId } = (
      await plane.pool.query(
        'SELECT id AS "keyId" FROM api_keys WHERE workspace_id = $1 ORDER BY created_at LIMIT 1',
        [own.workspaceId],
      )
    ).rows[0];
    const { data, pagination } = await historyOf(id);
    expect(data).toEqual([
      {
        version: 4,
        at: expect.any(String),
        by: { type: 'operator', keyId: null, keyName: null },
        action: 'changed',
        changes: [{ field: 'status', from: 'inactive', to: 'active' }],
      },
      expect.objectContaining({
        version: 3,
        by: { type: 'key', keyId, keyName: null },
        changes: [{ field: 'status', from: 'active', to: 'inactive' }],
      }),
      {
        version: 2,
        at: (changed.body as WholeCodeObject).updatedAt,
        by: { type: 'key', keyId: key!.keyId, keyName: 'Till' },
        action: 'changed',
        changes: expect.arrayContaining([
          { field: 'destination', from: 'https://example.com/a', to: 'https://example.com/b' },
          { field: 'expiresAt', from: null, to: '2090-01-01T00:00:00.000Z' },
          { field: 'name', from: 'Door', to: null },
        ]),
      },
      expect.objectContaining({ version: 1, at: createdAt, action: 'created', changes: [] }),
    ]);
    expect(pagination).toEqual({ limit: 25, cursor: null, nextCursor: null });
  });

  test('shows a style by its keys, a logo by its hash, and a password never', async () => {
    const { id } = await own.createCode({ preset: 'ocean', image });
    await put(id, { password: 'open sesame' });
    await put(id, { password: 'open barley' });
    await put(id, { password: null });
    await put(id, { image: null, margin: 6 });
    expect((await changesOf(id)).slice(0, 4)).toEqual([
      [
        5,
        [
          { field: 'style.image', from: logoHash(image), to: null },
          { field: 'style.margin', from: null, to: 6 },
        ],
      ],
      [4, [{ field: 'password', from: null, to: 'removed' }]],
      [3, [{ field: 'password', from: null, to: 'changed' }]],
      [2, [{ field: 'password', from: null, to: 'set' }]],
    ]);
    const { rows } = await plane.pool.query(
      'SELECT code_versions::text AS text FROM code_versions WHERE code_id = $1',
      [id],
    );
    expect(rows).toHaveLength(4);
    for (const { text } of rows)
      for (const secret of ['sesame', 'argon2', logo]) expect(text).not.toContain(secret);
  });

  test('has pages, which end at a quarter of a megabyte, and a cursor of this code only', async () => {
    const { id } = await own.createCode();
    for (let n = 0; n < 4; n++) await put(id, { name: `Name ${n}` });
    const long = (n: number) =>
      Array.from({ length: 50 }, (_, at) => ({
        id: `r${at}`,
        condition: { country: ['DE'] },
        destination: `https://example.com/${n}${'x'.repeat(3_000)}`,
      }));
    for (let n = 0; n < 2; n++) await put(id, { routingRules: long(n) });
    const all: HistoryEntry[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await historyOf(id, `limit=3${cursor && `&cursor=${cursor}`}`);
      all.push(...page.data);
      sizes.push(page.data.length);
      cursor = page.pagination.nextCursor;
    }
    expect(all.map(({ version }) => version)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(sizes).toEqual([1, 3, 3]);
    const { nextCursor } = (await historyOf(id, 'limit=1')).pagination;
    const other = await own.createCode();
    expect(await own.call('GET', `/api/qr/codes/${other.id}/history?cursor=${nextCursor}`)).toMatchObject({
      status: 400,
    });
    const stranger = await plane.workspace();
    expect(await stranger.call('GET', `/api/qr/codes/${id}/history`)).toMatchObject({ status: 403 });
    expect(await stranger.call('POST', `/api/qr/codes/${id}/revert`, { version: 1 })).toMatchObject({
      status: 403,
    });
    expect(await own.call('GET', '/api/qr/codes/111111111/history')).toMatchObject({ status: 404 });
  });

  test('has the aliases that were added and removed, past which a revert goes and which it leaves', async () => {
    const { id } = await own.createCode({ name: 'first' });
    await put(id, { name: 'second' });
    const alias = { domain: null, alias: `menu-${id}` };
    expect(await own.call('POST', `/api/qr/codes/${id}/aliases`, alias)).toMatchObject({ status: 201 });
    expect((await changesOf(id))[0]).toEqual([3, [{ field: 'aliases', from: null, to: alias }]]);
    expect(await revert(id, 1)).toMatchObject({ status: 200, body: { name: 'first', notRestored: [] } });
    expect((await own.call('GET', `/api/qr/codes/${id}/aliases`)).body).toMatchObject({
      data: [{ alias: alias.alias }],
    });
    await own.call('DELETE', `/api/qr/codes/${id}/aliases?alias=${alias.alias}`);
    expect((await changesOf(id))[0]).toEqual([5, [{ field: 'aliases', from: alias, to: null }]]);
  });

  test('keeps the latest thousand changes', async () => {
    const { id } = await own.createCode();
    await plane.pool.query('UPDATE codes SET version = 1500 WHERE id = $1', [id]);
    await plane.pool.query(
      `INSERT INTO code_versions (code_id, version, changed_at, parts, before, after, bytes)
       SELECT $1, n, now(), '{name}', '{"name": "a"}', '{"name": "b"}', 20 FROM generate_series(501, 1500) n`,
      [id],
    );
    await put(id, { name: 'last' });
    const { rows } = await plane.pool.query(
      'SELECT min(version)::int, max(version)::int, count(*)::int FROM code_versions WHERE code_id = $1',
      [id],
    );
    expect(rows).toEqual([{ min: 502, max: 1501, count: 1000 }]);
    expect(await revert(id, 500)).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('version') },
    });
    expect(await revert(id, 501)).toMatchObject({ status: 200 });
  });

  const manyKeys = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key ${n}`, 'x'.repeat(500)]));
  test.each([
    ['large', 2_001, { metadata: manyKeys }],
    ['small', 2_016, { name: 'last' }],
  ])('keeps the latest changes that have 4 MB, found out by a %s one', async (_, version, change) => {
    const { id } = await own.createCode();
    await plane.pool.query('UPDATE codes SET version = $2 WHERE id = $1', [id, version - 1]);
    await plane.pool.query(
      `INSERT INTO code_versions (code_id, version, changed_at, parts, before, after, bytes)
       SELECT $1, n, now(), '{name}', '{"name": "a"}', '{"name": "b"}', 1000000 FROM generate_series($2::int - 9, $2 - 1) n`,
      [id, version],
    );
    await put(id, change);
    const { rows } = await plane.pool.query(
      'SELECT $2 - version::int AS before FROM code_versions WHERE code_id = $1 ORDER BY version DESC',
      [id, version],
    );
    expect(rows.map(({ before }) => before)).toEqual([0, 1, 2, 3, 4]);
  });

  test('keeps the latest five replaced logos', async () => {
    const { id } = await own.createCode();
    const logos: string[] = [];
    for (let n = 0; n < 7; n++) {
      const background = { r: 30 * n, g: 80, b: 120 };
      const picture = sharp({ create: { width: 8, height: 8, channels: 3, background } }).png();
      const data = `data:image/png;base64,${(await picture.toBuffer()).toString('base64')}`;
      await put(id, { image: data });
      logos.push((await get(id)).style?.image ?? '');
    }
    const { rows } = await plane.pool.query(
      'SELECT hash FROM code_version_logos WHERE code_id = $1 ORDER BY replaced_at',
      [id],
    );
    expect(rows.map(({ hash }) => hash)).toEqual(logos.slice(1, 6).map(logoHash));
    const { paths } = JSON.parse(await (await fetch(`${plane.url}/openapi.json`)).text());
    expect(paths['/api/qr/codes/{id}/revert'].post.description).toContain('latest 5 of a code');
  });

  test('of a bulk operation is by the key that began it, and a slice writes it with one statement', async () => {
    const key = await createKey(plane.pool, { workspaceId: own.workspaceId, role: 'owner', name: 'Nightly' });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await own.createCode({ data: `https://old.example/${n}` })).id);
    const begun = await plane.callWith(key!.apiKey)('POST', '/api/qr/codes/bulk/replace', {
      find: 'https://old.example/',
      replace: 'https://new.example/',
    });
    const { bulkId } = begun.body as { bulkId: string };
    await expect
      .poll(async () => (await own.call('GET', `/api/qr/codes/bulk/${bulkId}`)).body, { timeout: 20_000 })
      .toMatchObject({ status: 'completed' });
    for (const [n, id] of ids.entries())
      expect((await historyOf(id)).data[0]).toMatchObject({
        version: 2,
        by: { type: 'key', keyId: key!.keyId, keyName: 'Nightly' },
        changes: [{ field: 'destination', from: `https://old.example/${n}`, to: `https://new.example/${n}` }],
      });

    const texts: string[] = [];
    await inTransaction(plane.pool, async (tx) => {
      const query = tx.query.bind(tx);
      tx.query = ((given: { name?: string }, ...rest: []) => {
        texts.push(given.name ?? '');
        return query(given as never, ...rest);
      }) as typeof tx.query;
      const planned = ids.map((id) => ({ id, change: () => ({ name: 'bulk' }), needsStyle: false }));
      await changeCodes(tx, createOutbox([]), own.workspaceId, planned);
      tx.query = query;
    });
    expect(texts.filter((name) => name === 'write-code-history')).toHaveLength(1);
    expect((await changesOf(ids[2]!))[0]).toEqual([3, [{ field: 'name', from: null, to: 'bulk' }]]);
  });
});

describe('a revert', () => {
  test('gives the code the configuration of that version, as a new version that scans see', async () => {
    const { id } = await own.createCode({
      data: 'https://example.com/a',
      name: 'Door',
      preset: 'ocean',
      image,
      maxScans: 10,
      routingRules: [{ id: 'r', condition: { os: ['ios'] }, destination: 'https://example.com/ios' }],
    });
    const first = await get(id);
    await put(id, { destination: 'https://example.com/b', routingRules: null, maxScans: null });
    const second = await get(id);
    await put(id, { image: null, preset: 'sunset', name: 'Window', expiresAt: '2090-01-01T00:00:00Z' });
    await own.call('DELETE', `/api/qr/codes/${id}`);

    expect(await revert(id, 1)).toMatchObject({ status: 200, body: { notRestored: [] } });
    expect(configurationOf(await get(id))).toEqual(configurationOf(first));
    expect((await historyOf(id)).data[0]).toMatchObject({
      version: 5,
      changes: expect.arrayContaining([
        { field: 'status', from: 'inactive', to: 'active' },
        { field: 'style.image', from: null, to: logoHash(image) },
      ]),
    });
    expect(await revert(id, 2)).toMatchObject({ status: 200 });
    expect(configurationOf(await get(id))).toEqual(configurationOf(second));
    const record = await plane.internal('GET', `/internal/codes?ids=${id}`);
    expect(JSON.stringify(record.body)).toContain('https://example.com/b');

    // The present version is no change.
    const { updatedAt } = await get(id);
    expect(await revert(id, 6)).toMatchObject({ status: 200, body: { updatedAt } });
  });

  test('names what it does not restore: a password, an expiry that has passed, a style whose logo is gone', async () => {
    const { id } = await own.createCode({ image, secure: ['password'], password: 'first one' });
    await put(id, { expiresAt: '2090-01-01T00:00:00Z' });
    await put(id, { image: null, expiresAt: null, password: 'second one' });
    await plane.pool.query(
      `UPDATE code_versions SET before = jsonb_set(before, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')
       WHERE code_id = $1 AND version = 3`,
      [id],
    );
    await plane.pool.query('DELETE FROM code_version_logos WHERE code_id = $1', [id]);
    const before = await get(id);
    const answer = await revert(id, 2);
    expect(answer.status).toBe(200);
    expect((answer.body as { notRestored: string[] }).notRestored.toSorted()).toEqual([
      'expiresAt',
      'password',
      'style',
    ]);
    expect(configurationOf(await get(id))).toEqual(configurationOf(before));
  });

  test('uses no quota, and is refused as an update is: locked and encrypted codes, unknown versions', async () => {
    const small = await plane.workspace({ limits: { requestsPerSecond: 1_000_000, dynamicQr: 1 } });
    const { id } = await small.createCode();
    await small.call('PUT', `/api/qr/codes/${id}`, { name: 'a' });
    expect(await small.call('POST', `/api/qr/codes/${id}/revert`, { version: 1 })).toMatchObject({
      status: 200,
    });

    const code = await own.createCode();
    await put(code.id, { name: 'a' });
    for (const version of [0, 3, 1.5])
      expect(await revert(code.id, version)).toMatchObject({
        status: 422,
        body: { error: expect.stringContaining('version') },
      });
    for (const version of ['1', undefined, null])
      expect(await revert(code.id, version)).toMatchObject({ status: 400 });
    await lockAgainstChanges(plane.pool, code.id, false);
    expect(await revert(code.id, 1)).toMatchObject({ status: 409 });

    const sealed = await own.createCode({
      secure: ['encrypt'],
      encryption: { type: 'AES', key: 'a passphrase' },
    });
    await own.call('DELETE', `/api/qr/codes/${sealed.id}`);
    expect(await revert(sealed.id, 1)).toMatchObject({ status: 409 });
  });

  test('goes back beyond an alias, which belongs to no version, and restores the tags', async () => {
    const { id } = await own.createCode({ data: 'https://example.com/a' });
    await put(id, { tags: ['winter'] });
    expect((await own.call('POST', `/api/qr/codes/${id}/aliases`, { alias: `back-${id}` })).status).toBe(201);
    await put(id, { destination: 'https://example.com/b' });
    expect(await revert(id, 1)).toMatchObject({
      status: 200,
      body: { destination: 'https://example.com/a', tags: [], notRestored: [] },
    });
  });

  test('gives the code tags as they are now: merged ones once, and without deleted ones, which it says', async () => {
    const tagged = await plane.workspace();
    const { id } = await tagged.createCode({ tags: ['a', 'b', 'c', 'd'] });
    const path = `/api/qr/codes/${id}`;
    await tagged.call('PUT', path, { tags: ['other'] });
    const rename = (from: string, to: string) => tagged.call('PATCH', `/api/qr/tags/${from}`, { name: to });
    expect((await rename('a', 'b')).status).toBe(200);
    expect((await rename('c', 'renamed')).status).toBe(200);
    const sweeping = async () =>
      (
        await plane.pool.query(
          'SELECT name FROM tags WHERE workspace_id = $1 AND gone_at IS NOT NULL AND swept_at IS NULL',
          [tagged.workspaceId],
        )
      ).rows;
    await expect.poll(sweeping, { timeout: 20_000 }).toEqual([]);
    const back = () => tagged.call('POST', `${path}/revert`, { version: 1 });
    const merged = (await back()).body as { tags: string[]; notRestored: string[] };
    expect([merged.tags.toSorted(), merged.notRestored]).toEqual([['b', 'd', 'renamed'], []]);
    await tagged.call('PUT', path, { tags: ['other'] });
    expect((await tagged.call('DELETE', '/api/qr/tags/d')).status).toBe(204);
    const without = (await back()).body as { tags: string[]; notRestored: string[] };
    expect([without.tags.toSorted(), without.notRestored]).toEqual([['b', 'renamed'], ['tags']]);
    const { rows } = await plane.pool.query(
      `SELECT FROM codes JOIN tags ON tags.id = ANY (tag_ids) WHERE codes.id = $1 AND gone_at IS NOT NULL`,
      [id],
    );
    expect(rows).toEqual([]);
  });

  test.each([
    [
      'routingRules',
      [{ id: 'r', condition: { country: ['DE'] }, destination: `${qrHost}/r/abc` }],
      /^routingRules\[0\]/,
    ],
    ['campaign', { mode: 'no such mode' }, /^campaign/],
    ['deepLinkConfig', { ios: { appUrl: 'javascript:alert(1)' } }, /^deepLinkConfig/],
    ['routing', { expiredUrl: 'ftp://example.com/' }, /^expiredUrl/],
    ['routing', { startsAt: '2095-01-01T00:00:00.000Z' }, /^startsAt must be before expiresAt/],
    ['externalId', 'a\u0000b', /^externalId/],
  ])(
    'to %s that an update would refuse today is refused, and changes nothing',
    async (part, value, error) => {
      const { id } = await own.createCode({ expiresAt: '2090-01-01T00:00:00Z' });
      await put(id, { name: 'later' });
      // Rules may have become stricter since the version was made.
      await plane.pool.query(
        `UPDATE code_versions SET parts = ARRAY[$2], before = jsonb_build_object($2::text, $3::jsonb) WHERE code_id = $1`,
        [id, part, JSON.stringify(value).replaceAll('\\u0000', '\\u0001')],
      );
      const before = await get(id);
      const answer = await revert(id, 1);
      expect([Math.floor(answer.status / 100), (answer.body as { error: string }).error]).toEqual([
        4,
        expect.stringMatching(error),
      ]);
      expect(await get(id)).toEqual(before);
    },
  );

  test('of a version with a change that is not in the history is refused', async () => {
    const { id } = await own.createCode();
    await put(id, { name: 'a' });
    await put(id, { name: 'b' });
    // A control plane of the version before has written this one.
    await plane.pool.query('DELETE FROM code_versions WHERE code_id = $1 AND version = 2', [id]);
    expect(await revert(id, 1)).toMatchObject({ status: 422 });
    expect(await revert(id, 2)).toMatchObject({ status: 200, body: { name: 'a' } });
  });
});
