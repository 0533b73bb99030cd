/** A control plane that is killed, as a process of its own, behind a redirector. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../db/pool.ts';
import { startPlaneProcess } from '../../../testing/plane-process.ts';

const apiKey = `wm_${'1'.repeat(32)}`;
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

test('kill -9 loses no view that is older than a second; another process goes on, and none counts twice', async () => {
  const databaseUrl = await createTestDatabase();
  const environment = { DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: apiKey };
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 2);
  afterFile(() => pool.end());
  const first = await startPlaneProcess('control-plane/main.ts', environment);
  await first.ready();
  await pool.query(`UPDATE subscriptions SET plan = 'enterprise'`);
  const { menuId } = await vi.waitFor(
    async () => {
      const { status, body } = await first.callWith(apiKey)('POST', '/api/qr/menus', { name: 'Lunch' });
      expect(status).toBe(201);
      return body as { menuId: string };
    },
    { timeout: 10_000, interval: 200 },
  );
  const look = async (url: string) => {
    const page = await fetch(`${url}/m/${menuId}`, { headers: { 'user-agent': phone } });
    expect(page.status).toBe(200);
    await page.text();
  };
  const viewsInTable = async (): Promise<number> => {
    const { rows } = await pool.query(
      'SELECT views::int AS views FROM hosted_page_views WHERE page_id = $1',
      [menuId],
    );
    return rows[0]?.views ?? 0;
  };

  await Promise.all(Array.from({ length: 50 }, () => look(first.url)));
  await sleep(1_000);
  await Promise.all(Array.from({ length: 20 }, () => look(first.url)));
  await first.kill();
  const kept = await viewsInTable();
  expect(kept).toBeGreaterThanOrEqual(50);
  expect(kept).toBeLessThanOrEqual(70);

  const second = await startPlaneProcess('control-plane/main.ts', environment);
  await second.ready();
  await Promise.all(Array.from({ length: 10 }, () => look(second.url)));
  await vi.waitFor(async () => expect(await viewsInTable()).toBe(kept + 10), { timeout: 10_000 });
  await look(second.url);
  // One that is told to stop loses none at all.
  second.child.kill('SIGTERM');
  await second.exited;
  expect(await viewsInTable()).toBe(kept + 11);
}, 120_000);
