/** Reports of conversions, against real services. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ConversionObject,
  type ConversionResults,
  conversionObject,
  conversionResults,
} from '#schemas/api/conversions.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createScanIds } from '#shared/scan-ids.ts';
import { deriveKey } from '#shared/signing.ts';
import { afterFile, freePort } from '../../../deploy/testing/local.ts';
import {
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { removeOldKeys } from './keys.ts';

const dayMs = 86_400_000;
const scanIds = createScanIds(deriveKey(secretKey, 'scan-id'));
let plane: TestControlPlane;
let own: Workspace;
let other: Workspace;
let code: string;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  plane = await startTestControlPlane();
  [own, other] = [await plane.workspace(), await plane.workspace()];
  code = (await own.createCode()).id;
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

/** Records a scan as a redirector does. @returns its id, as the destination gets it */
const scan = async (row: Record<string, unknown> = {}, agoMs = 60_000): Promise<string> => {
  const tsMs = Date.now() - agoMs;
  const eventId = randomUUID();
  await clickhouse.insert({
    table: 'scans',
    format: 'JSONEachRow',
    values: [
      {
        workspace_id: own.workspaceId,
        code_id: code,
        event_id: eventId,
        ts: new Date(tsMs).toISOString().slice(0, -1).replace('T', ' '),
        kind: 'scan',
        device: 'mobile',
        os: 'ios',
        country: 'DE',
        variant_id: 'b',
        ...row,
      },
    ],
  });
  return scanIds.write({ eventId, codeId: code, tsMs });
};

const post = (body: unknown, workspace = own) => workspace.call('POST', '/api/conversions', body);

const report = async (body: unknown): Promise<ConversionObject> => {
  const answer = await post(body);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return conversionObject.parse(answer.body);
};

const reportAll = async (bodies: readonly unknown[]): Promise<ConversionResults> => {
  const answer = await post(bodies);
  expect(answer.status).toBe(200);
  return conversionResults.parse(answer.body);
};

const stored = async (where = '1'): Promise<Record<string, unknown>[]> => {
  const result = await clickhouse.query({
    query: `SELECT * FROM conversions FINAL WHERE workspace_id = '${own.workspaceId}' AND ${where} ORDER BY conversion_id`,
    format: 'JSONEachRow',
  });
  return result.json();
};

const refusal = async (body: unknown, workspace = own) => {
  const answer = await post(body, workspace);
  const { error, code: name, param } = answer.body as Record<string, string>;
  return { status: answer.status, error, code: name, param };
};

test('a conversion is stored with the code, the variant and the time of its scan', async () => {
  const scanId = await scan({ rule_id: '' });
  const occurredAt = new Date(Date.now() - 1_000).toISOString();
  const made = await report({
    scanId,
    event: 'purchase',
    externalId: 'o-1',
    value: 49.9,
    currency: 'EUR',
    occurredAt,
  });
  expect(made).toEqual({
    status: 'recorded',
    conversionId: expect.stringMatching(/^conv_/),
    event: 'purchase',
    codeId: code,
    variantId: 'b',
    ruleId: null,
    scannedAt: new Date(scanIds.read(scanId)!.tsMs).toISOString(),
    occurredAt,
    counted: true,
  });
  const [row] = await stored(`conversion_id = '${made.conversionId}'`);
  expect(row).toMatchObject({
    code_id: code,
    variant_id: 'b',
    country: 'DE',
    event: 'purchase',
    units: expect.toSatisfy((units) => Number(units) === 499_000),
    currency: 'EUR',
  });
});

describe('a repeat', () => {
  test('with the same event and externalId is answered as before and counted once', async () => {
    const body = { scanId: await scan(), event: 'purchase', externalId: 'o-2', value: 10, currency: 'USD' };
    const first = await report(body);
    expect(await report(body)).toEqual({ ...first, status: 'repeated' });
    expect(await stored(`conversion_id = '${first.conversionId}'`)).toHaveLength(1);
  });

  test('without an externalId is the same event of the same scan', async () => {
    const body = { scanId: await scan(), event: 'visit' };
    const first = await report(body);
    expect(await report(body)).toEqual({ ...first, status: 'repeated' });
    expect((await report({ ...body, event: 'download' })).status).toBe('recorded');
  });

  test('with other facts is 409', async () => {
    const body = { scanId: await scan(), event: 'purchase', externalId: 'o-3', value: 1, currency: 'EUR' };
    await report(body);
    for (const changed of [
      { value: 2 },
      { currency: 'USD' },
      { scanId: await scan() },
      { occurredAt: Date.now() },
    ])
      expect(await refusal({ ...body, ...changed })).toMatchObject({
        status: 409,
        code: 'CONFLICT',
        param: 'externalId',
      });
    expect((await report({ ...body, event: 'refund', value: -1 })).status).toBe('recorded');
    expect(await refusal({ scanId: body.scanId, event: 'refund', value: -2, currency: 'EUR' })).toMatchObject(
      { status: 201 },
    );
    expect(await refusal({ scanId: body.scanId, event: 'refund', value: -3, currency: 'EUR' })).toMatchObject(
      {
        status: 409,
        param: 'event',
      },
    );
  });

  test('at another control plane at the same moment, or after a restart, is counted once', async () => {
    const { databaseUrl, redisUrl, clickhouseUrl } = plane;
    const second = await startTestControlPlane({ databaseUrl, redisUrl, clickhouseUrl });
    const body = { scanId: await scan(), event: 'race', externalId: 'o-4' };
    const calls = Array.from({ length: 12 }, (_, n) => (n % 2 ? plane : second).callWith(own.apiKey));
    const answers = await Promise.all(calls.map((call) => call('POST', '/api/conversions', body)));
    const results = answers.map((answer) => conversionObject.parse(answer.body));
    expect(results.filter(({ status }) => status === 'recorded')).toHaveLength(1);
    expect(new Set(results.map(({ conversionId }) => conversionId)).size).toBe(1);
    expect(await stored(`event = 'race'`)).toHaveLength(1);
  });

  test('of a call that ended between its steps completes it', async () => {
    const body = { scanId: await scan(), event: 'cut', externalId: 'o-5' };
    const first = await report(body);
    // As if the process had ended before it marked the conversion, or even before it wrote the row.
    for (const wasWritten of [true, false]) {
      await plane.pool.query('UPDATE conversion_keys SET recorded = false WHERE id = $1', [
        first.conversionId,
      ]);
      if (!wasWritten)
        await clickhouse.command({
          query: 'TRUNCATE TABLE conversions',
        });
      expect(await report(body)).toEqual(first);
      expect(await stored(`event = 'cut'`)).toHaveLength(1);
    }
  });
});

describe('a report is refused', () => {
  test('as of an unknown scan, if it is invented, of another workspace, or not recorded', async () => {
    const unknown = { status: 404, code: 'SCAN_NOT_FOUND', param: 'scanId' };
    const scanId = await scan();
    const foreign = await refusal({ scanId, event: 'x' }, other);
    expect(foreign).toMatchObject(unknown);
    const missing = scanIds.write({ eventId: randomUUID(), codeId: code, tsMs: Date.now() });
    for (const id of [missing, 'invented', 'A'.repeat(43)])
      expect(await refusal({ scanId: id, event: 'x' })).toEqual(foreign);
    expect(await stored(`event = 'x'`)).toEqual([]);
  });

  test.each<[string, object, number, string]>([
    [
      'before the scan',
      { occurredAt: Date.now() - 3_600_000 },
      422,
      'occurredAt must not be before the scan',
    ],
    ['in the future', { occurredAt: Date.now() + 3_600_000 }, 422, 'occurredAt must not be in the future'],
    ['with a value and no currency', { value: 1 }, 422, 'value must be given together with currency'],
    ['with a currency and no value', { currency: 'EUR' }, 422, 'currency must be given together with value'],
    ['in no currency', { value: 1, currency: 'XYZ' }, 422, 'currency must be a currency'],
    [
      'with a value in too small parts',
      { value: 0.00001, currency: 'EUR' },
      422,
      'value must have at most 4 decimal',
    ],
    ['with an unknown field', { amount: 1 }, 400, 'amount is not a known field'],
    ['without an event', { event: undefined }, 400, 'event is required'],
  ])('%s', async (_, fields, status, message) => {
    const answer = await refusal({ scanId: await scan(), event: 'y', ...fields });
    expect(answer).toMatchObject({ status, error: expect.stringContaining(message) });
  });

  test('90 days after its scan', async () => {
    expect(await refusal({ scanId: await scan({}, 91 * dayMs), event: 'z' })).toMatchObject({
      status: 422,
      error: expect.stringContaining('scanId must be of a scan of the last 90 days'),
    });
  });
});

test('each report of an array costs only itself, and has a result with a name', async () => {
  const [scanId, next] = [await scan(), await scan()];
  const first = { scanId, event: 'many', value: 1, currency: 'EUR' };
  const { results, ...counts } = await reportAll([
    first,
    first,
    { ...first, value: 2 },
    { scanId: 'invented', event: 'many' },
    { scanId: next },
    'nothing',
    { scanId: next, event: 'many' },
  ]);
  expect(counts).toEqual({ recorded: 2, repeated: 1, refused: 4 });
  expect(
    results.map((each) => (each.status === 'refused' ? `${each.code} ${each.param}` : each.status)),
  ).toEqual([
    'recorded',
    'repeated',
    'CONFLICT event',
    'SCAN_NOT_FOUND scanId',
    'INVALID_REQUEST event',
    'INVALID_REQUEST null',
    'recorded',
  ]);
  expect(await stored(`event = 'many'`)).toHaveLength(2);
});

test('an array has from 1 to 100 reports, and a call at most 256 kB', async () => {
  const one = { scanId: 'invented', event: 'x' };
  expect((await reportAll(Array(100).fill(one))).refused).toBe(100);
  for (const body of [[], Array(101).fill(one), 'text', 5]) expect((await refusal(body)).status).toBe(400);
  expect((await refusal([{ ...one, event: 'x'.repeat(300_000) }])).status).toBe(413);
});

test('a conversion of a scan that is not counted is kept, and says that it is not counted', async () => {
  expect(await report({ scanId: await scan({ kind: 'bot' }), event: 'preview' })).toMatchObject({
    status: 'recorded',
    counted: false,
  });
});

test('a key needs the permission conversions:write', async () => {
  const body = { name: 'shop', permissions: ['conversions:write'] };
  const { body: made } = await own.call('POST', '/api/qr/keys', body);
  const call = plane.callWith((made as { apiKey: string }).apiKey);
  expect((await call('POST', '/api/conversions', { scanId: await scan(), event: 'by key' })).status).toBe(
    201,
  );
  expect((await call('GET', '/api/qr/codes')).status).toBe(403);
  const reader = await own.call('POST', '/api/qr/keys', { name: 'reader', permissions: ['analytics:read'] });
  const reading = plane.callWith((reader.body as { apiKey: string }).apiKey);
  const refused = await reading('POST', '/api/conversions', { scanId: await scan(), event: 'by key' });
  expect([refused.status, refused.body]).toEqual([
    403,
    expect.objectContaining({ permission: 'conversions:write' }),
  ]);
});

test('each new conversion that counts is one event of its code', async () => {
  const { id } = await own.createCode({ externalId: 'poster-1', data: 'https://example.com/' });
  const scanned = await scan({ code_id: id });
  const { eventId, tsMs } = scanIds.read(scanned)!;
  const scanId = scanIds.write({ eventId, codeId: id, tsMs });
  const body = { scanId, event: 'sale', value: 12.5, currency: 'EUR' };
  const { conversionId } = await report(body);
  await report(body);
  await report({ scanId: await scan({ kind: 'bot' }), event: 'sale' });
  const feed = async () =>
    (await own.call('GET', '/api/qr/events?types=conversion.created&limit=100')).body as {
      data: { data: Record<string, unknown> }[];
    };
  const ofSales = async () =>
    (await feed()).data.map(({ data }) => data).filter(({ event }) => event === 'sale');
  await expect.poll(ofSales).toHaveLength(1);
  expect((await ofSales())[0]).toMatchObject({
    qrId: id,
    shortId: id,
    externalId: 'poster-1',
    conversionId,
    value: 12.5,
    currency: 'EUR',
    variantId: 'b',
  });
});

test('the event carries the tags and the folder of its code, by which webhooks choose it', async () => {
  const { body: folder } = await own.call('POST', '/api/qr/folders', { name: 'posters' });
  const { id: folderId } = folder as { id: string };
  const { id } = await own.createCode({ tags: ['print'], folderId });
  const { eventId, tsMs } = scanIds.read(await scan({ code_id: id }))!;
  await report({ scanId: scanIds.write({ eventId, codeId: id, tsMs }), event: 'filed' });
  const { rows } = await plane.pool.query(
    `SELECT e.tag_ids = c.tag_ids AS "sameTags", e.folder_id AS "folderId" FROM webhook_events e
     JOIN codes c ON c.id = e.data ->> 'qrId' WHERE c.id = $1 AND e.type = 'conversion.created'`,
    [id],
  );
  expect(rows).toEqual([{ sameTags: true, folderId }]);
});

test('without ClickHouse a report is 503 with Retry-After, and nothing of it is done', async () => {
  const { databaseUrl, redisUrl } = plane;
  const clickhouseUrl = `http://127.0.0.1:${await freePort()}/none`;
  const blind = await startTestControlPlane({ databaseUrl, redisUrl, clickhouseUrl });
  const body = { scanId: await scan(), event: 'outage' };
  const answer = await blind.callWith(own.apiKey)('POST', '/api/conversions', [body]);
  expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([503, 5]);
  expect((await reportAll([body])).recorded).toBe(1);
});

test('a conversion in test mode is of a test scan', async () => {
  const live = await scan();
  const { body } = await own.call('POST', '/api/qr/keys', { name: 'test', mode: 'test' });
  const call = plane.callWith((body as { apiKey: string }).apiKey);
  expect((await call('POST', '/api/conversions', { scanId: live, event: 'x' })).status).toBe(404);
});

test('keys are forgotten after 92 days, when no scan can convert any more', async () => {
  const made = await report({ scanId: await scan(), event: 'old' });
  const exists = async () =>
    (await plane.pool.query('SELECT FROM conversion_keys WHERE id = $1', [made.conversionId])).rowCount;
  await removeOldKeys(plane.pool, new Date(Date.now() + 91 * dayMs));
  expect(await exists()).toBe(1);
  await removeOldKeys(plane.pool, new Date(Date.now() + 92 * dayMs + 60_000));
  expect(await exists()).toBe(0);
});
