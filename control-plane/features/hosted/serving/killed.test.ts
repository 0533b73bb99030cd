/** A control plane that is killed, as a process of its own, behind a redirector. */
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { startPlaneProcess } from '../../../testing/plane-process.ts';

const apiKey = `wm_${'1'.repeat(32)}`;
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

test('kill -9 loses no view that has been added, and views are added while a process runs; another one goes on, and none counts twice', async () => {
  const databaseUrl = await createTestDatabase();
  const environment = { DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: apiKey };
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 2);
  afterFile(() => pool.end());
  const first = await startPlaneProcess('control-plane/main.ts', environment);
  await first.ready();
  await pool.query(`UPDATE subscriptions SET plan = 'enterprise'`);
  // That the plan has changed is heard a moment later.
  let menuId = '';
  const create = async () => {
    const { status, body } = await first.callWith(apiKey)('POST', '/api/qr/menus', { name: 'Lunch' });
    ({ menuId } = body as { menuId: string });
    return status;
  };
  await expect.poll(create, { interval: 200 }).toBe(201);
  const view = async (url: string): Promise<void> => {
    const page = await fetch(`${url}/m/${menuId}`, { headers: { 'user-agent': phone } });
    await page.text();
    // On a busy machine PostgreSQL may be too late for a view.
    if (page.status === 503) return view(url);
    expect(page.status).toBe(200);
  };
  const viewsInTable = async (): Promise<number> => {
    const { rows } = await pool.query(
      'SELECT views::int AS views FROM hosted_page_views WHERE page_id = $1',
      [menuId],
    );
    return rows[0]?.views ?? 0;
  };

  await Promise.all(Array.from({ length: 50 }, () => view(first.url)));
  await expect.poll(viewsInTable).toBe(50);
  await Promise.all(Array.from({ length: 20 }, () => view(first.url)));
  await first.kill();
  const kept = await viewsInTable();
  expect(kept).toBeGreaterThanOrEqual(50);
  expect(kept).toBeLessThanOrEqual(70);

  const second = await startPlaneProcess('control-plane/main.ts', environment);
  await second.ready();
  await Promise.all(Array.from({ length: 10 }, () => view(second.url)));
  await expect.poll(viewsInTable).toBe(kept + 10);
  await view(second.url);
  // A process that is stopped loses none at all.
  second.child.kill('SIGTERM');
  await second.exited;
  expect(await viewsInTable()).toBe(kept + 11);
});
