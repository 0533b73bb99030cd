/**
 * `npm start` with its real planes, while parts of it are really broken. The same run
 * throughout: each test repairs its damage.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { bulkProgress, bulkRowDone } from '#schemas/api/bulk.ts';
import { createdEventsTable } from '../../control-plane/features/bulk/testing/recording-plane.ts';
import { type Installation, startInstallation, startTimeoutMs } from '../smoke/installation.ts';
import { temporaryFolder } from '../testing/local.ts';
import { queryOnce } from './parts/postgres/postgres.ts';

let waymark: Installation;
/** Its data folder. */
let home: string;

beforeAll(async () => {
  home = path.join(await temporaryFolder(), 'data');
  await mkdir(home);
  await writeFile(path.join(home, 'clickhouse'), 'not a folder');
  waymark = await startInstallation(
    { DATA_DIR: home, TRUSTED_PROXIES: '127.0.0.1' },
    'deploy/embedded/fixtures/impatient.ts',
  );
  await queryOnce(waymark.databaseUrl(), createdEventsTable);
}, startTimeoutMs);

afterAll(async () => {
  expect(await waymark?.stop()).toBe(0);
});

/** Puts a file in the place of the part's folder: no part can open that. */
const breakPart = async (part: string): Promise<void> => {
  const folder = path.join(home, part);
  await rename(folder, `${folder}-healthy`);
  await writeFile(folder, 'not a folder');
};

const mendPart = async (part: string): Promise<void> => {
  const folder = path.join(home, part);
  await rm(folder);
  await rename(`${folder}-healthy`, folder);
};

const killPart = async (part: string): Promise<void> => {
  const { pid } = JSON.parse(await readFile(path.join(home, 'run', `${part}.json`), 'utf8'));
  process.kill(pid, 'SIGKILL');
};

/** Waits for output from here on. */
const next = () => {
  const { length } = waymark.output();
  return (text: RegExp) =>
    expect.poll(() => waymark.output().slice(length), { timeout: 120_000 }).toMatch(text);
};

const codeObject = z.object({ id: z.string(), redirectUrl: z.string() });

const createCode = async (): Promise<z.infer<typeof codeObject>> => {
  const answer = await waymark.api('POST', '/api/qr/codes', { data: 'https://example.com/' });
  expect(answer.status).toBe(201);
  return codeObject.parse(await answer.json());
};

const statusOf = async (url: string): Promise<number> => (await waymark.scan(url)).status;

/** The code is held from here on. */
const createHeldCode = async (): Promise<z.infer<typeof codeObject>> => {
  const code = await createCode();
  // A lookup that takes too long is answered with 503.
  await expect.poll(() => statusOf(code.redirectUrl)).toBe(302);
  return code;
};

const askAnalytics = (id: string) => waymark.api('GET', `/api/qr/codes/${id}/analytics?days=2`);

const expectScans = (id: string, totalScans: number) =>
  expect
    .poll(async () => (await askAnalytics(id)).json(), { timeout: 60_000, interval: 200 })
    .toMatchObject({ totalScans });

describe('ClickHouse', { timeout: 300_000 }, () => {
  test('that cannot start does not keep the others from starting, even on the first start', async () => {
    expect(waymark.output()).toMatch(
      /^clickhouse stopped while starting: .*: codes redirect, scans wait in the spool/m,
    );
    expect(waymark.output()).toMatch(/^clickhouse +\S+ +- +failing/m);
    const { id, redirectUrl } = await createHeldCode();
    expect(await statusOf(redirectUrl)).toBe(302);

    const says = next();
    await rm(path.join(home, 'clickhouse'));
    await says(/clickhouse runs again/);
    await expectScans(id, 2);
  });

  test('that cannot restart stops no redirect; its cause is printed, and the scans meanwhile are counted later', async () => {
    const { id, redirectUrl } = await createHeldCode();
    await expectScans(id, 1);

    const says = next();
    await breakPart('clickhouse');
    await killPart('clickhouse');
    await says(/clickhouse does not stay up \(.*(EEXIST|ENOTDIR).*\): codes redirect, scans wait/);
    expect(await statusOf(redirectUrl)).toBe(302);
    expect((await askAnalytics(id)).status).toBe(503);

    await mendPart('clickhouse');
    await says(/clickhouse runs again/);
    await expectScans(id, 2);
  });
});

describe('PostgreSQL and Redis', { timeout: 300_000 }, () => {
  test.each(['postgres', 'redis'])(
    '%s that cannot restart stops no redirect of a held code',
    async (part) => {
      const { id, redirectUrl } = await createHeldCode();

      const says = next();
      await breakPart(part);
      await killPart(part);
      await says(new RegExp(`${part} does not stay up`));
      expect(await statusOf(redirectUrl)).toBe(302);

      await mendPart(part);
      await says(new RegExp(`${part} runs again`));
      await expect.poll(async () => (await waymark.api('GET', `/api/qr/codes/${id}`)).status).toBe(200);
      expect(await statusOf(redirectUrl)).toBe(302);
    },
  );
});

describe('the control plane', { timeout: 300_000 }, () => {
  const rows = Array.from({ length: 300 }, (_, n) => ({
    uid: `table ${n}`,
    data: `https://example.com/menu?table=${n}`,
  }));

  /** The next slice, of any process, waits before its commit until the returned function is called. */
  const holdAfterFirstSlice = async (): Promise<() => Promise<void>> => {
    await queryOnce(
      waymark.databaseUrl(),
      `DELETE FROM created_events;
       CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF EXISTS (SELECT FROM created_events) THEN PERFORM pg_advisory_xact_lock(4711); END IF;
         RETURN NULL;
       END $$;
       CREATE TRIGGER wait_for_test BEFORE INSERT ON created_events EXECUTE FUNCTION wait_for_test()`,
    );
    const holder = new pg.Client({ connectionString: waymark.databaseUrl() });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(4711)');
    // The lock ends with its connection.
    onTestFinished(() => holder.end());
    return () => holder.end();
  };

  const waiting = async () =>
    (
      await queryOnce(
        waymark.databaseUrl(),
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`,
      )
    ).rowCount;

  /** The destination of each URL, from its own phone, which retries if a lookup took too long. */
  const destinationsOf = async (urls: readonly string[]): Promise<(string | null)[]> => {
    const found: (string | null)[] = [];
    for (const [n, url] of urls.entries()) {
      const headers = { 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` };
      let answer = await waymark.scan(url, { headers });
      while (answer.status === 503) answer = await waymark.scan(url, { headers });
      found.push(answer.headers.get('location'));
    }
    return found;
  };

  test('that is killed half-way through a bulk operation loses and duplicates no row: all codes work, each announced once', async () => {
    const release = await holdAfterFirstSlice();
    const submitted = await waymark.api('POST', '/api/qr/codes/bulk', rows);
    expect(submitted.status).toBe(202);
    const { bulkId } = bulkProgress.parse(await submitted.json());
    const progress = async () =>
      bulkProgress.parse(await (await waymark.api('GET', `/api/qr/codes/bulk/${bulkId}`)).json());
    await expect.poll(waiting).toBe(1);
    const { processed } = await progress();
    expect(processed).toBeGreaterThan(0);
    expect(processed).toBeLessThan(rows.length);
    const says = next();
    await killPart('control-plane');
    await says(/control-plane runs again/);
    await release();

    await expect
      .poll(progress, { timeout: 120_000, interval: 100 })
      .toMatchObject({ status: 'completed', total: rows.length, succeeded: rows.length, failed: 0 });
    const result = await waymark.api('GET', `/api/qr/codes/bulk/${bulkId}/result`);
    const entries = z.array(bulkRowDone).parse(await result.json());
    expect(entries.map(({ uid }) => uid)).toEqual(rows.map(({ uid }) => uid));
    expect(new Set(entries.map(({ id }) => id)).size).toBe(rows.length);
    expect(await destinationsOf(entries.map(({ redirectUrl = '' }) => redirectUrl))).toEqual(
      rows.map(({ data }) => data),
    );
    const announced = await queryOnce(waymark.databaseUrl(), 'SELECT code_id FROM created_events ORDER BY 1');
    expect(announced.rows.map(({ code_id }) => code_id)).toEqual(entries.map(({ id }) => id).toSorted());
  });
});
