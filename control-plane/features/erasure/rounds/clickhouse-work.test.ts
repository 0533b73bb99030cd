/** Removals that ClickHouse does later. */
import { expect, test } from 'vitest';
import { createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, createTestClickHouse } from '../../../../deploy/testing/index.ts';
import { createClickHouseWork, UnderWay } from './clickhouse-work.ts';

const clickhouse = createClickHouse(await createTestClickHouse(), 'test', 60_000);
afterFile(() => clickhouse.close());
const run = (query: string) => clickhouse.command({ query });

test('a removal is not over while it is under way, even if no row is left by which it would be found', async () => {
  await run('CREATE TABLE sums (name String, n Int64) ENGINE = MergeTree ORDER BY name');
  for (const n of [1, -1]) await run(`INSERT INTO sums VALUES ('empty', ${n})`);
  const empty = 'name IN (SELECT name FROM sums GROUP BY name HAVING sum(n) = 0)';
  const { remove } = createClickHouseWork(clickhouse, 1_500, async () => undefined);
  const removed = () =>
    remove('sums', empty, 'mark').then(
      () => true,
      (error: unknown) => {
        if (error instanceof UnderWay) return false;
        throw error;
      },
    );
  await run('SYSTEM STOP MERGES sums');
  expect(await removed()).toBe(false);
  // As if one of the two were removed already.
  await run(`INSERT INTO sums VALUES ('empty', -1)`);
  expect(await removed()).toBe(false);
  await run('SYSTEM START MERGES sums');
  await expect.poll(removed, { timeout: 30_000 }).toBe(true);
});
