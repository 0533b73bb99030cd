import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import {
  type CodeRecord,
  recordFormat,
  recordKey,
  recordStream,
  serializeUnreadable,
} from '#schemas/code-record.ts';
import { startTestRedis } from '../deploy/testing/redis.ts';
import { createRecord, phone, startTestRedirector, type TestRedirector } from './testing/redirector.ts';

let waymark: TestRedirector;

beforeAll(async () => {
  // Long enough that no held code is refreshed by a timer during a test.
  waymark = await startTestRedirector({ RECORD_FRESH_S: '600', RECORD_STALE_MAX_S: '3600' });
  await waymark.connected();
});

const rows = (query: string) => waymark.query(query);

test('a scan of an active code is redirected to its destination, and is not cacheable', async () => {
  const record = createRecord();
  await waymark.publish(record);
  const response = await waymark.scan(record.id);
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(record.destination);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
});

test('a code that is only in PostgreSQL is looked up in the control plane once', async () => {
  const record = createRecord();
  waymark.controlPlane.records.set(record.id, record);
  const responses = await Promise.all(Array.from({ length: 20 }, () => waymark.scan(record.id)));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(302));
  expect(waymark.controlPlane.asked.filter((id) => id === record.id)).toHaveLength(1);
});

test('an unknown id is 404: a page for browsers, JSON for others', async () => {
  const { id } = createRecord();
  for (const unknown of [id, 'short', 'much-too-long-for-an-id', 'abc%00def1', 'a%0d%0ab']) {
    const json = await waymark.scan(unknown, { headers: { accept: 'application/json' } });
    expect([json.status, await json.json()]).toEqual([
      404,
      { error: 'No code has this id', code: 'NOT_FOUND' },
    ]);
    const page = await waymark.scan(unknown, { headers: { accept: 'text/html,application/xhtml+xml' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<html lang="en" dir="ltr">');
  }
});

test('an inactive code is 410 with a branded page that loads nothing from outside', async () => {
  const record = createRecord({ active: false });
  await waymark.publish(record);
  const page = await waymark.scan(record.id, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(410);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page.text();
  expect(html.length).toBeLessThan(15 * 1024);
  expect(html).not.toMatch(/(?:src|href)="(?!data:|")/);
  const json = await waymark.scan(record.id);
  expect([json.status, await json.json()]).toEqual([
    410,
    { error: 'This code is inactive', code: 'CODE_INACTIVE' },
  ]);
});

test('an announced change reaches the scans of a held code, deactivation and activation too', async () => {
  const record = createRecord();
  await waymark.publish(record);
  await waymark.scan(record.id);
  const changes = [
    { version: 2, destination: 'https://example.org/second' },
    { version: 3, active: false },
    { version: 4, active: true },
  ];
  for (const change of changes) {
    await waymark.publish({ ...record, ...change });
    const answer = async () => {
      const { status, headers } = await waymark.scan(record.id);
      return [status, headers.get('location')];
    };
    const { active = true, destination = record.destination } = change;
    await expect.poll(answer).toEqual(active ? [302, destination] : [410, null]);
  }
});

test('an announcement of an older version changes nothing', async () => {
  const record = createRecord({ version: 5 });
  await waymark.publish(record);
  await waymark.scan(record.id);
  await waymark.publish({ ...record, version: 4, destination: 'https://example.org/old' });
  // Announcements are read in order.
  const later = createRecord();
  await waymark.publish(later);
  await waymark.scan(later.id);
  await waymark.publish({ ...later, version: 2, active: false });
  await expect.poll(async () => (await waymark.scan(later.id)).status).toBe(410);
  expect((await waymark.scan(record.id)).headers.get('location')).toBe(record.destination);
});

test('a record of a later release is not an error: the control plane is asked, and one of an earlier release answers with its version', async () => {
  const records = [createRecord({ version: 5 }), createRecord(), createRecord()];
  const [later, other] = records as [CodeRecord, CodeRecord, CodeRecord];
  for (const record of records) await waymark.publish(record);
  const text = `5 ${recordFormat + 1} ${JSON.stringify({ ...later, forLaterReleases: true })}`;
  await waymark.redis.set(recordKey(later.id), text);
  // The same version, in the format that the control plane knows.
  waymark.controlPlane.records.set(later.id, { ...later, destination: 'https://example.org/known' });
  const [first, second] = await Promise.all([waymark.scan(later.id), waymark.scan(other.id)]);
  expect(first.headers.get('location')).toBe('https://example.org/known');
  expect(second.status).toBe(302);
  expect(waymark.controlPlane.asked).not.toContain(other.id);
  // Announced, but the control plane has no readable version: the held record is served.
  const newest = `6 ${recordFormat + 1} ${JSON.stringify({ ...later, version: 6 })}`;
  waymark.controlPlane.texts.set(later.id, newest);
  await waymark.redis.set(recordKey(later.id), newest);
  await waymark.redis.xadd(recordStream, '*', 'record', newest, 'id', later.id);
  await expect
    .poll(() => waymark.redirector.metrics.metrics())
    .toMatch(/unreadable_total{source="stream"} 1/);
  expect((await waymark.scan(later.id)).headers.get('location')).toBe('https://example.org/known');
  await expect.poll(() => waymark.controlPlane.asked.filter((id) => id === later.id)).toHaveLength(2);
  // A code that is not held is not reported as absent.
  const unknown = createRecord();
  waymark.controlPlane.texts.set(unknown.id, serializeUnreadable(unknown.id, 1));
  expect((await waymark.scan(unknown.id)).status).toBe(503);
});

test('HEAD, prefetches and bots are redirected and recorded as bots; other methods are 405', async () => {
  const record = createRecord();
  await waymark.publish(record);
  const head = await waymark.scan(record.id, { method: 'HEAD' });
  expect([head.status, head.headers.get('location')]).toEqual([302, record.destination]);
  const prefetches = [
    waymark.scan(record.id, { headers: { 'sec-purpose': 'prefetch;prerender' } }),
    waymark.scan(record.id, { headers: { purpose: 'prefetch' } }),
    waymark.scan(record.id, { headers: { 'x-moz': 'prefetch' } }),
    waymark.scan(record.id, { headers: { 'x-purpose': 'preview' } }),
  ];
  const bot = waymark.scan(record.id, { headers: { 'user-agent': 'Googlebot/2.1' } });
  for (const response of await Promise.all([...prefetches, bot])) expect(response.status).toBe(302);
  await waymark.scan(record.id);
  const post = await waymark.scan(record.id, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  const counts = `SELECT kind, toUInt32(count()) AS n FROM scans WHERE code_id = '${record.id}' GROUP BY kind ORDER BY kind`;
  await expect
    .poll(() => rows(counts))
    .toEqual([
      { kind: 'scan', n: 1 },
      { kind: 'bot', n: 6 },
    ]);
});

test('a scan reaches ClickHouse unprompted, with the facts about the visitor and no address', async () => {
  const record = createRecord();
  await waymark.publish(record);
  await waymark.scan(record.id, { headers: { referer: 'https://Social.example/post/1?secret' } });
  const facts = `SELECT * EXCEPT (event_id, ts, visitor) FROM scans WHERE code_id = '${record.id}'`;
  await expect
    .poll(() => rows(facts))
    .toEqual([
      {
        workspace_id: record.workspaceId,
        code_id: record.id,
        kind: 'scan',
        device: 'mobile',
        os: 'ios',
        browser: 'Safari',
        country: '',
        referrer_host: 'social.example',
        source: '',
        variant_id: '',
        rule_id: '',
      },
    ]);
});

test('a visitor counts once, however many scans; another visitor counts again', async () => {
  const record = createRecord();
  await waymark.publish(record);
  const other = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0';
  for (const userAgent of [undefined, undefined, other]) {
    await waymark.scan(record.id, userAgent ? { headers: { 'user-agent': userAgent } } : {});
  }
  const query = `SELECT toUInt32(sum(scans)) AS scans, toUInt32(uniqMerge(visitors)) AS visitors
    FROM scans_daily WHERE code_id = '${record.id}'`;
  await expect.poll(() => rows(query)).toEqual([{ scans: 3, visitors: 2 }]);
});

test('with Redis and the control plane down, held codes still redirect and unknown ones are 503, never 404', async () => {
  const redis = await startTestRedis();
  const mine = await startTestRedirector({
    REDIS_URL: redis.url,
    RECORD_FRESH_S: '1',
    RECORD_STALE_MAX_S: '1',
  });
  const record = createRecord();
  const created = createRecord();
  await mine.publish(record);
  expect((await mine.scan(record.id)).status).toBe(302);
  await redis.stop();
  mine.controlPlane.away = true;
  expect((await mine.scan(record.id)).status).toBe(302);
  await sleep(1100); // past the bound
  expect((await mine.scan(record.id)).headers.get('location')).toBe(record.destination);
  const unknown = await mine.scan(created.id);
  expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '2']);
  // With only Redis down, the control plane answers for codes that are not held or too old.
  mine.controlPlane.away = false;
  mine.controlPlane.records.set(created.id, created);
  expect((await mine.scan(created.id)).headers.get('location')).toBe(created.destination);
  const changed = { ...record, version: 2, destination: 'https://example.org/while-away' };
  mine.controlPlane.records.set(record.id, changed);
  await sleep(1100);
  expect((await mine.scan(record.id)).headers.get('location')).toBe(changed.destination);
  await redis.startAgain();
  await mine.connected();
});

test('every other path is passed through to the control plane', async () => {
  const response = await fetch(`${waymark.url}/p/page_1?x=1`);
  expect(await response.text()).toBe('passed: GET /p/page_1?x=1');
  expect(await (await fetch(`${waymark.url}/`)).text()).toBe('passed: GET /');
});

test('a malformed or incomplete request affects no other', async () => {
  const port = Number(new URL(waymark.url).port);
  const hostile = [
    'GET /r/abc HTTP/1.1\r\n\r\n',
    'GET /r/a\r\nb HTTP/1.1\r\nHost: x\r\n\r\n',
    `GET /r/${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /r/abcdefghi HTTP/1.1\r\nHost: x\r\nUser-Agent: ${'\xff'.repeat(3000)}\r\n\r\n`,
    'POST /f/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nshort',
    'POST /f/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n',
    '\x00\x01\x02\r\n\r\n',
  ];
  for (const bytes of hostile) {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(Buffer.from(bytes, 'latin1'));
    await sleep(20);
    socket.destroy();
  }
  const record = createRecord();
  await waymark.publish(record);
  expect((await waymark.scan(record.id)).status).toBe(302);
});

test('clients that disconnect before their answer leave nothing behind: no scan, and no harm to others', async () => {
  const mine = await startTestRedirector();
  const held = createRecord();
  await mine.publish(held);
  expect((await mine.scan(held.id)).status).toBe(302);
  const records = Array.from({ length: 10 }, () => createRecord());
  for (const record of records) mine.controlPlane.records.set(record.id, record);
  const lookups = Promise.withResolvers<void>();
  mine.controlPlane.held = lookups.promise;
  const port = Number(new URL(mine.url).port);
  const sockets = records.map(({ id }) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('data', () => expect.unreachable('nothing is known yet'));
    socket.write(`GET /r/${id} HTTP/1.1\r\nHost: x\r\nUser-Agent: ${phone}\r\n\r\n`);
    return socket;
  });
  // All of them wait for the control plane …
  await expect.poll(() => mine.controlPlane.asked.length, { interval: 5 }).toBe(10);
  // … and disconnect. A later request is answered after the redirector has noticed.
  await Promise.all(
    sockets.map((socket) => new Promise<void>((closed) => socket.once('close', () => closed()).destroy())),
  );
  expect((await mine.scan(held.id)).status).toBe(302);
  lookups.resolve();
  mine.controlPlane.held = undefined;
  for (const { id } of records.slice(0, 3)) expect((await mine.scan(id)).status).toBe(302);
  expect(mine.controlPlane.asked).toHaveLength(10);
  await mine.redirector.close();
  const rowsOfCodes = await mine.query(
    'SELECT code_id AS id, toUInt32(count()) AS n FROM scans GROUP BY id ORDER BY id',
  );
  const counted = [{ id: held.id, n: 2 }, ...records.slice(0, 3).map(({ id }) => ({ id, n: 1 }))];
  expect(rowsOfCodes).toEqual(counted.sort((a, b) => (a.id < b.id ? -1 : 1)));
});

test('a scan answered before a stop is in ClickHouse once the process has stopped', async () => {
  const mine = await startTestRedirector();
  const record = createRecord();
  await mine.publish(record);
  for (let i = 0; i < 25; i++) expect((await mine.scan(record.id)).status).toBe(302);
  await mine.redirector.close();
  expect(await mine.query('SELECT toUInt32(count()) AS n FROM scans')).toEqual([{ n: 25 }]);
});
