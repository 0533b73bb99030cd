import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type KeptExportObject, keptExportList, keptExportObject } from '#schemas/api/kept-exports.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { scanFoldersKey } from '#shared/delivered-scans.ts';
import { canMount, mountDisk } from '../../../deploy/testing/disk.ts';
import { afterFile, temporaryFolder } from '../../../deploy/testing/local.ts';
import { createFileStorage } from '../../platform/storage/file/file-storage.ts';
import {
  type Call,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { holdTurns } from '../bulk/testing/held-turns.ts';
import { sweepKeptExports } from './nightly.ts';

const base = '/api/qr/exports';
const dayMs = 86_400_000;
let plane: TestControlPlane;
let folder: string;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  folder = await temporaryFolder();
  plane = await startTestControlPlane({ environment: { STORAGE_URL: pathToFileURL(folder).href } });
  clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  afterFile(() => clickhouse.close());
});

let made = 0;
const at = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ');

const record = async (
  { workspaceId }: Workspace,
  scans: readonly Record<string, unknown>[],
): Promise<string[]> => {
  const values = scans.map((scan) => ({
    event_id: `00000000-0000-0000-0000-${String(++made).padStart(12, '0')}`,
    workspace_id: workspaceId,
    code_id: 'code00001',
    ts: at(Date.now() - 3_600_000),
    kind: 'scan',
    device: 'mobile',
    visitor: made,
    ...scan,
  }));
  await clickhouse.insert({ table: 'scans', format: 'JSONEachRow', values });
  return values.map(({ event_id }) => event_id);
};

const begun = async (call: Call, what: string, body?: object): Promise<KeptExportObject> => {
  const answer = await call('POST', `${base}/${what}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return keptExportObject.parse(answer.body);
};

const read = async (call: Call, id: string): Promise<KeptExportObject> =>
  keptExportObject.parse((await call('GET', `${base}/${id}`)).body);

const ended = async (call: Call, what: string, body?: object): Promise<KeptExportObject> => {
  const { id } = await begun(call, what, body);
  const status = async () => (await read(call, id)).status;
  await expect.poll(status, { timeout: 60_000 }).toMatch(/^(completed|failed)$/);
  return read(call, id);
};

const textOf = async (call: Call, id: string): Promise<string> => {
  const { status, body } = await call('GET', `${base}/${id}/file`);
  expect(status).toBe(200);
  return gunzipSync(body as Buffer).toString();
};

const linesOf = async (call: Call, id: string) =>
  (await textOf(call, id))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const filesIn = (root: string): string[] =>
  fs.readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    return entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [];
  });

describe('the file of all scans', () => {
  test('has each scan of the window and the kind once, by code and time, and nothing of a visitor', async () => {
    const own = await plane.workspace();
    const hour = Date.now() - 3_600_000;
    const [late, early, other, bot, past] = await record(own, [
      { ts: at(hour + 2), source: 'poster' },
      { ts: at(hour + 1), browser: 'Safari', country: 'DE' },
      { code_id: 'code00000', ts: at(hour + 3) },
      { kind: 'bot' },
      { ts: at(hour - 200 * dayMs) },
    ]);
    await record(await plane.workspace(), [{}]);
    const whole = await ended(own.call, 'scans');
    expect(whole).toMatchObject({ contents: 'scans', format: 'ndjson', status: 'completed', rows: 4 });
    const lines = await linesOf(own.call, whole.id);
    expect(lines.map(({ id }) => id)).toEqual([other, past, early, late]);
    expect(lines[2]).toEqual({
      id: early,
      code: 'code00001',
      scannedAt: new Date(hour + 1).toISOString(),
      kind: 'scan',
      device: 'mobile',
      os: 'other',
      browser: 'Safari',
      country: 'DE',
      referrer: null,
      source: null,
      variant: null,
      rule: null,
    });
    const [from, to] = [new Date(hour).toISOString(), new Date(hour + 3).toISOString()];
    const part = await ended(own.call, 'scans', { format: 'csv', kind: 'all', from, to });
    expect(part).toMatchObject({ from, to, rows: 3 });
    const [head, ...rows] = (await textOf(own.call, part.id)).trimEnd().split('\r\n');
    expect(head).toBe(`\ufeff${Object.keys(lines[2]!).join(',')}`);
    expect(rows.map((row) => row.split(',')[0]).sort()).toEqual([late, early, bot].sort());
  });

  test('has what the workspace keeps, and a window that begins before is refused', async () => {
    const own = await plane.workspace();
    const [, kept] = await record(own, [
      { ts: at(Date.now() - 20 * dayMs) },
      { ts: at(Date.now() - 5 * dayMs) },
    ]);
    await own.call('PATCH', '/api/qr/settings', { scanRetentionDays: 10 });
    const { id } = await ended(own.call, 'scans');
    expect((await linesOf(own.call, id)).map((line) => line.id)).toEqual([kept]);
    const from = new Date(Date.now() - 20 * dayMs).toISOString();
    expect(await own.call('POST', `${base}/scans`, { from })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^from must be at most 10 days ago/) },
    });
    expect((await own.call('POST', `${base}/scans`, { from: '2030-01-01T00:00' })).status).toBe(422);
    const empty = await ended(own.call, 'scans', { kind: 'bot', format: 'csv' });
    expect(empty).toMatchObject({ status: 'completed', rows: 0 });
    expect(await textOf(own.call, empty.id)).toMatch(/^\ufeffid,code/);
  });
});

test('the file of all scans ends at completeUntil: what a redirector may still hold is for the next one', async () => {
  const redis = new Redis(plane.redisUrl);
  onTestFinished(async () => {
    await redis.del(scanFoldersKey);
    await redis.quit();
  });
  const own = await plane.workspace();
  const [before] = await record(own, [{ ts: at(Date.now() - 120_000) }, { ts: at(Date.now() - 5_000) }]);
  const nowMs = Number((await redis.time())[0]) * 1000;
  await redis.hset(scanFoldersKey, { since: `${nowMs - 60_000} #x`, folder: `${nowMs} ${nowMs - 60_000} 1` });
  const { id, to, completeUntil } = await ended(own.call, 'scans');
  expect(completeUntil).not.toBeNull();
  expect(to).toBe(completeUntil);
  expect(Date.parse(completeUntil!)).toBeLessThanOrEqual(nowMs - 60_000);
  expect((await linesOf(own.call, id)).map((line) => line.id)).toEqual([before]);
});

test('the file of all codes has what the export has that is streamed', async () => {
  const own = await plane.workspace();
  for (let n = 0; n < 3; n++) await own.createCode({ name: `code ${n}`, tags: ['a'] });
  for (const format of ['csv', 'ndjson']) {
    const { id, rows } = await ended(own.call, 'codes', { format });
    expect(rows).toBe(3);
    const streamed = await own.call('GET', `/api/qr/codes/export?format=${format}`);
    expect(await textOf(own.call, id)).toBe(String(streamed.body));
  }
});

describe('a kept file', () => {
  test('is downloaded in ranges, as often as asked for, by the keys that may read what is in it', async () => {
    const own = await plane.workspace();
    await record(own, [{}]);
    const { id, bytes } = await ended(own.call, 'scans');
    const whole = (await own.call('GET', `${base}/${id}/file`)).body as Buffer;
    expect(whole).toHaveLength(bytes);
    const tail = await own.call('GET', `${base}/${id}/file`, undefined, { range: 'bytes=10-' });
    expect([tail.status, (tail.body as Buffer).equals(whole.subarray(10))]).toEqual([206, true]);
    const same = await own.call('GET', `${base}/${id}/file`, undefined, { 'if-none-match': `"${id}"` });
    expect(same.status).toBe(304);
    const keyOf = async (permissions: string[]): Promise<Call> => {
      const { body } = await own.call('POST', '/api/qr/keys', { name: 'k', permissions });
      return plane.callWith((body as { apiKey: string }).apiKey);
    };
    const [analyst, editor] = [await keyOf(['analytics:read']), await keyOf(['codes:write'])];
    expect((await analyst('GET', `${base}/${id}/file`)).status).toBe(200);
    expect((await editor('GET', `${base}/${id}/file`)).status).toBe(403);
    expect((await editor('DELETE', `${base}/${id}`)).status).toBe(403);
    expect((await editor('POST', `${base}/scans`)).status).toBe(403);
    expect((await analyst('POST', `${base}/codes`)).status).toBe(403);
    expect((await analyst('DELETE', `${base}/${id}`)).status).toBe(403);
    expect((await editor('GET', base)).body).toMatchObject({ data: [] });
    expect((await analyst('GET', base)).body).toMatchObject({ data: [{ id }] });
    const other = await plane.workspace();
    expect((await other.call('GET', `${base}/${id}/file`)).status).toBe(403);
    expect((await other.call('GET', base)).body).toMatchObject({ data: [] });
  });

  test('is removed by a key that may write codes and read what is in it, and by no key that may only read', async () => {
    const own = await plane.workspace();
    const permitted = async (permissions: string[]): Promise<Call> => {
      const { body } = await own.call('POST', '/api/qr/keys', { name: 'k', permissions });
      return plane.callWith((body as { apiKey: string }).apiKey);
    };
    const reader = await permitted(['codes:read', 'analytics:read']);
    const cases = [
      ['codes', ['codes:write']],
      ['scans', ['codes:write', 'analytics:read']],
    ] as const;
    for (const [contents, permissions] of cases) {
      const { id } = await ended(own.call, contents);
      expect(await reader('DELETE', `${base}/${id}`), contents).toMatchObject({
        status: 403,
        body: { code: 'PERMISSION_MISSING', permission: 'codes:write' },
      });
      const editor = await permitted([...permissions]);
      expect((await editor('DELETE', `${base}/${id}`)).body, contents).toMatchObject({ fileUntil: null });
    }
  });

  test('is listed, the newest first, in pages', async () => {
    const own = await plane.workspace();
    const ids = [];
    for (let n = 0; n < 3; n++) ids.unshift((await ended(own.call, 'codes')).id);
    const first = keptExportList.parse((await own.call('GET', `${base}?limit=2`)).body);
    const { nextCursor } = first.pagination;
    const second = keptExportList.parse((await own.call('GET', `${base}?limit=2&cursor=${nextCursor}`)).body);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(second.pagination.nextCursor).toBeNull();
  });

  test('is removed after 7 days, by DELETE before, and so is a part of which no row is left', async () => {
    const own = await plane.workspace();
    const [gone, removed, kept] = [
      await ended(own.call, 'codes'),
      await ended(own.call, 'codes'),
      await ended(own.call, 'codes'),
    ];
    const days = (Date.parse(gone!.fileUntil!) - Date.parse(gone!.completedAt!)) / dayMs;
    expect(days).toBeCloseTo(7, 2);
    expect((await own.call('DELETE', `${base}/${removed!.id}`)).body).toMatchObject({ fileUntil: null });
    await plane.pool.query(`UPDATE jobs SET result_until = now() WHERE id = $1`, [gone!.id]);
    const lost = path.join(folder, 'kept-exports', 'exp_lost', 'part');
    fs.mkdirSync(path.dirname(lost), { recursive: true });
    fs.writeFileSync(lost, 'x');
    const options = {
      pool: plane.pool,
      storage: createFileStorage(folder),
      logger: pino({ level: 'silent' }),
    };
    await sweepKeptExports(options);
    expect(fs.existsSync(lost)).toBe(true);
    await sweepKeptExports({ ...options, nowMs: () => Date.now() + 2 * dayMs });
    const left = filesIn(folder).join();
    expect(left).not.toContain(gone!.id);
    expect(left).not.toContain(removed!.id);
    expect(left).not.toContain('exp_lost');
    expect(left).toContain(kept!.id);
    for (const { id } of [gone!, removed!])
      expect((await own.call('GET', `${base}/${id}/file`)).status).toBe(404);
    expect((await own.call('GET', `${base}/${kept!.id}/file`)).status).toBe(200);
  });
});

test('a workspace has one export at a time, and its room bounds what it keeps', async () => {
  const own = await plane.workspace();
  const release = await holdTurns(plane.pool);
  const { id } = await begun(own.call, 'codes');
  expect(await own.call('POST', `${base}/scans`)).toMatchObject({
    status: 409,
    body: { error: `${id} is not finished: a workspace has one export at a time` },
  });
  expect((await own.call('GET', `${base}/${id}/file`)).status).toBe(409);
  const { body } = await own.call('DELETE', `${base}/${id}`);
  expect(body).toMatchObject({ status: 'cancelled' });
  expect(body).not.toHaveProperty('error');
  expect((await own.call('GET', `${base}/${id}/file`)).body).toMatchObject({
    error: `${id} was cancelled: it has no file`,
  });
  await release();
  const { id: next } = await ended(own.call, 'codes');
  await plane.pool.query('UPDATE kept_exports SET bytes = 1e12 WHERE job_id = $1', [next]);
  expect(await own.call('POST', `${base}/codes`)).toMatchObject({
    status: 429,
    body: { code: 'QUOTA_EXCEEDED' },
  });
});

test.skipIf(!canMount)('a full disk fails the export with its name, and leaves no file', async () => {
  const disk = path.join(await mountDisk(8), 'storage');
  const small = await startTestControlPlane({ environment: { STORAGE_URL: pathToFileURL(disk).href } });
  const own = await small.workspace();
  const noise = () => Math.random().toString(36).repeat(3).slice(0, 30);
  for (let n = 0; n < 5; n++) await own.createCode({ notes: Array.from({ length: 60 }, noise).join('') });
  fs.mkdirSync(disk, { recursive: true });
  const filler = fs.openSync(path.join(disk, 'filler'), 'w');
  expect(() => {
    for (;;) fs.writeSync(filler, Buffer.alloc(2 ** 12));
  }).toThrow('ENOSPC');
  fs.closeSync(filler);
  const failed = await ended(own.call, 'codes');
  expect(failed).toMatchObject({
    status: 'failed',
    error: `The storage has no room left for ${failed.id}; nothing of it is kept`,
    fileUntil: null,
  });
  expect(filesIn(disk).map((file) => path.basename(file))).toEqual(['filler']);
});
