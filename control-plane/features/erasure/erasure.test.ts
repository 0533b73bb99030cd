/** Erasures, by their answers and by what is left in both databases. */
import { isDeepStrictEqual } from 'node:util';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject } from '#schemas/api/codes.ts';
import type { ErasureObject } from '#schemas/api/erasures.ts';
import { parseRecord, recordKey } from '#schemas/code-record.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createCodeIds } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { createScanIds } from '#shared/scan-ids.ts';
import { deriveKey } from '#shared/signing.ts';
import { afterFile, createTestClickHouse } from '../../../deploy/testing/index.ts';
import { createOutbox } from '../../framework/outbox.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import {
  logo,
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { storeReport } from '../abuse/store.ts';
import { copyScansTask } from '../codes/lists/copy-scans.ts';
import { createEachCode } from '../codes/store/create.ts';
import { eraseLateScans, lateScanTasks } from './late-scans.ts';

let plane: TestControlPlane;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  plane = await startTestControlPlane({ clickhouseUrl: await createTestClickHouse() });
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 60_000);
  afterFile(() => clickhouse.close());
});

const minuteMs = 60_000;
const dayMs = 86_400_000;

interface Scan {
  codeId: string;
  /** Before now. */
  agoMs: number;
  visitor: number;
  kind?: 'scan' | 'bot';
  country?: string;
}

const scanIds = createScanIds(deriveKey(secretKey, 'scan-id'));

/** Each scan has a conversion. @returns the ids of the scans, as their destinations get them */
const record = async (
  { workspaceId }: Workspace,
  scans: readonly Scan[],
  name: string = crypto.randomUUID(),
): Promise<string[]> => {
  const nowMs = Date.now();
  const values = scans.map(({ codeId, agoMs, visitor, kind = 'scan', country = 'DE' }) => ({
    event_id: crypto.randomUUID(),
    ts: new Date(nowMs - agoMs).toISOString().slice(0, -1).replace('T', ' '),
    workspace_id: workspaceId,
    code_id: codeId,
    kind,
    device: 'mobile',
    os: 'ios',
    visitor,
    country,
    referrer_host: `${codeId}.example`,
  }));
  await clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values,
    clickhouse_settings: { insert_deduplication_token: name },
  });
  await clickhouse.insert({
    table: 'conversions',
    format: 'JSONEachRow',
    values: values.map(({ visitor: _, ...scan }) => ({
      ...scan,
      conversion_id: `cnv_${scan.event_id}`,
      event: 'sale',
      occurred_at: scan.ts,
    })),
  });
  return values.map(({ event_id: eventId, code_id: codeId }, at) =>
    scanIds.write({ eventId, codeId, tsMs: nowMs - scans[at]!.agoMs }),
  );
};

const rows = async <Row>(query: string): Promise<Row[]> =>
  (await clickhouse.query({ query, format: 'JSONEachRow' })).json<Row>();

/** The sums of a workspace, as they are and as its single scans add up. */
const sumsOf = async ({ workspaceId }: Workspace) => {
  const where = `WHERE workspace_id = '${workspaceId}'`;
  const [kept] =
    await rows(`SELECT sum(scans) AS scans, sum(bots) AS bots, uniqCombinedMerge(12)(visitors) AS visitors
    FROM scans_quarterly ${where}`);
  const [counted] = await rows(`SELECT countIf(kind = 'scan') AS scans, countIf(kind = 'bot') AS bots,
    uniqIf(visitor, kind = 'scan') AS visitors FROM scans ${where}`);
  const byValue = await rows(`SELECT dimension, value, sum(scans) AS n FROM scans_quarterly_breakdown ${where}
    AND dimension IN ('country', 'referrer') GROUP BY ALL ORDER BY ALL`);
  const byValueCounted = await rows(`SELECT dimension, value, count() AS n FROM scans
    ARRAY JOIN ['country', 'referrer'] AS dimension, [toString(country), referrer_host] AS value
    ${where} AND kind = 'scan' GROUP BY ALL ORDER BY ALL`);
  return {
    kept: { ...(kept as object), byValue },
    counted: { ...(counted as object), byValue: byValueCounted },
  };
};

/**
 * The sums once they are those of the single scans: a round by the plane's own task may still be emptying and filling visitors.
 */
const rightSums = async (own: Workspace): Promise<unknown> => {
  const { kept, counted } = await sumsOf(own);
  return isDeepStrictEqual(kept, counted) ? kept : { kept, counted };
};

/** In how many rows of each table of ClickHouse a code is. */
const tracesOf = async (codeId: string) => {
  const counts: Record<string, number> = {};
  for (const [table, where] of [
    ['scans', `code_id = '${codeId}'`],
    ['scan_log', `code_id = '${codeId}'`],
    ['conversions', `code_id = '${codeId}'`],
    ['scans_daily', `code_id = '${codeId}'`],
    ['scans_daily_breakdown', `code_id = '${codeId}'`],
    ['erasing_scans', `code_id = '${codeId}'`],
    ['scans_quarterly_breakdown', `value = '${codeId}.example'`],
  ] as const)
    counts[table] = Number(
      (await rows<{ n: string }>(`SELECT count() AS n FROM ${table} WHERE ${where}`))[0]!.n,
    );
  return counts;
};

const none = {
  scans: 0,
  scan_log: 0,
  conversions: 0,
  scans_daily: 0,
  scans_daily_breakdown: 0,
  erasing_scans: 0,
  scans_quarterly_breakdown: 0,
};

const isErased = async (own: Workspace, erasureId: string): Promise<ErasureObject> => {
  const read = async () => (await own.call('GET', `/api/qr/erasures/${erasureId}`)).body;
  await expect.poll(read, { timeout: 60_000 }).toMatchObject({ status: 'completed' });
  return (await read()) as ErasureObject;
};

const erase = async (own: Workspace, { id }: CodeObject): Promise<ErasureObject> => {
  const answer = await own.call('POST', `/api/qr/codes/${id}/erase`);
  expect(answer).toMatchObject({
    status: 202,
    body: { codeId: id, subject: 'code', status: 'pending', completedAt: null },
  });
  const erasure = answer.body as ErasureObject;
  expect(answer.headers.get('location')).toMatch(
    new RegExp(`^https?://[^/]+/api/qr/erasures/${erasure.id}$`),
  );
  return isErased(own, erasure.id);
};

const logger = createLogger('test', 'silent');
const eraseLate = () =>
  eraseLateScans({ pool: plane.pool, clickhouse, logger }, new Date(Date.now() - dayMs));

/** Copies scan counts into PostgreSQL. The plane's own task may do so at the same time. */
const copiedCount = async ({ id }: CodeObject): Promise<number> => {
  const connections = { jobs: plane.pool } as Parameters<typeof copyScansTask>[0]['connections'];
  await copyScansTask({ connections, clickhouse, logger }, async () => null).run(undefined);
  const found = await plane.pool.query('SELECT scans::integer FROM code_scans WHERE code_id = $1', [id]);
  return found.rows[0].scans;
};

/** Every text of PostgreSQL's tables that has one of the words. */
const findInPostgres = async (words: readonly string[]): Promise<string[]> => {
  const { rows: tables } = await plane.pool.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await plane.pool.query(
      `SELECT FROM ${name} AS each WHERE each::text LIKE ANY($1) LIMIT 1`,
      [words.map((word) => `%${word}%`)],
    );
    if (rowCount) found.push(name);
  }
  return found;
};

describe('POST /api/qr/codes/{id}/erase', () => {
  test('removes the code, its history, its logos and what its events say of it; its id, its aliases and the audit log stay', async () => {
    const own = await plane.workspace();
    const alias = `printed-${Date.now()}`;
    const code = await own.createCode({
      name: 'a secret name',
      data: 'https://secret.example/one',
      externalId: 'secret-7',
      metadata: { who: 'secret person' },
      notes: 'secret notes',
      healthCheck: true,
      image: `data:image/png;base64,${logo}`,
      alias,
      aliasDomain: 'qr.example.com',
    });
    const changed = await own.call('PUT', `/api/qr/codes/${code.id}`, {
      destination: 'https://secret.example/two',
      dotsOptions: { color: '#112233' },
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(await findInPostgres(['secret'])).toEqual(
      expect.arrayContaining(['codes', 'code_versions', expect.stringMatching(/^webhook_events/)]),
    );
    await erase(own, code);
    expect(await findInPostgres(['secret', logo])).toEqual([]);
    const health = await plane.pool.query('SELECT FROM destination_health WHERE code_id = $1', [code.id]);
    expect(health.rowCount).toBe(0);
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).status).toBe(404);
    expect((await own.call('GET', '/api/qr/codes')).body).toMatchObject({
      data: [],
      pagination: { total: 0 },
    });
    const other = await own.createCode({ externalId: 'secret-7' });
    expect(other.id).not.toBe(code.id);
    const taken = await own.call('POST', `/api/qr/codes/${other.id}/aliases`, { alias, reassign: true });
    expect(taken).toMatchObject({ status: 409, body: { code: 'ALIAS_TAKEN' } });
    const log = (await own.call('GET', `/api/qr/audit-log?resourceId=${code.id}`)).body;
    expect(log).toMatchObject({ data: [{ operation: 'eraseCode', by: { type: 'key' } }, {}, {}] });
    expect((await own.call('GET', '/api/qr/events?types=qr.deleted,qr.updated')).body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({
          type: 'qr.deleted',
          data: { qrId: code.id, shortId: code.id, subscriptionId: expect.any(String), erased: true },
        }),
      ]),
    });
  });

  test('removes the events of its conversions', async () => {
    const own = await plane.workspace();
    const code = await own.createCode({ externalId: 'private-8', notes: 'private notes' });
    const [scanId] = await record(own, [{ codeId: code.id, agoMs: minuteMs, visitor: 1 }]);
    const reported = await own.call('POST', '/api/conversions', { scanId, event: 'purchase' });
    expect(reported.status, JSON.stringify(reported.body)).toBe(201);
    const events = async () =>
      (
        await plane.pool.query(
          `SELECT data ->> 'externalId' AS id FROM webhook_events WHERE workspace_id = $1 AND type = 'conversion.created'`,
          [own.workspaceId],
        )
      ).rows;
    expect(await events()).toEqual([{ id: 'private-8' }]);
    await erase(own, code);
    expect(await events()).toEqual([]);
    expect(await findInPostgres(['private-8', 'private notes'])).toEqual([]);
  });

  test('the event of its deletion says that it was erased, also to webhooks that are limited to one of its tags', async () => {
    const own = await plane.workspace();
    const code = await own.createCode({ tags: ['spring'] });
    await erase(own, code);
    const { rows } = await plane.pool.query(
      `SELECT data ->> 'erased' AS erased, cardinality(tag_ids) AS tags FROM webhook_events
       WHERE workspace_id = $1 AND type = 'qr.deleted'`,
      [own.workspaceId],
    );
    expect(rows).toEqual([{ erased: 'true', tags: 1 }]);
  });

  test('its record says so in Redis, and its id is never given to another code', async () => {
    const own = await plane.workspace();
    const code = await own.createCode();
    await erase(own, code);
    const redis = new Redis(plane.redisUrl);
    afterFile(() => redis.quit());
    expect(parseRecord((await redis.get(recordKey(code.id)))!)).toMatchObject({
      id: code.id,
      version: 2,
      active: false,
      erased: true,
      destination: '',
    });
    const looked = await plane.internal('GET', `/internal/codes?ids=${code.id}`);
    expect(JSON.stringify(looked.body)).toContain('erased');
    const { workspaceId } = own;
    const other = { id: code.id, workspaceId, dataType: 'url', destination: 'https://example.com/' } as const;
    const { create } = createCodeIds(Buffer.alloc(32));
    const made = await inTransaction(plane.pool, (tx) =>
      createEachCode(tx, createOutbox([]), [other], create, 'qr.example.com'),
    );
    expect(made).toMatchObject([
      { destination: 'https://example.com/', id: expect.not.stringMatching(code.id) },
    ]);
  });

  test('its scans are gone from every table, and the sums of the workspace are those of the other scans', async () => {
    const own = await plane.workspace();
    const [gone, stays] = [await own.createCode(), await own.createCode()];
    const scans = [0, 1, 2, 3, 4].flatMap((n): Scan[] => [
      { codeId: gone.id, agoMs: n * dayMs, visitor: n },
      { codeId: gone.id, agoMs: n * 20 * minuteMs, visitor: 7, country: 'FR' },
      { codeId: gone.id, agoMs: n * minuteMs, visitor: 8, kind: 'bot' },
      { codeId: stays.id, agoMs: n * dayMs, visitor: n % 3 },
      { codeId: stays.id, agoMs: n * 20 * minuteMs, visitor: 9, kind: n === 2 ? 'bot' : 'scan' },
    ]);
    await record(own, scans);
    const before = await sumsOf(own);
    expect(before.kept).toEqual(before.counted);
    expect(await erase(own, gone)).toMatchObject({ scansErased: 15 });
    expect(await tracesOf(gone.id)).toEqual(none);
    const after = await sumsOf(own);
    expect(after.kept).toEqual(after.counted);
    expect(after.kept).toMatchObject({ scans: 9, bots: 1, visitors: 4 });
    expect((await own.call('GET', '/api/qr/analytics?days=30')).body).toMatchObject({ total: { scans: 9 } });
  });

  test('scans that arrive later, or once more, are erased as well', async () => {
    const own = await plane.workspace();
    const [gone, stays] = [await own.createCode(), await own.createCode()];
    const scans: Scan[] = [
      { codeId: gone.id, agoMs: minuteMs, visitor: 1 },
      { codeId: stays.id, agoMs: minuteMs, visitor: 2 },
    ];
    await record(own, scans, 'sent twice');
    const { id: erasureId } = await erase(own, gone);
    await record(own, scans, 'sent twice');
    await record(own, [...scans, { codeId: gone.id, agoMs: 0, visitor: 3 }], 'sent late');
    expect(await tracesOf(gone.id)).toMatchObject({ scans: 2, scans_daily: expect.anything() });
    await expect
      .poll(
        async () => {
          await eraseLate();
          return tracesOf(gone.id);
        },
        { timeout: 30_000 },
      )
      .toEqual(none);
    await expect.poll(() => rightSums(own), { timeout: 30_000 }).toMatchObject({ scans: 2 });
    expect(await isErased(own, erasureId)).toMatchObject({ scansErased: 3 });
  });

  test('by its tasks, scans that arrive in the first week are erased within minutes, and at night those of any time', async () => {
    const own = await plane.workspace();
    const [recent, old] = [await own.createCode(), await own.createCode()];
    for (const [code, days] of [
      [recent, 6],
      [old, 60],
    ] as const) {
      const { id } = await erase(own, code);
      await plane.pool.query(
        'UPDATE erasures SET erased_at = erased_at - make_interval(days => $2) WHERE id = $1',
        [id, days],
      );
    }
    await record(
      own,
      [recent, old].map(({ id: codeId }) => ({ codeId, agoMs: minuteMs, visitor: 1 })),
    );
    const tasks = lateScanTasks({ pool: plane.pool, clickhouse, logger });
    const tracesAfter = async (name: string, { id }: CodeObject) => {
      await tasks.find(({ task }) => task === name)!.run({});
      return tracesOf(id);
    };
    const timeout = 30_000;
    const gone = { scans: 0, scan_log: 0, conversions: 0 };
    await expect.poll(() => tracesAfter('erase-late-scans', recent), { timeout }).toMatchObject(gone);
    expect(await tracesOf(old.id)).toMatchObject({ scans: 1 });
    await expect.poll(() => tracesAfter('erase-all-late-scans', old), { timeout }).toMatchObject(gone);
  });

  test('a conversion, and logged requests with its id in the path or the body, that are stored late are erased as well', async () => {
    const own = await plane.workspace();
    const erased = async () => {
      const code = await own.createCode();
      const { createdAt } = await erase(own, code);
      const earlier = (ms: number) =>
        new Date(Date.parse(createdAt) - ms).toISOString().slice(0, -1).replace('T', ' ');
      return { id: code.id, dayBefore: earlier(dayMs), minuteBefore: earlier(minuteMs) };
    };
    const [converted, inPath, inBody] = [await erased(), await erased(), await erased()];
    const workspace_id = own.workspaceId;
    await clickhouse.insert({
      table: 'conversions',
      format: 'JSONEachRow',
      values: [{ workspace_id, code_id: converted.id, ts: converted.dayBefore, conversion_id: 'late' }],
    });
    await clickhouse.insert({
      table: 'request_log',
      format: 'JSONEachRow',
      values: [
        { at: inPath.minuteBefore, path: `/api/qr/codes/${inPath.id}` },
        { at: inBody.minuteBefore, path: '/api/qr/codes/bulk', body: `{"id":"${inBody.id}"}` },
      ].map((row) => ({ ...row, workspace_id, seq: 'late' })),
    });
    const logged = () =>
      rows(`SELECT path FROM request_log WHERE workspace_id = '${workspace_id}' AND seq = 'late'`);
    expect(await logged()).toHaveLength(2);
    const left = async () => {
      await eraseLate();
      return [await tracesOf(converted.id), await logged()];
    };
    await expect.poll(left, { timeout: 30_000 }).toEqual([none, []]);
  });

  test('repeating the call returns the erasure; a locked code, another version and another workspace are refused', async () => {
    const [own, other] = [await plane.workspace(), await plane.workspace()];
    const [code, locked] = [await own.createCode(), await own.createCode()];
    const path = `/api/qr/codes/${code.id}/erase`;
    expect((await own.call('POST', path, undefined, { 'if-match': '"v9"' })).status).toBe(412);
    expect((await other.call('POST', path)).status).toBe(403);
    const { id: erasureId } = await erase(own, code);
    expect((await own.call('POST', path)).body).toMatchObject({ id: erasureId, status: 'completed' });
    expect((await other.call('GET', `/api/qr/erasures/${erasureId}`)).status).toBe(403);
    expect((await own.call('GET', '/api/qr/erasures')).body).toMatchObject({
      data: [{ id: erasureId, subject: 'code' }],
      pagination: { nextCursor: null },
    });
    await plane.pool.query('UPDATE codes SET compliance_locked = true, legal_hold = true WHERE id = $1', [
      locked.id,
    ]);
    for (const [method, to] of [
      ['POST', 'erase'],
      ['DELETE', 'scans'],
    ] as const)
      expect(await own.call(method, `/api/qr/codes/${locked.id}/${to}`)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('legal hold') },
      });
  });
});

test('a suspended code and its scans cannot be erased; a code that was only reported can, and the report stays', async () => {
  const own = await plane.workspace();
  const [suspended, reported] = [await own.createCode(), await own.createCode()];
  await plane.pool.query('UPDATE codes SET suspended_at = now(), suspension_reason = $2 WHERE id = $1', [
    suspended.id,
    'Reported as phishing',
  ]);
  for (const [method, to] of [
    ['POST', 'erase'],
    ['DELETE', 'scans'],
  ] as const)
    expect(await own.call(method, `/api/qr/codes/${suspended.id}/${to}`)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', error: expect.stringContaining("suspended by the operator ('Reported as") },
    });
  await storeReport(plane.pool, { codeId: reported.id, reason: 'phishing', details: null, contact: null });
  expect((await own.call('POST', `/api/qr/codes/${reported.id}/erase`)).status).toBe(202);
  const { rows: reports } = await plane.pool.query('SELECT code_id FROM abuse_reports WHERE code_id = $1', [
    reported.id,
  ]);
  expect(reports).toEqual([{ code_id: reported.id }]);
});

test('with 20 unfinished erasures the scans of a further code are not erased, until one is finished', async () => {
  const own = await plane.workspace();
  const codes = await Promise.all(Array.from({ length: 21 }, () => own.createCode()));
  const call = ({ id }: CodeObject) => own.call('DELETE', `/api/qr/codes/${id}/scans`);
  const hold = (until: string) =>
    plane.pool.query(`UPDATE erasure_round SET held_by = gen_random_uuid(), held_until = $1`, [until]);
  // No round goes on meanwhile.
  await hold('infinity');
  for (const code of codes.slice(0, 20)) expect((await call(code)).status).toBe(202);
  const refused = await call(codes[20]!);
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(refused.headers.get('retry-after')).toBe('10');
  await hold('-infinity');
  await expect.poll(async () => (await call(codes[20]!)).status, { timeout: 60_000 }).toBe(202);
});

describe('DELETE /api/qr/codes/{id}/scans', () => {
  test('erases what was scanned up to now: counts become zero, and later scans count', async () => {
    const own = await plane.workspace();
    const [code, stays] = [await own.createCode(), await own.createCode()];
    const both = [code.id, stays.id];
    await record(
      own,
      [0, 1, 2].flatMap((n) => both.map((codeId): Scan => ({ codeId, agoMs: n * dayMs + 5, visitor: n }))),
    );
    const scanCount = async ({ id }: CodeObject) =>
      ((await own.call('GET', `/api/qr/codes/${id}`)).body as CodeObject).scanCount;
    await expect.poll(() => scanCount(code)).toBe(3);
    const answer = await own.call('DELETE', `/api/qr/codes/${code.id}/scans`);
    expect(answer).toMatchObject({ status: 202, body: { subject: 'scans' } });
    const { id: erasureId } = answer.body as ErasureObject;
    // Made before, and recorded later.
    await record(own, [{ codeId: code.id, agoMs: 2 * minuteMs, visitor: 4 }]);
    expect(await isErased(own, erasureId)).toMatchObject({ subject: 'scans' });
    await eraseLate();
    await expect.poll(() => scanCount(code), { timeout: 30_000 }).toBe(0);
    await record(own, [
      { codeId: code.id, agoMs: -1_000, visitor: 5 },
      { codeId: code.id, agoMs: -1_000, visitor: 1 },
    ]);
    await expect.poll(() => scanCount(code), { timeout: 30_000 }).toBe(2);
    expect(await scanCount(stays)).toBe(3);
    await expect.poll(() => rightSums(own), { timeout: 30_000 }).toMatchObject({ scans: 5 });
    const visitors = () =>
      rows(
        `SELECT uniqMerge(visitors) AS n, sum(scans) AS scans FROM scans_daily WHERE code_id = '${code.id}'`,
      );
    await expect.poll(visitors, { timeout: 30_000 }).toEqual([{ n: 2, scans: 2 }]);
  });

  test('copied counts lose scans that arrive late', async () => {
    const own = await plane.workspace();
    const code = await own.createCode();
    const answer = await own.call('DELETE', `/api/qr/codes/${code.id}/scans`);
    await isErased(own, (answer.body as ErasureObject).id);
    await record(own, [
      { codeId: code.id, agoMs: minuteMs, visitor: 1 },
      { codeId: code.id, agoMs: 2 * minuteMs, visitor: 2 },
      { codeId: code.id, agoMs: -minuteMs, visitor: 3 },
    ]);
    await expect.poll(() => copiedCount(code), { timeout: 50_000 }).toBe(3);
    await eraseLate();
    await expect.poll(() => copiedCount(code), { timeout: 50_000 }).toBe(1);
  });
});
