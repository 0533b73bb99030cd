/** A bulk operation of an installation whose control plane is killed half-way. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { bulkProgress, bulkResultEntry } from '#schemas/api/bulk.ts';
import { createdEventsTable } from '../../control-plane/features/bulk/testing/recording-plane.ts';
import { queryOnce } from '../embedded/parts/postgres/postgres.ts';
import { type Installation, startInstallation } from './installation.ts';

const rows = Array.from({ length: 1_000 }, (_, n) => ({
  uid: `table ${n}`,
  data: `https://example.com/menu?table=${n}`,
}));

let waymark: Installation;

beforeAll(async () => {
  // Each scan is from an address of its own.
  waymark = await startInstallation(
    { TRUSTED_PROXIES: '127.0.0.1' },
    'deploy/smoke/testing/recording-main.ts',
  );
  await queryOnce(waymark.databaseUrl(), createdEventsTable);
}, 90_000);

afterAll(async () => {
  await waymark?.stop();
}, 60_000);

const submit = async (): Promise<string> => {
  const accepted = await waymark.api('POST', '/api/qr/codes/bulk', rows);
  expect(accepted.status).toBe(202);
  return bulkProgress.parse(await accepted.json()).bulkId;
};

const progressOf = async (bulkId: string) =>
  bulkProgress.parse(await (await waymark.api('GET', `/api/qr/codes/bulk/${bulkId}`)).json());

const pidOfControlPlane = (): number => Number(/^control-plane +\S+ +(\d+)/m.exec(waymark.output())?.[1]);

/** Where each of the URLs leads to, for a phone that scans it. */
const destinationsOf = async (urls: readonly string[]): Promise<(string | null)[]> => {
  const scanFrom = async (url: string, n: number) => {
    const headers = { 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` };
    return (await waymark.scan(url, { headers })).headers.get('location');
  };
  const found: (string | null)[] = [];
  const atOnce = 50;
  for (let start = 0; start < urls.length; start += atOnce) {
    const part = urls.slice(start, start + atOnce);
    found.push(...(await Promise.all(part.map((url, n) => scanFrom(url, start + n)))));
  }
  return found;
};

test('a kill -9 half-way loses no row and makes none twice: 1,000 codes work, each announced once', async () => {
  const bulkId = await submit();
  const processed = async () => (await progressOf(bulkId)).processed;
  await expect.poll(processed, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
  process.kill(pidOfControlPlane(), 'SIGKILL');
  const left = await queryOnce(
    waymark.databaseUrl(),
    `SELECT FROM bulk_rows WHERE bulk_id = '${bulkId}' AND result IS NULL`,
  );
  expect(left.rowCount).toBeGreaterThan(0);

  // Nobody answers until it has been started again.
  const progress = () => progressOf(bulkId).catch(() => undefined);
  await expect
    .poll(progress, { timeout: 120_000, interval: 100 })
    .toMatchObject({ status: 'completed', total: 1_000, succeeded: 1_000, failed: 0 });
  const result = await waymark.api('GET', `/api/qr/codes/bulk/${bulkId}/result`);
  const entries = z.array(bulkResultEntry).parse(await result.json());
  expect(entries.map(({ uid }) => uid)).toEqual(rows.map(({ uid }) => uid));
  expect(new Set(entries.map(({ id }) => id)).size).toBe(1_000);
  expect(await destinationsOf(entries.map(({ redirectUrl = '' }) => redirectUrl))).toEqual(
    rows.map(({ data }) => data),
  );
  const announced = await queryOnce(waymark.databaseUrl(), 'SELECT code_id FROM created_events ORDER BY 1');
  expect(announced.rows.map(({ code_id }) => code_id)).toEqual(entries.map(({ id }) => id).toSorted());
}, 300_000);
