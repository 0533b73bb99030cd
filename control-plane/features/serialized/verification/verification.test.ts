/** The internal endpoints for redirectors about serialized items, with a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { recordStream } from '#schemas/code-record.ts';
import { batchDocuments, documentKey, parseDocument } from '#schemas/documents.ts';
import { itemKey, type VerificationEvent } from '#schemas/verification.ts';
import { createSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures } from '#shared/serial-signatures.ts';
import { internalToken } from '#shared/signing.ts';
import { afterFile, redisUrl } from '../../../../deploy/testing/index.ts';
import { startRelay } from '../../../../deploy/testing/relay.ts';
import { callAdmin } from '../../../admin/call.ts';
import { consumersOf, verbsOf } from '../../../framework/feature.ts';
import { createOutbox } from '../../../framework/outbox.ts';
import { secretKey, startTestControlPlane } from '../../../testing/control-plane.ts';
import { nightlyJob } from './nightly.ts';
import { addBatch, at, linesOf, scansOf } from './testing/items.ts';
import { itemEventsTable, recordingFeatures } from './testing/recording-plane.ts';

const log: Record<string, unknown>[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(JSON.parse(line)) });
const relay = await startRelay(redisUrl());
const plane = await startTestControlPlane({ features: recordingFeatures, logger, redisUrl: relay.url });
const { pool, internal } = plane;
await pool.query(itemEventsTable);
const workspace = await plane.workspace();

const redis = new Redis(redisUrl());
afterFile(() => redis.disconnect());

const gzip = promisify<Buffer, Buffer>(zlib.gzip);
const zstd = promisify<Buffer, Buffer>(zlib.zstdCompress);

const newBatch = (count = 1) => addBatch(pool, workspace, count);
const newItem = async (): Promise<string> => (await newBatch()).items[0]!;

const post = (body: string | Buffer, name: string = randomUUID(), headers: Record<string, string> = {}) =>
  internal('POST', `/internal/serialized/verifications?segment=${name}`, body, headers);
const report = (events: readonly VerificationEvent[], name?: string) => post(linesOf(events), name);

const lookUp = async (...ids: string[]) =>
  (await internal('GET', `/internal/serialized/items?ids=${ids.join(',')}`)).body;

const scannedOf = async (batchId: string): Promise<number> =>
  (await pool.query('SELECT scanned FROM serialized_batches WHERE id = $1', [batchId])).rows[0].scanned;

const eventsOf = async (itemId: string) => {
  const { rows } = await pool.query<{ event: { id: string; type: string; data: Record<string, unknown> } }>(
    `SELECT event FROM item_events WHERE event->'subject'->>'id' = $1 ORDER BY seq`,
    [itemId],
  );
  return rows.map(({ event }) => event);
};
const numbersOf = async (itemId: string) =>
  (await eventsOf(itemId)).map(({ type, data }) => [type, data.scanCount]);
const firstScanned = ['serialized.first_scanned', 1];
const duplicate = (number: number) => ['serialized.duplicate_scanned', number];

const metric = async (line: string): Promise<number> => {
  const { body } = await internal('GET', '/metrics');
  const found = String(body)
    .split('\n')
    .find((each) => each.startsWith(`waymark_${line} `));
  return Number(found?.split(' ')[1]);
};

describe('the state of items', () => {
  test('is answered for many at once, and unknown ids are absent', async () => {
    const { id: batchId, items } = await newBatch(999);
    const [item] = items;
    await report([scansOf(item!).claim(), scansOf(item!).again(5)]);
    const states = await lookUp('111111111111', ...items);
    expect(states).toHaveLength(999);
    expect(states).toContainEqual({ id: item, batchId, scanCount: 2, first: { atMs: at(0), country: 'DE' } });
    expect(states).toContainEqual({ id: items[1], batchId, scanCount: 0 });
  });

  test('is answered for at most 1,000 ids, and malformed ids are not looked up', async () => {
    const ids = Array.from({ length: 1001 }, () => 'a').join(',');
    expect(await internal('GET', `/internal/serialized/items?ids=${ids}`)).toMatchObject({ status: 400 });
    expect(await lookUp('', '%00', 'a'.repeat(2000))).toEqual([]);
  });

  test('is answered only to redirectors', async () => {
    for (const [method, path] of [
      ['GET', 'items?ids=a'],
      ['POST', 'verifications?segment=a'],
    ]) {
      const { status } = await fetch(`${plane.internalUrl}/internal/serialized/${path}`, { method: method! });
      expect(status).toBe(401);
    }
  });
});

describe('a segment', () => {
  test.each(['none', 'gzip', 'zstd'] as const)('is taken with compression %s', async (coding) => {
    const item = await newItem();
    const plain = Buffer.from(linesOf([scansOf(item).claim()]));
    const body = { none: plain, gzip: await gzip(plain), zstd: await zstd(plain) }[coding];
    const headers = coding === 'none' ? undefined : { 'content-encoding': coding };
    const answer = await post(body, randomUUID(), headers);
    expect(answer).toMatchObject({ status: 200, body: { repeated: false, counted: 1, rejected: 0 } });
    expect(await lookUp(item)).toMatchObject([{ scanCount: 1 }]);
  });

  test('that is sent again is answered 200 and adds nothing, even if both come at once', async () => {
    const { id: batchId, items } = await newBatch(1);
    const events = [scansOf(items[0]!).claim(), scansOf(items[0]!).again(3)];
    const name = randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => report(events, name)));
    answers.push(await report(events, name));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ body }) => !(body as { repeated: boolean }).repeated)).toHaveLength(1);
    expect(await lookUp(items[0]!)).toMatchObject([{ scanCount: 2 }]);
    expect(await scannedOf(batchId)).toBe(1);
    expect(await numbersOf(items[0]!)).toEqual([firstScanned, duplicate(2)]);
  });

  test('with an event twice counts it once', async () => {
    const item = await newItem();
    const again = scansOf(item).again(4);
    await report([scansOf(item).claim(), again, again]);
    expect(await lookUp(item)).toMatchObject([{ scanCount: 2 }]);
  });

  test('loses only an unreadable line, which is kept, counted and logged', async () => {
    const item = await newItem();
    const { claim, again } = scansOf(item);
    const broken = [
      '{"id":',
      JSON.stringify({ ...again(1), country: 'Germany' }),
      JSON.stringify({ ...again(1), more: 'x'.repeat(2000) }),
      JSON.stringify(scansOf('111111111111').claim()),
      '["\u0000",\ud800',
    ];
    const lines = [linesOf([claim()]).trim(), ...broken, '', linesOf([again(2)]).trim()];
    const name = randomUUID();
    const before = await metric('serialized_lines_rejected_total{why="not_json"}');
    expect(await post(lines.join('\n'), name)).toMatchObject({
      status: 200,
      body: { counted: 2, rejected: 5 },
    });
    expect(await lookUp(item)).toMatchObject([{ scanCount: 2 }]);
    const { rows } = await pool.query(
      'SELECT line, problem, left(content, 6) AS begins FROM serialized_rejected_lines WHERE segment = $1 ORDER BY line',
      [name],
    );
    expect(rows).toEqual([
      { line: 2, problem: 'not_json', begins: '{"id":' },
      { line: 3, problem: 'not_an_event', begins: expect.any(String) },
      { line: 4, problem: 'too_long', begins: expect.any(String) },
      { line: 5, problem: 'unknown_item', begins: expect.any(String) },
      { line: 6, problem: 'not_json', begins: expect.any(String) },
    ]);
    expect(await metric('serialized_lines_rejected_total{why="not_json"}')).toBe(before + 2);
    expect(log).toContainEqual(
      expect.objectContaining({ segment: name, lines: 5, line: 2, problem: 'not_json' }),
    );
  });

  test('of only broken lines keeps a hundred of them, and counts all', async () => {
    const name = randomUUID();
    expect(await post('x\n'.repeat(500), name)).toMatchObject({ body: { counted: 0, rejected: 500 } });
    const { rows } = await pool.query('SELECT FROM serialized_rejected_lines WHERE segment = $1', [name]);
    expect(rows).toHaveLength(100);
  });

  test('that is too large, has too many lines, no name or another encoding is rejected, and not recorded', async () => {
    const name = randomUUID();
    const bomb = await gzip(Buffer.alloc(33 * 2 ** 20, '\n'));
    expect(await post(bomb, name, { 'content-encoding': 'gzip' })).toMatchObject({ status: 413 });
    expect(await post('x\n'.repeat(120_001), name)).toMatchObject({ status: 413 });
    expect(await post('x\n', name, { 'content-encoding': 'br' })).toMatchObject({ status: 415 });
    expect(await post('x\n', name, { 'content-encoding': 'zstd' })).toMatchObject({ status: 400 });
    for (const segment of ['', 'a/b', 'a'.repeat(101), 'a&segment=b'])
      expect(await post('', segment)).toMatchObject({ status: 400 });
    expect((await pool.query('SELECT FROM serialized_segments WHERE name = $1', [name])).rowCount).toBe(0);
  });
});

test('a segment about more items than are locked at once is counted completely', async () => {
  const { id: batchId, items } = await newBatch(5_001);
  const events = items.flatMap((item) => [scansOf(item).claim(), scansOf(item).again(1)]);
  expect(await report(events)).toMatchObject({ status: 200, body: { counted: 10_002, rejected: 0 } });
  expect(await scannedOf(batchId)).toBe(5_001);
  const { rows } = await pool.query(
    'SELECT min(scan_count), max(scan_count) FROM serialized_items WHERE batch_id = $1',
    [batchId],
  );
  expect(rows).toEqual([{ min: 2, max: 2 }]);
});

test('redirectors that stop in the middle of a segment do not hold up others', async () => {
  const stalled = Array.from({ length: 4 }, () => {
    const request = http.request(
      `${plane.internalUrl}/internal/serialized/verifications?segment=${randomUUID()}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${internalToken(secretKey)}`, 'content-length': 1000 },
      },
    );
    // It is cut off at the end.
    request.on('error', () => undefined);
    request.write('{');
    return request;
  });
  await Promise.all(stalled.map((request) => once(request, 'socket')));
  const item = await newItem();
  expect(await report([scansOf(item).claim()])).toMatchObject({ status: 200 });
  for (const request of stalled) request.destroy();
});

describe('an item', () => {
  test('is claimed by its first scan, and counted with each later one', async () => {
    const { id: batchId, items } = await newBatch(3);
    const [item] = items;
    const { claim, again } = scansOf(item!);
    await report([claim()]);
    await report([again(60), again(120)]);
    expect(await lookUp(item!)).toEqual([
      { id: item, batchId, scanCount: 3, first: { atMs: at(0), country: 'DE' } },
    ]);
    const { rows } = await pool.query('SELECT last_scanned_at FROM serialized_items WHERE id = $1', [item]);
    expect(rows[0].last_scanned_at.getTime()).toBe(at(120));
    expect(await scannedOf(batchId)).toBe(1);
  });

  test.each([
    ['before', [1, 0, 2]],
    ['after', [0, 2, 1]],
    ['between', [2, 0, 1]],
  ])('counts the same when its claim is reported %s later scans', async (_, order) => {
    const { id: batchId, items } = await newBatch(1);
    const { claim, again } = scansOf(items[0]!);
    const events = [claim(), again(10), again(20)];
    for (const index of order) await report([events[index]!]);
    expect(await lookUp(items[0]!)).toMatchObject([{ scanCount: 3, first: { atMs: at(0) } }]);
    expect(await scannedOf(batchId)).toBe(1);
    expect(await numbersOf(items[0]!)).toEqual([firstScanned, duplicate(2), duplicate(3)]);
  });

  test('whose claim is lost is claimed by the information in a later scan', async () => {
    const { id: batchId, items } = await newBatch(1);
    await report([scansOf(items[0]!).again(10, { country: 'US' })]);
    expect(await lookUp(items[0]!)).toMatchObject([{ scanCount: 2, first: { atMs: at(0), country: 'DE' } }]);
    expect(await scannedOf(batchId)).toBe(1);
    expect(await eventsOf(items[0]!)).toMatchObject([
      { type: 'serialized.first_scanned', data: { scanCount: 1, country: 'DE' } },
      { type: 'serialized.duplicate_scanned', data: { scanCount: 2, country: 'US' } },
    ]);
  });

  test('with two scans answered as first keeps the earlier claim, and the second is logged', async () => {
    const item = await newItem();
    const { claim } = scansOf(item);
    await report([{ ...claim(), atMs: at(50), first: { atMs: at(50), country: 'FR' } }]);
    const before = await metric('serialized_scans_total{what="second_claim"}');
    await report([claim()]);
    expect(await lookUp(item)).toMatchObject([{ scanCount: 2, first: { atMs: at(0), country: 'DE' } }]);
    expect(await metric('serialized_scans_total{what="second_claim"}')).toBe(before + 1);
    expect(log).toContainEqual(expect.objectContaining({ level: 50, item, items: 1 }));
    expect(await numbersOf(item)).toEqual([firstScanned, duplicate(2)]);
  });
});

describe('events', () => {
  test('the first scan emits serialized.first_scanned; each later scan emits serialized.duplicate_scanned', async () => {
    const { id: batchId, items } = await newBatch(1);
    const [item] = items;
    const { claim, again } = scansOf(item!);
    await report([claim(), again(60, { country: '' }), again(61, { country: 'JP' })]);
    const common = { batchId, productSku: 'SKU-1', productName: 'Shoe', firstScannedAt: at(0) };
    const envelope = (version: number, seconds: number) => ({
      id: expect.stringMatching(/^evt_/),
      workspaceId: workspace.workspaceId,
      subject: { id: item, version },
      occurredAt: new Date(at(seconds)).toISOString(),
    });
    expect(await eventsOf(item!)).toEqual([
      {
        ...envelope(1, 0),
        type: 'serialized.first_scanned',
        data: { ...common, scanCount: 1, country: 'DE' },
      },
      {
        ...envelope(2, 60),
        type: 'serialized.duplicate_scanned',
        data: { ...common, scanCount: 2, country: null, risk: 'low' },
      },
      {
        ...envelope(3, 61),
        type: 'serialized.duplicate_scanned',
        data: { ...common, scanCount: 3, country: 'JP', risk: 'high' },
      },
    ]);
  });

  test('have the same ids when the scans are reported again after a restore of PostgreSQL, and others have other ids', async () => {
    const item = await newItem();
    const { claim, again } = scansOf(item);
    const scans = [claim(), again(60), again(61)];
    await report(scans);
    await pool.query(
      `UPDATE serialized_items SET scan_count = 0, claim_reported = false, first_scanned_at = NULL, first_scan_country = NULL,
         last_scanned_at = NULL, last_scan_country = NULL WHERE id = $1`,
      [item],
    );
    // Now a later scan reports the first one.
    await report(scans.slice(1));
    const ids = (await eventsOf(item)).map(({ id }) => id);
    expect(ids.slice(3)).toEqual(ids.slice(0, 3));
    expect(new Set(ids).size).toBe(3);
  });

  test('a repeated scan by the same device does not raise the risk', async () => {
    const item = await newItem();
    await report([scansOf(item).claim(), scansOf(item).again(60, { country: 'JP', sameDevice: true })]);
    expect((await eventsOf(item))[1]).toMatchObject({ data: { risk: 'low' } });
  });
});

test('segments about the same items in other orders do not deadlock, and each scan has its own number', async () => {
  const { id: batchId, items } = await newBatch(50);
  const other = await newBatch(50);
  const all = [...items, ...other.items];
  const segments = Array.from({ length: 12 }, (_, index) => {
    const events = all.map((item) => scansOf(item).again(index + 1));
    return index % 2 === 0 ? events : events.toReversed();
  });
  segments.push(all.map((item) => scansOf(item).claim()));
  const answers = await Promise.all(segments.map((events) => report(events)));
  expect(answers.map(({ status }) => status)).toEqual(Array(13).fill(200));
  const { rows } = await pool.query(
    `SELECT array_agg((event->'data'->>'scanCount')::integer ORDER BY seq) AS numbers
     FROM item_events WHERE event->'data'->>'batchId' = ANY($1) GROUP BY event->'subject'->>'id'`,
    [[batchId, other.id]],
  );
  const sequence = Array.from({ length: 13 }, (_, index) => index + 1);
  expect(rows).toEqual(Array.from({ length: 100 }, () => ({ numbers: sequence })));
  expect([await scannedOf(batchId), await scannedOf(other.id)]).toEqual([50, 50]);
});

test('the nightly job forgets segments that were taken, and lines set aside, more than 30 days ago', async () => {
  const names = ['29 days', '31 days'].map((age) => ({ age, name: randomUUID() }));
  for (const { age, name } of names) {
    await post('x\n', name);
    await pool.query('UPDATE serialized_segments SET taken_at = now() - $2::interval WHERE name = $1', [
      name,
      age,
    ]);
    await pool.query(
      'UPDATE serialized_rejected_lines SET rejected_at = now() - $2::interval WHERE segment = $1',
      [name, age],
    );
  }
  await nightlyJob(pool).run(undefined);
  const left = await pool.query(
    'SELECT name, segment FROM serialized_segments FULL JOIN serialized_rejected_lines ON name = segment WHERE name = ANY($1)',
    [names.map(({ name }) => name)],
  );
  expect(left.rows).toEqual([{ name: names[0]!.name, segment: names[0]!.name }]);
});

describe('after a restore of PostgreSQL', () => {
  const restore = async (environment: Record<string, string> = {}) => {
    const said: string[] = [];
    const code = await callAdmin(
      ['restore-claims'],
      { verbs: verbsOf(recordingFeatures), outbox: createOutbox(consumersOf(recordingFeatures)) },
      {
        environment: {
          DATABASE_URL: plane.databaseUrl,
          REDIS_URL: plane.redisUrl,
          SECRET_KEY: secretKey,
          ...environment,
        },
        say: (line) => void said.push(line),
        send: async () => undefined,
        complain: (line) => void said.push(line),
      },
    );
    return { code, said: said.join('\n') };
  };
  const knowInRedis = (item: string, state: string) =>
    redis.hset(itemKey(item), { state, at: at(0), country: 'DE', batch: 'batch_any', count: 4 });

  test('claims that Redis knows are restored, each counted once, even if repeated or with reports on their way', async () => {
    const { id: batchId, items } = await newBatch(4);
    const [lost, held, reserved, onItsWay] = items as [string, string, string, string];
    await report([scansOf(held).claim(), scansOf(held).again(9)]);
    await Promise.all([lost, held, onItsWay].map((item) => knowInRedis(item, 'claimed')));
    await knowInRedis(reserved, 'confirmed');
    await redis.set(`serial:${lost}:device`, 'x');
    await redis.set('serial:settled', 'x');
    expect(await restore()).toEqual({ code: 0, said: '{"found":3,"restored":2}' });
    expect(await restore()).toEqual({ code: 0, said: '{"found":3,"restored":0}' });
    await report([scansOf(onItsWay).claim()]);
    const states = await lookUp(...items);
    const first = { atMs: at(0), country: 'DE' };
    expect(states).toHaveLength(4);
    for (const state of [
      { id: lost, batchId, scanCount: 1, first },
      { id: held, batchId, scanCount: 2, first },
      { id: reserved, batchId, scanCount: 0 },
      { id: onItsWay, batchId, scanCount: 1, first },
    ])
      expect(states).toContainEqual(state);
    expect(await scannedOf(batchId)).toBe(3);
    expect(await numbersOf(onItsWay)).toEqual([firstScanned]);
  });

  test('a Redis that does not answer is named', async () => {
    const outcome = await restore({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect(outcome).toEqual({ code: 1, said: 'Redis does not answer: see REDIS_URL' });
  });
});

describe('the notice of a batch', () => {
  /** As redirectors would read it. */
  const inRedis = async (batchId: string) => {
    const text = await redis.get(documentKey(batchId));
    return text === null ? undefined : parseDocument(batchDocuments, text).notice;
  };
  const change = (batchId: string, notice: string | null) =>
    workspace.call('PATCH', `/api/qr/serialized-batches/${batchId}`, { notice });

  test('is in Redis, and announced to redirectors, when PATCH answers', async () => {
    const { id } = await newBatch();
    for (const notice of ['recalled', 'stolen', null]) {
      expect(await change(id, notice)).toMatchObject({ status: 200 });
      expect(await inRedis(id)).toBe(notice ?? undefined);
      const [[, fields]] = (await redis.xrevrange(recordStream, '+', '-', 'COUNT', 1)) as [
        [string, string[]],
      ];
      expect(fields).toContain(await redis.get(documentKey(id)));
    }
  });

  test('that Redis did not take is published again until it does', async () => {
    const { id } = await newBatch();
    await change(id, 'recalled');
    relay.cut();
    expect(await change(id, 'stolen')).toMatchObject({ status: 200 });
    expect(await inRedis(id)).toBe('recalled');
    relay.mend();
    await expect.poll(() => inRedis(id), { timeout: 30_000 }).toBe('stolen');
  });
});

test('only redirectors can read the fingerprints of the signature keys', async () => {
  const keys = createSerialKeys({ secretKey, serialKeys: undefined });
  const { body } = await internal('GET', '/internal/serialized/keys');
  expect(body).toEqual(createSerialSignatures(keys).fingerprints());
  expect(JSON.stringify(body)).not.toContain(keys.get(1)!.toString('base64url').slice(0, 8));
  const stranger = await internal('GET', '/internal/serialized/keys', undefined, {
    authorization: 'Bearer x',
  });
  expect(stranger.status).toBe(401);
});
