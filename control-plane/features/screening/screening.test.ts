/** What a write is refused for: by the operator's lists, which verbs maintain, and by a web-risk service. */
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { QueryConfig } from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { afterFile, temporaryFolder } from '../../../deploy/testing/local.ts';
import { createOutbox } from '../../framework/outbox.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { resultOf, submitted } from '../bulk/testing/calls.ts';
import { holdTurns } from '../bulk/testing/held-turns.ts';
import { mint } from '../serialized/testing/mints.ts';
import { createScreening } from './screening.ts';
import { findEntries } from './store.ts';
import { screeningVerbs } from './verbs.ts';

let plane: TestControlPlane;
let own: Workspace;
/** What the stub of the service answers: the hashes it knows, or a status. */
let risky: Set<string>;
let status = 200;
let asked: string[][];
let onAsked: () => Promise<void>;

const withService = async (): Promise<TestControlPlane> => {
  const server = http.createServer(async (request, response) => {
    await onAsked();
    const prefixes = new URL(request.url!, 'http://stub').searchParams.getAll('hashPrefixes');
    asked.push(prefixes);
    const wanted = new Set(prefixes.map((prefix) => Buffer.from(prefix, 'base64').toString('hex')));
    const fullHashes = [...risky]
      .filter((each) => wanted.has(each.slice(0, 8)))
      .map((each) => ({
        fullHash: Buffer.from(each, 'hex').toString('base64'),
        fullHashDetails: [{ threatType: 'SOCIAL_ENGINEERING', attributes: [] }],
      }));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ fullHashes, cacheDuration: '0.001s' }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return startTestControlPlane({
    environment: { WEB_RISK_URL: `http://127.0.0.1:${port}/v5/hashes:search?key=secret` },
  });
};

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

beforeEach(() => {
  risky = new Set();
  asked = [];
  onAsked = async () => undefined;
  status = 200;
});

const verb = async (name: string, flags: Record<string, string>) => {
  const complaints: string[] = [];
  const sent: string[] = [];
  const lines = await screeningVerbs[name]!.run(flags, {
    settings: { databaseUrl: plane.databaseUrl } as never,
    pool: plane.pool,
    outbox: createOutbox([]),
    print: () => {},
    async send(file) {
      for await (const text of file) sent.push(...text.trim().split('\n'));
    },
    complain: (line) => complaints.push(line),
  });
  return { lines, complaints, sent };
};

const block = (destination: string) => verb('block-destination', { destination });

/** The first entry of all is known a second later. */
const refused = (send: () => Promise<{ status: number; body: unknown }>, param: string) =>
  expect
    .poll(async () => {
      const { status, body } = await send();
      return { status, ...(body as object) };
    })
    .toMatchObject({ status: 422, code: 'DESTINATION_BLOCKED', param });

describe('a destination that the operator blocks', () => {
  beforeAll(async () => {
    await block('evil.example');
    await block('shared.example/bad');
    await block(`sha256:${hash('sha256', 'hashed.example/', 'hex').slice(0, 12)}`);
  });

  test.each([
    ['data', { data: 'https://evil.example/' }],
    ['data', { data: 'https://a.b.EVIL.example.:8443/x?y=z' }],
    ['data', { data: 'https://shared.example/good/../%62ad/page' }],
    ['data', { data: 'https://www.hashed.example/any' }],
    [
      'routingRules[0].destination',
      { routingRules: [{ condition: { country: ['DE'] }, destination: 'https://evil.example/' }] },
    ],
    [
      'campaign.variants[1].destination',
      {
        campaign: {
          status: 'active',
          variants: [
            { name: 'a', weight: 1, destination: 'https://good.example/' },
            { name: 'b', weight: 1, destination: 'https://evil.example/' },
          ],
        },
      },
    ],
    [
      'schedule[0].destination',
      { schedule: [{ at: '2999-01-01T00:00:00Z', destination: 'https://evil.example/' }] },
    ],
    ['expiredUrl', { expiredUrl: 'https://evil.example/' }],
    [
      'messages.inactive.button.url',
      { messages: { inactive: { button: { label: 'x', url: 'https://evil.example/' } } } },
    ],
  ])('is refused at %s of a new code', (param, body) =>
    refused(() => own.call('POST', '/api/qr/codes', { data: 'https://good.example/', ...body }), param),
  );

  test('is refused in every way to change a code, and the code stays as it is', async () => {
    const code = await own.createCode({ data: 'https://good.example/', externalId: 'mine' });
    const evil = { destination: 'https://evil.example/' };
    const at = `/api/qr/codes/${code.id}`;
    await refused(() => own.call('PUT', at, evil), 'destination');
    await refused(() => own.call('PATCH', at, evil), 'destination');
    await refused(
      () => own.call('PUT', '/api/qr/codes/upsert', { externalId: 'mine', data: 'https://evil.example/' }),
      'data',
    );
    expect((await own.call('GET', at)).body).toMatchObject({ destination: 'https://good.example/' });
  });

  test('costs its own row of a bulk call, and no other', async () => {
    const rows = [
      { uid: 'a', data: 'https://evil.example/' },
      { uid: 'b', data: 'https://good.example/' },
    ];
    const [bad, good] = await resultOf(own.call, await submitted(own.call, rows));
    expect(bad).toMatchObject({ uid: 'a', code: 'DESTINATION_BLOCKED' });
    expect(good).toMatchObject({ uid: 'b', status: 'created' });
  });

  test('is not reached by a revert or a replacement of texts', async () => {
    const code = await own.createCode({ data: 'https://evil-example/' });
    const at = `/api/qr/codes/${code.id}`;
    await own.call('PUT', at, { destination: 'https://later.example/' });
    await block('evil-example');
    const reverted = await own.call('POST', `${at}/revert`, { version: 1 });
    expect(reverted).toMatchObject({ status: 422, body: { code: 'DESTINATION_BLOCKED' } });
    const replaced = await own.call('POST', '/api/qr/codes/bulk/replace', {
      find: 'later.example',
      replace: 'evil.example',
    });
    const { bulkId } = replaced.body as { bulkId: string };
    expect(await resultOf(own.call, bulkId)).toMatchObject([{ uid: code.id, code: 'DESTINATION_BLOCKED' }]);
    expect((await own.call('GET', at)).body).toMatchObject({ destination: 'https://later.example/' });
  });

  describe('by a change of many codes', () => {
    const changes = '/api/qr/codes/bulk/changes';
    const changeOf = async (patch: object) => {
      const code = await own.createCode({ data: 'https://before.example/bad/page', tags: ['many'] });
      const filter = { tags: 'many' };
      return { code, body: { filter, action: 'update', patch } };
    };

    test.each<[string, object]>([
      ['patch.destination', { destination: 'https://evil.example/' }],
      ['patch.destinationHost', { destinationHost: 'www.evil.example:8443' }],
      ['patch.beforeStartUrl', { startsAt: '2999-01-01T00:00:00Z', beforeStartUrl: 'https://evil.example/' }],
      [
        'patch.routingRules[0].destination',
        { routingRules: [{ condition: { country: ['DE'] }, destination: 'https://evil.example/' }] },
      ],
      [
        'patch.messages.inactive.button.url',
        { messages: { inactive: { button: { label: 'x', url: 'https://evil.example/' } } } },
      ],
    ])('is refused at %s, also in a dry run', async (param, patch) => {
      const { body } = await changeOf(patch);
      await refused(() => own.call('POST', changes, { ...body, dryRun: true }), param);
      await refused(() => own.call('POST', changes, body), param);
    });

    test('costs the codes that the new host would lead there, and no other', async () => {
      const { code: bad, body } = await changeOf({ destinationHost: 'shared.example' });
      const good = await own.createCode({ data: 'https://before.example/good', tags: ['many'] });
      const { bulkId } = (await own.call('POST', changes, body)).body as { bulkId: string };
      const entries = await resultOf(own.call, bulkId);
      expect(entries).toContainEqual(
        expect.objectContaining({
          uid: bad.id,
          code: 'DESTINATION_BLOCKED',
          message: expect.stringMatching(/^patch\.destinationHost must not lead to/),
        }),
      );
      expect(entries).toContainEqual(expect.objectContaining({ uid: good.id, status: 'updated' }));
    });

    test('is not reached if it was blocked after the call', async () => {
      const { code, body } = await changeOf({ destination: 'https://blocked-later.example/' });
      const release = await holdTurns(plane.pool);
      const { bulkId } = (await own.call('POST', changes, body)).body as { bulkId: string };
      await block('blocked-later.example');
      // The process learns within a second that an entry is longer than any before.
      const create = () => own.call('POST', '/api/qr/codes', { data: 'https://blocked-later.example/' });
      await expect.poll(async () => (await create()).status).toBe(422);
      await release();
      const entries = await resultOf(own.call, bulkId);
      expect(entries).toContainEqual(
        expect.objectContaining({ uid: code.id, status: 'failed', code: 'DESTINATION_BLOCKED' }),
      );
    });
  });

  test('is refused at a domain', async () => {
    const domain = { domain: 'go.example.com', notFoundUrl: 'https://evil.example/' };
    await refused(() => own.call('POST', '/api/domains', domain), 'notFoundUrl');
  });

  test('is refused as a link of a batch of items', async () => {
    const batch = { batchName: 'x', count: 1 };
    for (const field of ['brandUrl', 'supportUrl', 'registerUrl'])
      await refused(
        () => own.call('POST', '/api/qr/serialized-batches', { ...batch, [field]: 'https://evil.example/' }),
        field,
      );
    const { batchId } = await mint(own.call);
    await refused(
      () =>
        own.call('PATCH', `/api/qr/serialized-batches/${batchId}`, { supportUrl: 'https://evil.example/' }),
      'supportUrl',
    );
  });

  test('is refused in a page', async () => {
    const buttons = [{ label: 'x', destination: 'https://evil.example/' }];
    const { status, body } = await own.call('POST', '/api/qr/landing-pages', { name: 'x', buttons });
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'DESTINATION_BLOCKED' } });
  });

  test('is refused in a menu that is so large that a thread reads it', async () => {
    const items = Array.from({ length: 50 }, (_, n) => ({ name: `dish ${n}`, description: 'x'.repeat(400) }));
    const sections = Array.from({ length: 5 }, (_, n) => ({ name: `part ${n}`, items }));
    const menu = {
      name: 'Dinner',
      sections,
      buttons: [{ label: 'x', destination: 'https://evil.example/' }],
    };
    expect(JSON.stringify(menu).length).toBeGreaterThan(64 * 1024);
    const { status, body } = await own.call('POST', '/api/qr/menus', menu);
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: 'DESTINATION_BLOCKED', param: 'buttons[0].destination' },
    });
  });

  test('is not looked for in the page of an unknown id', async () => {
    const change = { buttons: [{ label: 'x', destination: 'https://evil.example/' }] };
    for (const path of ['landing-pages/page_unknown', 'menus/menu_unknown'])
      expect(await own.call('PATCH', `/api/qr/${path}`, change)).toMatchObject({ status: 404 });
  });

  test('costs its own row of updates, and no other', async () => {
    const [bad, good] = [await own.createCode(), await own.createCode()];
    const rows = [
      { id: bad.id, destination: 'https://evil.example/' },
      { id: good.id, destination: 'https://good.example/' },
    ];
    const { body } = await own.call('POST', '/api/qr/codes/bulk/replace', rows);
    const entries = await resultOf(own.call, (body as { bulkId: string }).bulkId);
    expect(entries).toMatchObject([
      { uid: bad.id, code: 'DESTINATION_BLOCKED', message: expect.stringMatching(/^destination must/) },
      { uid: good.id, status: 'updated' },
    ]);
    expect((await own.call('GET', `/api/qr/codes/${bad.id}`)).body).toMatchObject({
      destination: bad.destination,
    });
  });

  test.each<[string, string, object]>([
    ['/api/qr/codes', 'Waymark-Idempotency-Key', { data: 'https://repeated.example/' }],
    [
      '/api/qr/landing-pages',
      'Waymark-Idempotency-Key',
      { name: 'x', buttons: [{ label: 'x', destination: 'https://repeated.example/' }] },
    ],
    [
      '/api/qr/serialized-batches',
      'Idempotency-Key',
      { batchName: 'x', count: 1, brandUrl: 'https://repeated.example/' },
    ],
  ])(
    'that was created by %s before is created no more, and a repeated call gets its answer',
    async (path, header, body) => {
      await verb('unblock-destination', { destination: 'repeated.example' }).catch(() => undefined);
      const send = () => own.call('POST', path, body, { [header]: path });
      await expect.poll(async () => (await send()).status).toBeLessThan(300);
      const first = await send();
      await block('repeated.example');
      await expect
        .poll(async () => (await own.call('POST', path, body)).body)
        .toMatchObject({ code: 'DESTINATION_BLOCKED' });
      const { status, body: repeated } = await send();
      expect({ status, repeated }).toEqual({ status: first.status, repeated: first.body });
    },
  );

  test('is refused in a dry run', () =>
    refused(() => own.call('POST', '/api/qr/codes?dryRun=true', { data: 'https://evil.example/' }), 'data'));

  test('may be named in notes and metadata, where no visitor sees it', async () => {
    await own.createCode({
      data: 'https://good.example/',
      notes: 'https://evil.example/',
      metadata: { at: 'https://evil.example/' },
    });
  });
});

describe('a list', () => {
  test('is imported from a file, replaced, listed and emptied', async () => {
    const file = path.join(await temporaryFolder(), 'list.txt');
    await writeFile(
      file,
      '# phishing\n0.0.0.0 one.example\n||two.example^\n\nnot a host\nthree.example/path\r\n',
    );
    const first = await verb('import-blocked-destinations', { file, list: 'phishing' });
    expect(first).toMatchObject({
      lines: [{ entries: 3, refused: 1, removed: 0 }],
      complaints: [expect.stringContaining('line 5')],
    });
    await writeFile(file, 'two.example\nfour.example\n');
    const second = await verb('import-blocked-destinations', { file, list: 'phishing', replace: 'true' });
    expect(second.lines).toMatchObject([{ entries: 2, removed: 2 }]);
    const { sent } = await verb('list-blocked-destinations', { list: 'phishing' });
    expect(sent.map((line) => JSON.parse(line).destination)).toEqual(['four.example', 'two.example']);
    await verb('unblock-destination', { destination: 'two.example' });
    expect((await verb('list-blocked-destinations', { list: 'phishing' })).sent).toHaveLength(1);
    await expect(verb('unblock-destination', { destination: 'two.example' })).rejects.toThrow('No list has');
    await expect(block('http://a.example/?q')).rejects.toThrow('--destination');
  });
});

describe('a look-up', () => {
  test('of a large write goes in queries of less than a megabyte, and finds the last URL', async () => {
    const long = `long.example/${'x'.repeat(1_900)}`;
    await block(long);
    await block('last.example');
    const sizes: number[] = [];
    const db = {
      query(query: QueryConfig) {
        if (query.values) sizes.push(JSON.stringify(query.values).length);
        return plane.pool.query(query);
      },
    } as Queryable;
    const path = Array.from({ length: 8 }, () => 'y%2e'.repeat(60)).join('/');
    const urls = Array.from({ length: 150 }, (_, n) => `https://a.b.c.d.e.f.g.h.i.j${n}/${path}`);
    const screening = createScreening(db, undefined);
    await expect(
      screening.requireAllowed({ urls: [...urls, 'https://last.example/'] }, 'own'),
    ).rejects.toMatchObject({
      message: expect.stringContaining('urls[150]'),
    });
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThan(2 ** 20);
    await verb('unblock-destination', { destination: long });
  });

  test('that finds more than a query returns is divided, and refused if it cannot be', async () => {
    const insert = (lookup: string, count: number) =>
      plane.pool.query(
        `INSERT INTO blocked_destinations (lookup, rest, list)
         SELECT $1, lpad(to_hex(n), 8, '0'), 'many' FROM generate_series(1, $2::int) n`,
        [lookup, count],
      );
    await insert('#0000000a', 6_000);
    await insert('#0000000b', 6_000);
    expect(await findEntries(plane.pool, ['#0000000a', '#0000000b'])).toHaveLength(12_000);
    await insert('#0000000c', 10_000);
    await expect(findEntries(plane.pool, ['#0000000c'])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await plane.pool.query(`DELETE FROM blocked_destinations WHERE list = 'many'`);
  });
});

describe('a write with many URLs', () => {
  const tagsOf = (section: number, item: number) =>
    Array.from({ length: 30 }, (_, n) => `http://a${section}-${item}-${n}.bc`);
  const menuOf = (sections: number) => ({
    name: 'Dinner',
    sections: Array.from({ length: sections }, (_, section) => ({
      name: `part ${section}`,
      items: Array.from({ length: 50 }, (_, item) => ({
        name: `dish ${item}`,
        allergens: tagsOf(section, item),
        dietary: tagsOf(section, item).map((tag) => `${tag}/d`),
      })),
    })),
  });
  const refusal = {
    status: 422,
    body: {
      code: 'UNPROCESSABLE',
      error: expect.stringMatching(/^sections\[0\]\.items\[33\]\.allergens.* at most 2000 different URLs/),
      param: expect.stringMatching(/^sections\[0\]\.items\[33\]\.allergens/),
    },
  };

  test('is refused at the field of the first one too many, whether or not a thread reads it', async () => {
    expect(await own.call('POST', '/api/qr/menus', menuOf(20))).toMatchObject(refusal);
    const screening = createScreening(plane.pool, undefined);
    await expect(screening.requireAllowed(menuOf(1), own.workspaceId)).rejects.toMatchObject({
      message: refusal.body.error,
    });
  });

  test('is taken if they are often the same', async () => {
    const menu = menuOf(1);
    menu.sections[0]!.items.splice(30);
    const again = { ...menu, sections: Array.from({ length: 20 }, () => menu.sections[0]!) };
    expect((await own.call('POST', '/api/qr/menus', again)).status).toBe(201);
  });
});

describe('a web-risk service', () => {
  let guarded: Workspace;
  let other: TestControlPlane;

  beforeAll(async () => {
    other = await withService();
    guarded = await other.workspace();
  });

  test('is asked for beginnings of hashes, and its threats are refused', async () => {
    risky.add(hash('sha256', 'phish.example/login/', 'hex'));
    const answer = await guarded.call('POST', '/api/qr/codes', {
      data: 'https://www.phish.example/login/now?id=1',
    });
    expect(answer).toMatchObject({ status: 422, body: { code: 'DESTINATION_BLOCKED', param: 'data' } });
    expect(asked.flat().every((prefix) => Buffer.from(prefix, 'base64').length === 4)).toBe(true);
    await guarded.createCode({ data: 'https://www.phish.example/elsewhere' });
  });

  test('learns nothing of a destination that is about to be encrypted', async () => {
    const encryption = { type: 'AES', key: 'long enough' };
    const body = { data: 'https://sealed.example/', secure: ['encrypt'], encryption };
    expect((await guarded.call('POST', '/api/qr/codes', body)).status).toBe(201);
    expect(asked).toEqual([]);
  });

  test('is not asked for a create that a quota or a repeated call ends', async () => {
    const few = await other.workspace({ limits: { requestsPerSecond: 1_000_000, dynamicQr: 1 } });
    const once = { 'waymark-idempotency-key': 'once' };
    const body = { data: 'https://counted.example/' };
    const first = await few.call('POST', '/api/qr/codes', body, once);
    expect(first.status).toBe(201);
    expect(asked).toHaveLength(1);
    expect((await few.call('POST', '/api/qr/codes', { data: 'https://too-many.example/' })).status).toBe(429);
    risky.add(hash('sha256', 'counted.example/', 'hex'));
    expect((await few.call('POST', '/api/qr/codes', body, once)).body).toEqual(first.body);
    expect(asked).toHaveLength(1);
  });

  test('is asked in a dry run', async () => {
    risky.add(hash('sha256', 'dry.example/', 'hex'));
    const answer = await guarded.call('POST', '/api/qr/codes?dryRun=true', { data: 'https://dry.example/' });
    expect(answer).toMatchObject({ status: 422, body: { code: 'DESTINATION_BLOCKED', param: 'data' } });
  });

  test('has no transaction open while it is asked for a create', async () => {
    const open = `SELECT count(*)::int AS count FROM pg_stat_activity
                  WHERE datname = current_database() AND state = 'idle in transaction'`;
    let held = -1;
    onAsked = async () => {
      held = (await other.pool.query(open)).rows[0].count;
    };
    const key = { 'waymark-idempotency-key': 'while asked' };
    const answer = await guarded.call('POST', '/api/qr/codes', { data: 'https://slow.example/' }, key);
    expect([answer.status, held]).toEqual([201, 0]);
  });

  test('that is away never stops a write', async () => {
    status = 500;
    risky.add(hash('sha256', 'away.example/', 'hex'));
    await guarded.createCode({ data: 'https://away.example/' });
    await guarded.createCode({ data: 'https://away.example/' });
    expect(asked).toHaveLength(1);
  });
});
