import { access } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createClickHouse } from '#shared/clickhouse.ts';
import { queryOnce } from '../embedded/parts/postgres/postgres.ts';
import { createTestClickHouse, createTestDatabase, freePort, redisUrl, temporaryFolder } from './index.ts';

test('each test database is fresh and has every table', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await queryOnce(first, 'CREATE TABLE only_here (id integer)');
  const count = `SELECT count(*)::int AS tables FROM information_schema.tables WHERE table_schema = 'public'`;
  const [inFirst, inSecond] = [await queryOnce(first, count), await queryOnce(second, count)];
  expect(inSecond.rows[0].tables).toBeGreaterThan(2);
  expect(inFirst.rows[0].tables).toBe(inSecond.rows[0].tables + 1);
});

test('a test ClickHouse database has the scan tables', async () => {
  const clickhouse = createClickHouse(await createTestClickHouse(), 'test', 10_000);
  const result = await clickhouse.query({ query: 'SELECT count() AS n FROM scans', format: 'JSONEachRow' });
  expect(await result.json()).toEqual([{ n: 0 }]);
  await clickhouse.close();
});

test('Redis answers, and a temporary folder exists', async () => {
  const redis = new Redis(redisUrl());
  expect(await redis.dbsize()).toBe(0);
  redis.disconnect();
  await access(await temporaryFolder());
});

test('two processes with the same id that choose ports at the same time never choose the same port', async () => {
  // A module with another query is another instance.
  const again: string = './free-port.ts?again';
  const other: typeof import('./free-port.ts') = await import(again);
  expect(other.freePort).not.toBe(freePort);
  const choose = (from: () => Promise<number>) => Promise.all(Array.from({ length: 20 }, from));
  const ports = [...(await choose(freePort)), ...(await choose(other.freePort))];
  expect(new Set(ports).size).toBe(40);
});
