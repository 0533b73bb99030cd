/** Bulk calls: the checks of the whole call, the fate of each row, and the limits. */
import { beforeAll, describe, expect, test } from 'vitest';
import { bulkResultEntry } from '#schemas/api/bulk.ts';
import {
  kitBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import {
  completed,
  type Entry,
  plainRow,
  plainRows,
  progressOf,
  resultOf,
  submit,
  submitted,
} from './testing/calls.ts';
import { holdResults } from './testing/held-results.ts';
import { createdEventsTable, recordingFeatures } from './testing/recording-plane.ts';

let plane: TestControlPlane;
let workspace: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({ features: recordingFeatures });
  await plane.pool.query(createdEventsTable);
  workspace = await plane.workspace();
});

const textOf = ({ body }: { body: unknown }): string => (body as { error: string }).error;

const stored = async (): Promise<number> => {
  const { rows } = await plane.pool.query<{ rows: number }>(
    'SELECT count(*)::integer AS rows FROM bulk_operations',
  );
  return rows[0]!.rows;
};

const usedBy = async ({ subscriptionId }: Workspace, quota: string): Promise<number> => {
  const { rows } = await plane.pool.query<{ used: number }>(
    'SELECT used::integer AS used FROM quota_usage WHERE subscription_id = $1 AND capability = $2',
    [subscriptionId, quota],
  );
  return rows[0]?.used ?? 0;
};

const codesOf = async ({ workspaceId }: Workspace): Promise<number> => {
  const { rows } = await plane.pool.query<{ codes: number }>(
    'SELECT count(*)::integer AS codes FROM codes WHERE workspace_id = $1',
    [workspaceId],
  );
  return rows[0]!.codes;
};

describe('the whole call is refused with 400 naming the row, before anything is stored, if', () => {
  const kit = { brandKitId: 'bk_1111111111111111' };
  test.each<[what: string, body: unknown, message: RegExp]>([
    [
      'it is an object in place of the array',
      plainRow(1),
      /^The body must be an array of rows; given: an object$/,
    ],
    ['it is null', null, /^The body must be an array of rows; given: null$/],
    ['it is a string', '"rows"', /^The body must be an array of rows; given: 'rows'$/],
    ['it is empty', [], /^The body must have at least 1 row; given: 0$/],
    ['it has 1,001 rows', plainRows(1_001), /^The body must have at most 1000 rows; given: 1001$/],
    ['a row is null', [plainRow(1), null], /^rows\[1\] must be an object; given: null$/],
    ['a row is an array', [[plainRow(1)]], /^rows\[0\] must be an object; given: an array$/],
    ['a uid is missing', [plainRow(1), { data: 'x' }], /^rows\[1\]\.uid is required$/],
    [
      'a uid is empty',
      [{ ...plainRow(1), uid: '' }],
      /^rows\[0\]\.uid must be a string of 1 to 200 characters/,
    ],
    ['a uid is too long', [{ ...plainRow(1), uid: 'u'.repeat(201) }], /^rows\[0\]\.uid .* given: 201$/],
    ['a uid is a number', [{ ...plainRow(1), uid: 7 }], /^rows\[0\]\.uid must be a string .* given: 7$/],
    [
      'a uid cannot be stored',
      [{ ...plainRow(1), uid: 'a\u0000b' }],
      /^rows\[0\]\.uid .* control characters/,
    ],
    [
      'a uid comes twice',
      [plainRow(1), plainRow(2), plainRow(1)],
      /^rows\[2\]\.uid must be unique in the call; 'row 1' is the uid of rows\[0\]$/,
    ],
    [
      'a preset does not exist',
      [plainRow(1), { ...plainRow(2), preset: 'sparkles' }],
      /^rows\[1\]\.preset must be one of classic, .*; given: 'sparkles' \(uid 'row 2'\)$/,
    ],
    [
      'a preset is no text',
      [{ ...plainRow(1), preset: 5 }],
      /^rows\[0\]\.preset must be one of .*; given: 5/,
    ],
    [
      'a brand kit does not exist',
      [plainRow(1), { ...plainRow(2), ...kit }],
      /^rows\[1\]\.brandKitId 'bk_1111111111111111' is not a brand kit of this workspace \(uid 'row 2'\)$/,
    ],
    [
      'a brand kit is no text',
      [{ ...plainRow(1), brandKitId: {} }],
      /^rows\[0\]\.brandKitId must be a string/,
    ],
  ])('%s', async (_, body, message) => {
    const limited = await plane.workspace({
      limits: { requestsPerSecond: 1_000, dynamicQr: 5_000, bulkOrders: 9 },
    });
    const before = await stored();
    const answer = await submit(limited.call, body);
    expect([answer.status, textOf(answer)]).toEqual([400, expect.stringMatching(message)]);
    expect(await stored()).toBe(before);
    expect([await usedBy(limited, 'dynamicQr'), await usedBy(limited, 'bulkOrders')]).toEqual([0, 0]);
  });

  test('a brand kit is another workspace’s', async () => {
    const foreign = await plane.workspace();
    const { body } = await foreign.call('POST', '/api/qr/brand-kits', kitBody);
    const { kitId } = body as { kitId: string };
    const before = await stored();
    const answer = await submit(workspace.call, [plainRow(0), { ...plainRow(1), brandKitId: kitId }]);
    expect(answer.status).toBe(400);
    expect(textOf(answer)).toBe(`rows[1].brandKitId '${kitId}' belongs to another workspace (uid 'row 1')`);
    expect(await stored()).toBe(before);
  });
});

describe('a call', () => {
  test('is answered 202 with its bulkId before its rows are done, and can be polled until completed', async () => {
    const held = await holdResults(plane.pool, 100);
    const answer = await submit(workspace.call, plainRows(1_000));
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ kind: 'create', status: 'pending', total: 1_000, processed: 0 });
    const { bulkId } = answer.body as { bulkId: string };
    expect(answer.headers.get('location')).toMatch(new RegExp(`/api/qr/codes/bulk/${bulkId}$`));
    await held.isReached();
    const { status, processed } = await progressOf(workspace.call, bulkId);
    expect([status, processed > 0, processed < 1_000]).toEqual(['processing', true, true]);
    await held.letGo();
    await completed(workspace.call, bulkId);
    expect(await progressOf(workspace.call, bulkId)).toMatchObject({ succeeded: 1_000, failed: 0 });
    const ids = (await resultOf(workspace.call, bulkId)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1_000);
    const { rows } = await plane.pool.query<{ events: number; codes: number }>(
      `SELECT count(*)::integer AS events, count(DISTINCT code_id)::integer AS codes FROM created_events
       WHERE code_id = ANY($1)`,
      [ids],
    );
    expect(rows).toEqual([{ events: 1_000, codes: 1_000 }]);
  });

  test('of 25 MB is accepted, and one byte more gets 413', async () => {
    const rows = plainRows(100).map((row) => ({ ...row, image: 'A'.repeat(262_000) }));
    const fill = 25 * 2 ** 20 - Buffer.byteLength(JSON.stringify(rows));
    const body = JSON.stringify(rows) + ' '.repeat(fill);
    const answer = await submit(workspace.call, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const { bulkId } = answer.body as { bulkId: string };
    expect(await completed(workspace.call, bulkId)).toMatchObject({ failed: 100 });
    expect((await submit(workspace.call, `${body} `)).status).toBe(413);
  });

  test('loses and doubles no row if its connections to PostgreSQL are cut again and again', async () => {
    const bulkId = await submitted(workspace.call, plainRows(300));
    for (let cuts = 0; cuts < 2; cuts++) {
      const { processed } = await progressOf(workspace.call, bulkId);
      await plane.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'waymark-jobs'`,
      );
      await expect
        .poll(async () => (await progressOf(workspace.call, bulkId)).processed, {
          timeout: 60_000,
          interval: 10,
        })
        .toBeGreaterThan(Math.min(processed, 299));
    }
    const entries = await resultOf(workspace.call, bulkId);
    expect(entries.map(({ status }) => status)).toEqual(Array(300).fill('created'));
    const ids = entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(300);
    const { rows } = await plane.pool.query<{ events: number }>(
      'SELECT count(*)::integer AS events FROM created_events WHERE code_id = ANY($1)',
      [ids],
    );
    expect(rows).toEqual([{ events: 300 }]);
  }, 120_000);

  test('by GET is 405: bulk is not the id of a code', async () => {
    const answer = await workspace.call('GET', '/api/qr/codes/bulk');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('is allowed five times a minute per subscription, over all four kinds of call', async () => {
    const few = await plane.workspace({ limits: { bulkCallsPerMinute: undefined } });
    const calls = ['', '/replace', '/upload'].map((path) => `/api/qr/codes/bulk${path}`);
    const answers = [];
    for (const path of [...calls, '/api/qr/bulk-generate', ...calls.slice(0, 2)])
      answers.push(await few.call('POST', path, []));
    expect(answers.map(({ status }) => status === 429)).toEqual([false, false, false, false, false, true]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(Array(6).fill('5;w=60'));
    // Another customer calls from the same address.
    expect((await submit(workspace.call, [plainRow(1)])).status).toBe(202);
  });
});

describe('a row', () => {
  const future = Date.now() + 86_400_000;
  test('may have every field of a single create', async () => {
    const { body: kit } = await workspace.call('POST', '/api/qr/brand-kits', kitBody);
    const { kitId } = kit as { kitId: string };
    const rows = [
      { uid: 'password', data: 'https://example.com/', secure: ['password'], password: 'open sesame' },
      { uid: 'expiry', data: 'https://example.com/', secure: ['expire'], expiry: future },
      { uid: 'cap', data: 'https://example.com/', maxScans: 7, name: 'Capped' },
      {
        uid: 'routed',
        data: 'https://example.com/',
        routingRules: [{ id: 'de', condition: { country: ['DE'] }, destination: 'https://example.com/de' }],
        campaign: {
          status: 'active',
          variants: [{ id: 'a', name: 'A', destination: 'https://example.com/a', weight: 1 }],
        },
        deepLinkConfig: { ios: { url: 'example://open' } },
      },
      {
        uid: 'styled',
        data: 'https://example.com/',
        dotsOptions: { type: 'dots', color: '#112233' },
        margin: 4,
      },
      { uid: 'preset', data: 'https://example.com/', preset: 'ocean' },
      { uid: 'kit', data: 'https://example.com/', brandKitId: kitId },
      { uid: 'wifi', dataType: 'wifi', data: { ssid: 'Guests', password: 'welcome!', encryption: 'WPA' } },
    ];
    const entries = await resultOf(workspace.call, await submitted(workspace.call, rows));
    expect(entries.map(({ uid, status }) => [uid, status])).toEqual(rows.map(({ uid }) => [uid, 'created']));
    const codeOf = async (uid: string) =>
      (await workspace.call('GET', `/api/qr/codes/${entries.find((entry) => entry.uid === uid)!.id}`)).body;
    expect(await codeOf('password')).toMatchObject({ passwordProtected: true, secure: ['password'] });
    expect(await codeOf('expiry')).toMatchObject({ expiresAt: new Date(future).toISOString() });
    expect(await codeOf('cap')).toMatchObject({ maxScans: 7, name: 'Capped' });
    expect(await codeOf('routed')).toMatchObject({
      routingRules: [{ id: 'de' }],
      campaign: { status: 'active' },
      deepLinkConfig: { ios: { url: 'example://open' } },
    });
    expect(await codeOf('styled')).toMatchObject({ style: { margin: 4, dotsOptions: { type: 'dots' } } });
    expect(await codeOf('preset')).toMatchObject({ style: { preset: 'ocean' } });
    expect(await codeOf('kit')).toMatchObject({ style: { brandKitId: kitId } });
    expect(await codeOf('wifi')).toMatchObject({
      dataType: 'wifi',
      destination: expect.stringMatching(/^WIFI:/),
    });
  });

  test('with a fault fails alone, naming the field, and does not affect the valid rows of the call', async () => {
    const data = 'https://example.com/';
    const rows: [uid: string, row: object, message: RegExp | undefined, code?: string][] = [
      ['good', { data }, undefined],
      ['no data', {}, /^data is required/, 'INVALID_REQUEST'],
      ['bad scheme', { data: 'javascript:alert(1)' }, /^data /, 'UNPROCESSABLE'],
      ['unknown field', { data, styleJson: '{}' }, /^styleJson is not a known field/, 'INVALID_REQUEST'],
      ['wrong type', { data, maxScans: 'many' }, /^maxScans /, 'INVALID_REQUEST'],
      ['no password', { data, secure: ['password'] }, /^password /],
      [
        'past',
        { data, expiresAt: '2001-01-01T00:00:00Z' },
        /^expiresAt must be in the future/,
        'UNPROCESSABLE',
      ],
      [
        'both',
        { data, preset: 'menu', brandKitId: undefined, dotsOptions: { color: 'red' } },
        /^dotsOptions\.color /,
      ],
      [
        'unreadable',
        { data, dotsOptions: { color: '#fefefe' }, cornersSquareOptions: { color: '#fefefe' } },
        /dotsOptions|backgroundOptions|color/,
        'UNPROCESSABLE',
      ],
      ['good too', { data, name: 'Table 7' }, undefined],
    ];
    const bulkId = await submitted(
      workspace.call,
      rows.map(([uid, row]) => ({ uid, ...row })),
    );
    const entries = await resultOf(workspace.call, bulkId);
    for (const [at, [uid, , message, code]] of rows.entries()) {
      const entry = entries[at]!;
      if (message === undefined) expect(entry).toMatchObject({ uid, status: 'created' });
      else
        expect(entry).toEqual({
          uid,
          status: 'failed',
          message: expect.stringMatching(message),
          code: code ?? expect.any(String),
        });
    }
    expect(await progressOf(workspace.call, bulkId)).toMatchObject({ total: 10, succeeded: 2, failed: 8 });
  });

  test('with a name or a value that PostgreSQL cannot store fails, naming the field', async () => {
    const data = 'https://example.com/';
    const fields = ['name', 'data', 'dataType', 'secure', 'expiresAt', 'dotsOptions', 'image'];
    const rows = ['a\ud800', 'a\0b'].flatMap((text) => [
      { data, [text]: 1 },
      { data, dotsOptions: { [text]: 1 } },
      ...fields.map((field) => ({ data, [field]: text })),
      { data, dotsOptions: { color: text } },
      { data, routingRules: [{ id: text, condition: { country: [text] }, destination: text }] },
      { data: { ssid: text, password: text, encryption: text }, dataType: 'wifi' },
    ]);
    const bulkId = await submitted(
      workspace.call,
      rows.map((row, n) => ({ uid: `${n}`, ...row })),
    );
    await completed(workspace.call, bulkId);
    const { rows: attempts } = await plane.pool.query(
      'SELECT max(attempts) AS most FROM bulk_rows WHERE bulk_id = $1',
      [bulkId],
    );
    expect(attempts).toEqual([{ most: 1 }]);
    const entries = await resultOf(workspace.call, bulkId);
    for (const [at, entry] of entries.entries()) {
      expect(entry, JSON.stringify(rows[at])).toMatchObject({
        status: 'failed',
        code: expect.stringMatching(/^(UNPROCESSABLE|INVALID_REQUEST)$/),
      });
    }
    expect(entries[0]).toMatchObject({ message: expect.stringMatching(/^a\ufffd is not a known field/) });
  });

  test('is never in PostgreSQL in clear before it is done, and is nowhere afterwards', async () => {
    const blocked = await plane.pool.connect();
    const secrets = { password: 'open sesame, bulk', key: 'a passphrase for the seals' };
    const rows = [
      { uid: 'p', data: 'https://example.com/', secure: ['password'], password: secrets.password },
      {
        uid: 'e',
        data: 'https://example.com/sealed-in-bulk',
        secure: ['encrypt'],
        encryption: { type: 'AES', key: secrets.key },
      },
      { uid: 'f', data: 7, password: secrets.password, encryption: { type: 'DES', key: secrets.key } },
    ];
    const dump = async (): Promise<string> => {
      const tables = [
        'jobs',
        'bulk_operations',
        'bulk_rows',
        'codes',
        'idempotent_answers',
        'graphile_worker._private_jobs',
      ];
      const all = await Promise.all(tables.map((name) => plane.pool.query(`SELECT t::text FROM ${name} t`)));
      // bytea columns are printed in hexadecimal.
      const hex = (text: string) => Buffer.from(text).toString('hex');
      const text = JSON.stringify(all.map(({ rows: found }) => found));
      for (const secret of [secrets.password, secrets.key, 'sealed-in-bulk'])
        expect([text.includes(secret), text.includes(hex(secret))]).toEqual([false, false]);
      return text;
    };
    await blocked.query('BEGIN; LOCK TABLE codes IN SHARE MODE');
    let bulkId: string;
    try {
      bulkId = await submitted(workspace.call, rows);
      expect(await dump()).toContain(bulkId);
    } finally {
      await blocked.query('ROLLBACK');
      blocked.release();
    }
    await completed(workspace.call, bulkId);
    await dump();
    const { rows: bodies } = await plane.pool.query(
      'SELECT FROM bulk_rows WHERE bulk_id = $1 AND body IS NOT NULL',
      [bulkId],
    );
    expect(bodies).toEqual([]);
    expect(JSON.stringify(await resultOf(workspace.call, bulkId))).not.toMatch(/sesame|passphrase/);
  });
});

describe('the quota', () => {
  const limited = (dynamicQr: number, bulkOrders = 50) =>
    plane.workspace({ limits: { requestsPerSecond: 1_000, dynamicQr, bulkOrders } });

  test('of dynamic codes counts for the whole call: one that does not fit is refused, with how many would', async () => {
    const own = await limited(10);
    await own.createCode();
    const answer = await submit(own.call, plainRows(12));
    expect([answer.status, answer.headers.get('x-service-error-code')]).toEqual([429, 'PLAN_LIMIT_REACHED']);
    expect(textOf(answer)).toContain(
      'The quota is 10 dynamic QR codes: 1 is used, 9 are left, and this call needs 12. ',
    );
    expect(answer.body).toMatchObject({
      capability: 'dynamicQr',
      limit: 10,
      used: 1,
      requested: 12,
      fits: 9,
    });
    expect([await usedBy(own, 'dynamicQr'), await usedBy(own, 'bulkOrders')]).toEqual([1, 0]);
    await completed(own.call, await submitted(own.call, plainRows(9)));
    expect([await codesOf(own), await usedBy(own, 'dynamicQr')]).toEqual([10, 10]);
  });

  test('is exact for concurrent calls', async () => {
    const own = await limited(25);
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(own.call, plainRows(10))));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429, 429]);
    for (const { status, body } of answers)
      if (status === 202) await completed(own.call, (body as { bulkId: string }).bulkId);
    expect([await codesOf(own), await usedBy(own, 'dynamicQr')]).toEqual([20, 20]);
    expect(await usedBy(own, 'bulkOrders')).toBe(2);
  });

  test('is given back by a row that fails', async () => {
    const own = await limited(10);
    const rows = [...plainRows(4), ...[1, 2, 3].map((n) => ({ uid: `bad ${n}`, data: 'no url' }))];
    expect(await completed(own.call, await submitted(own.call, rows))).toMatchObject({
      succeeded: 4,
      failed: 3,
    });
    expect(await usedBy(own, 'dynamicQr')).toBe(4);
  });

  test('of bulk calls limits the calls of a day', async () => {
    const own = await limited(100, 2);
    expect((await submit(own.call, plainRows(1))).status).toBe(202);
    expect((await submit(own.call, [])).status).toBe(400);
    expect((await submit(own.call, plainRows(1))).status).toBe(202);
    const answer = await submit(own.call, plainRows(1));
    expect([answer.status, answer.headers.get('x-service-error-code')]).toEqual([429, 'PLAN_LIMIT_REACHED']);
    expect(answer.body).toMatchObject({ capability: 'bulkOrders', limit: 2, used: 2 });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('with an idempotency key', () => {
  test('a call runs once, and its answer is repeated', async () => {
    const own = await plane.workspace({
      limits: { requestsPerSecond: 1_000, bulkOrders: 5, dynamicQr: 100 },
    });
    const headers = { 'waymark-idempotency-key': 'order 7' };
    const answers = await Promise.all([1, 2, 3].map(() => submit(own.call, plainRows(5), headers)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await completed(own.call, (answers[0]!.body as { bulkId: string }).bulkId);
    expect([await codesOf(own), await usedBy(own, 'bulkOrders')]).toEqual([5, 1]);
    const other = await submit(own.call, plainRows(6), headers);
    expect([other.status, textOf(other)]).toEqual([422, expect.stringContaining('for a different request')]);
  });

  test('a large call is recognised by its bytes', async () => {
    const own = await plane.workspace();
    const headers = { 'waymark-idempotency-key': 'large' };
    const body = JSON.stringify(plainRows(20).map((row) => ({ ...row, name: 'x'.repeat(250_000) })));
    const [first, second, other] = [
      await submit(own.call, body, headers),
      await submit(own.call, body, headers),
      await submit(own.call, `${body} `, headers),
    ];
    expect([first.status, second.status, other.status]).toEqual([202, 202, 422]);
    expect(second.body).toEqual(first.body);
  });
});

test('result entries match the documentation', () => {
  const entry: Entry = { uid: 'a', status: 'failed', message: 'data is required', code: 'INVALID_REQUEST' };
  expect(bulkResultEntry.parse(entry)).toEqual(entry);
});

describe('a dry run', () => {
  const dry = (call: Workspace['call'], rows: unknown) =>
    call('POST', '/api/qr/codes/bulk?dryRun=true', rows);

  test('says of each row whether it would be created, draws what is drawn, and creates and counts nothing', async () => {
    const own = await plane.workspace({ limits: { requestsPerSecond: 1_000, dynamicQr: 4 } });
    const rows = [
      plainRow(1),
      { ...plainRow(2), data: 'nowhere' },
      { ...plainRow(3), dotsOptions: { color: '#ffffff' } },
      { ...plainRow(4), dotsOptions: { color: '#224466' }, password: 'open sesame', secure: ['password'] },
    ];
    const answer = await dry(own.call, rows);
    expect(answer).toMatchObject({ status: 202, body: { kind: 'validate', total: 4 } });
    const { bulkId } = answer.body as { bulkId: string };
    expect(await resultOf(own.call, bulkId)).toEqual([
      { uid: 'row 1', status: 'valid' },
      expect.objectContaining({ uid: 'row 2', status: 'failed', code: 'UNPROCESSABLE' }),
      expect.objectContaining({ uid: 'row 3', status: 'failed', code: 'UNPROCESSABLE' }),
      { uid: 'row 4', status: 'valid' },
    ]);
    expect([await codesOf(own), await usedBy(own, 'dynamicQr')]).toEqual([0, 0]);
    // The quota has room for four, and the dry run took none of it.
    expect((await dry(own.call, plainRows(5))).status).toBe(429);
    await completed(own.call, await submitted(own.call, plainRows(4)));
    expect(await codesOf(own)).toBe(4);
    expect((await dry(own.call, [plainRow(1)])).status).toBe(429);
  });
});
