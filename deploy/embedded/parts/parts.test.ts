/** PostgreSQL and Redis with the leftovers of a crash in their folders. */
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { afterFile, freePort, temporaryFolder } from '../../testing/local.ts';
import { queryOnce, startPostgres } from './postgres/postgres.ts';
import { startRedis } from './redis.ts';

test('Redis starts with a half-written command', async () => {
  const options = { home: await temporaryFolder(), port: await freePort(), password: 'a "quoted" word' };
  const before = await startRedis(options);
  const redis = new Redis(before.url);
  await redis.set('key', 'kept');
  redis.disconnect();
  await before.stop();
  const folder = path.join(options.home, 'redis', 'appendonlydir');
  const file = (await readdir(folder)).find((name) => name.endsWith('.incr.aof'));
  await appendFile(path.join(folder, file ?? ''), '*3\r\n$3\r\nSET\r\n$3\r\nke');
  const after = await startRedis(options);
  afterFile(() => after.stop());
  const again = new Redis(after.url);
  expect(await again.get('key')).toBe('kept');
  again.disconnect();
});

test('Redis requires its password', async () => {
  const part = await startRedis({ home: await temporaryFolder(), port: await freePort(), password: 'p' });
  afterFile(() => part.stop());
  const redis = new Redis(part.url.replace(':p@', ':wrong@'), { retryStrategy: () => null });
  redis.on('error', () => undefined);
  await expect(redis.get('key')).rejects.toThrow();
  redis.disconnect();
});

test('PostgreSQL starts although the pid in its pid file now belongs to another process', async () => {
  const options = {
    home: await temporaryFolder(),
    port: await freePort(),
    password: 'it is a secret',
    adminPassword: 'so is this',
    database: 'waymark',
    durable: false,
  };
  const before = await startPostgres(options);
  process.kill(before.pid, 'SIGKILL');
  await before.exited;
  const pidFile = path.join(options.home, 'postgres', 'postmaster.pid');
  await writeFile(pidFile, `${process.pid}\n${path.dirname(pidFile)}\n`);
  const after = await startPostgres(options);
  afterFile(() => after.stop());
  expect((await queryOnce(after.url, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('PostgreSQL left running by an earlier run is stopped, and the new start continues', async () => {
  const options = {
    home: await temporaryFolder(),
    port: await freePort(),
    password: 'p',
    adminPassword: 'q',
    database: 'waymark',
    durable: false,
  };
  const leftover = await startPostgres(options);
  const part = await startPostgres({ ...options, port: await freePort() });
  afterFile(() => part.stop());
  expect(await leftover.exited).toBe(0);
  expect((await queryOnce(part.url, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
