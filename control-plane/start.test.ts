/** The start of the control plane where something is wrong. */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { queryOnce } from '../deploy/embedded/parts/postgres/postgres.ts';
import { canMount, mountDisk, run } from '../deploy/testing/disk.ts';
import { afterFile, createTestDatabase, databaseAdminUrl, temporaryFolder } from '../deploy/testing/index.ts';
import { startTestControlPlane } from './testing/control-plane.ts';

test('a start whose port is taken says that it is, also while its parts are still connecting', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  afterFile(() => other.close());
  const { port } = other.address() as net.AddressInfo;
  await expect(
    startTestControlPlane({
      keepInternalPort: true,
      environment: { CONTROL_PLANE_INTERNAL_PORT: String(port) },
    }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a start on a database that was not migrated, or by an earlier version only, says how to migrate it', async () => {
  const databaseUrl = await createTestDatabase();
  await queryOnce(
    databaseUrl,
    `DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations)`,
  );
  await expect(startTestControlPlane({ databaseUrl })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(
      /^DATABASE_URL names a database that lacks a migration of this version, the first is \d{4}[^:]*\.sql: run `node control-plane\/admin\.ts migrate`$/,
    ),
  });
  await queryOnce(databaseUrl, 'DROP TABLE schema_migrations');
  await expect(startTestControlPlane({ databaseUrl })).rejects.toThrow(
    /lacks \d\d migrations of this version, the first is 0001/,
  );
});

test('a STORAGE_URL with a folder that cannot be used stops the start with a line that names it', async () => {
  const file = path.join(await temporaryFolder(), 'file');
  fs.writeFileSync(file, '');
  const folder = path.join(file, 'storage');
  await expect(
    startTestControlPlane({ environment: { STORAGE_URL: pathToFileURL(folder).href } }),
  ).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(
      /^STORAGE_URL must be a folder that can be written; given: "[^\n]+ is no folder\)$/,
    ),
  });
});

test.skipIf(!canMount)(
  'a folder whose disk is full or read-only does not stop the start; health tells of it',
  async () => {
    const disk = await mountDisk(8);
    const environment = { STORAGE_URL: pathToFileURL(path.join(disk, 'storage')).href };
    const filler = fs.openSync(path.join(disk, 'filler'), 'w');
    expect(() => {
      for (;;) fs.writeSync(filler, Buffer.alloc(2 ** 16));
    }).toThrow('ENOSPC');
    fs.closeSync(filler);
    const plane = await startTestControlPlane({ environment });
    await expect
      .poll(async () => (await plane.internal('GET', '/health/ready')).body)
      .toMatchObject({
        unhealthy: { storage: expect.stringMatching(/^The storage \(STORAGE_URL\) has no room left/) },
      });
    // No file of it may be open for writing then.
    await plane.close();
    run('mount', '-o', 'remount,ro', disk);
    const next = await startTestControlPlane({ environment });
    await expect
      .poll(async () => (await next.internal('GET', '/health/ready')).body)
      .toMatchObject({
        unhealthy: { storage: expect.stringMatching(/^The storage \(STORAGE_URL\) does not work: EROFS/) },
      });
  },
);

test('a bucket that does not answer does not stop the start; health and metrics tell of it', async () => {
  // Nobody may listen at the port.
  const plane = await startTestControlPlane({
    environment: { STORAGE_URL: 's3://key:hunter2@127.0.0.1:2/pictures?tls=false' },
  });
  await expect
    .poll(() => plane.internal('GET', '/health/ready'))
    .toMatchObject({
      status: 200,
      body: {
        status: 'ok',
        unhealthy: {
          storage: 'The storage (STORAGE_URL) does not work: its service cannot be reached (ECONNREFUSED)',
        },
      },
    });
  const metrics = String((await plane.internal('GET', '/metrics')).body);
  expect(metrics).toMatch(/waymark_storage_failures_total\{why="away"\} [1-9]/);
});

test('a start says how many connections to PostgreSQL it may use: those of all its pools, and those on which it listens', async () => {
  const databaseUrl = await createTestDatabase();
  const logger = createLogger('test', 'silent');
  const said: string[] = [];
  logger.info = (...words: unknown[]) => void said.push(String(words.at(-1)));
  const opened = vi.spyOn(pg, 'Pool');
  const plane = await startTestControlPlane({ databaseUrl, logger });
  const pools = opened.mock.calls.map(([options]) => options!);
  opened.mockRestore();
  const inPools = pools
    .filter(({ application_name: name }) => name !== 'test')
    .reduce((sum, { max }) => sum + Number(max), 0);
  const listening = async () => {
    const { rows } = await plane.pool.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'waymark-listen'`,
    );
    return rows[0]!.count;
  };
  expect(inPools).toBeGreaterThan(0);
  const line = said.find((each) => each.includes('connections to PostgreSQL'));
  const [, own, allowed] = /may use (\d+) connections to PostgreSQL of (\d+) allowed/.exec(line ?? '') ?? [];
  await expect.poll(async () => inPools + (await listening())).toBe(Number(own));
  const limits = await plane.pool.query('SHOW max_connections');
  expect(Number(allowed)).toBeLessThan(Number(limits.rows[0].max_connections));
  const guide = fs.readFileSync(path.join(import.meta.dirname, '../deploy/README.md'), 'utf8');
  expect(guide).toContain(`One control plane may use ${own} connections to PostgreSQL`);
  expect(guide).toContain(`number of control planes × ${own} plus a reserve`);
});

test('a start on a server that does not allow the connections of even one control plane warns by name', async () => {
  const databaseUrl = await createTestDatabase();
  const logger = createLogger('test', 'silent');
  const warned: string[] = [];
  // A busy machine has warnings of its own.
  logger.warn = (...words: unknown[]) => {
    const line = String(words.at(-1));
    if (line.includes('connections that this control plane may use')) warned.push(line);
  };
  await startTestControlPlane({ databaseUrl, logger });
  expect(warned).toEqual([]);
  const database = new URL(databaseUrl).pathname.slice(1);
  await queryOnce(databaseAdminUrl(), `ALTER DATABASE ${pg.escapeIdentifier(database)} CONNECTION LIMIT 40`);
  await startTestControlPlane({ databaseUrl, logger });
  expect(warned).toEqual([
    expect.stringMatching(
      /does not allow the \d+ connections .+ raise the CONNECTION LIMIT of the database \(40\)/,
    ),
  ]);
});
