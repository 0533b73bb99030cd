/** Items claimed after the backup that PostgreSQL is restored from, with redirectors and a Redis that know of it. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { itemKey, type VerificationAnswer } from '#schemas/verification.ts';
import {
  type Call,
  qrHost,
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
} from '../../control-plane/testing/control-plane.ts';
import { startTestRedirector } from '../../redirector/testing/redirector.ts';
import { queryOnce } from '../embedded/parts/postgres/postgres.ts';
import {
  afterFile,
  copyDatabase,
  createTestDatabase,
  databaseAdminUrl,
  freePort,
  startTestRedis,
} from '../testing/index.ts';

const root = path.resolve(import.meta.dirname, '../..');
const redis = await startTestRedis();
const client = new Redis(redis.url);
afterFile(() => client.disconnect());

const backUp = async (url: string): Promise<string> => {
  const database = new URL(url).pathname.slice(1);
  await queryOnce(
    databaseAdminUrl(),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
  );
  return copyDatabase(url, `${database}_backup`);
};

const startRedirector = async (plane: TestControlPlane) => {
  const { url } = await startTestRedirector({
    REDIS_URL: redis.url,
    SECRET_KEY: secretKey,
    CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
  });
  return {
    /** @returns the answer to a person with a phone; undefined if there is no verdict now */
    async verify(item: Item): Promise<VerificationAnswer | undefined> {
      const response = await fetch(item.url.replace(qrHost, url), {
        headers: {
          accept: 'application/json',
          'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/124.0 Mobile',
        },
      });
      const body = (await response.json()) as VerificationAnswer;
      return response.status === 503 ? undefined : body;
    },
  };
};

interface Item {
  itemId: string;
  url: string;
  scanCount: number;
}
const base = '/api/qr/serialized-batches';

const itemsOf = async (call: Call, batchId: string): Promise<Item[]> =>
  ((await call('GET', `${base}/${batchId}`)).body as { items: Item[] }).items;

const mint = async (call: Call, count: number): Promise<string> => {
  const { batchId } = (await call('POST', base, { batchName: 'Spring', count })).body as { batchId: string };
  await expect
    .poll(async () => (await call('GET', `${base}/${batchId}`)).body)
    .toMatchObject({ status: 'completed' });
  return batchId;
};

const verdictOf = async (redirector: Awaited<ReturnType<typeof startRedirector>>, item: Item) => {
  let answer: VerificationAnswer | undefined;
  const ask = async () => {
    answer = await redirector.verify(item);
    return answer;
  };
  await expect.poll(ask, { timeout: 60_000 }).toBeDefined();
  return answer!.verdict;
};

test('after a restore, no item is authentic again whose claim is known to redirectors, Redis or admin restore-claims', async () => {
  const databaseUrl = await createTestDatabase();
  // The same for each: the redirectors find the control plane by its port.
  const environment = { CONTROL_PLANE_INTERNAL_PORT: String(await freePort()) };
  const start = (url: string) =>
    startTestControlPlane({ databaseUrl: url, redisUrl: redis.url, environment, keepInternalPort: true });
  const first = await start(databaseUrl);
  const own = await first.workspace();
  const batchId = await mint(own.call, 4);
  const [held, inRedis, brought, unclaimed] = (await itemsOf(own.call, batchId)) as [Item, Item, Item, Item];
  await first.close();
  const backup = await backUp(databaseUrl);

  const second = await start(databaseUrl);
  const before = await startRedirector(second);
  for (const item of [held, inRedis, brought]) expect(await verdictOf(before, item)).toBe('authentic');
  const scanned = async (plane: TestControlPlane) =>
    ((await plane.callWith(own.apiKey)('GET', `${base}/${batchId}`)).body as { scanned: number }).scanned;
  await expect.poll(() => scanned(second)).toBe(3);
  await second.close();

  const third = await start(backup);
  const after = await startRedirector(third);
  expect(await scanned(third)).toBe(0);
  expect(await verdictOf(before, held)).toBe('already_scanned');
  expect(await verdictOf(after, inRedis)).toBe('already_scanned');
  // The next report of an item brings its claim.
  await expect.poll(() => scanned(third)).toBe(2);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['control-plane/admin.ts', 'restore-claims'],
    {
      cwd: root,
      env: { DATABASE_URL: backup, REDIS_URL: redis.url, SECRET_KEY: secretKey },
    },
  );
  expect(JSON.parse(stdout)).toEqual({ found: 3, restored: 1 });
  expect(await scanned(third)).toBe(3);
  // Simulates a day's passing.
  await client.del(itemKey(brought.itemId));
  expect(await verdictOf(after, brought)).toBe('already_scanned');
  expect(await verdictOf(after, unclaimed)).toBe('authentic');
  await third.close();
}, 300_000);
