import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ClickHouseError } from '@clickhouse/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeStatuses } from '#schemas/api/codes.ts';
import { dataTypes } from '#schemas/api/data-types.ts';
import { domainStatuses } from '#schemas/api/domains.ts';
import { hostedStatuses } from '#schemas/api/hosted-fields.ts';
import { landingImageKinds } from '#schemas/api/landing-image.ts';
import { plan, role, subscriptionStatus } from '#schemas/api/plans.ts';
import { encryptionTypes } from '#schemas/api/protection.ts';
import { batchStatuses, jobStatuses } from '#schemas/api/serialized.ts';
import { pausedReasons, webhookStatuses } from '#schemas/api/webhooks.ts';
import { hostedKinds } from '#schemas/page-document.ts';
import { batchNotices } from '#schemas/verification.ts';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import {
  afterFile,
  clickhouseServer,
  createTestClickHouse,
  createTestDatabase,
  temporaryFolder,
} from '../../../deploy/testing/index.ts';
import { migrateClickHouse, migratePostgres } from './migrate.ts';
import { createPool } from './pool.ts';

describe('PostgreSQL', () => {
  let emptyUrl: string;

  beforeAll(async () => {
    const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 1);
    await pool.query('DROP SCHEMA public CASCADE');
    await pool.query('DROP SCHEMA graphile_worker CASCADE');
    await pool.query('CREATE SCHEMA public');
    emptyUrl = pool.options.connectionString ?? '';
    await pool.end();
  });

  test('several processes migrate an empty database at the same time: each file is applied once', async () => {
    const applied: string[] = [];
    await Promise.all(
      Array.from({ length: 5 }, () => migratePostgres(emptyUrl, (name) => applied.push(name))),
    );
    expect(applied).toContain('0001_accounts');
    expect(new Set(applied).size).toBe(applied.length);
    const pool = createPool(emptyUrl, 'test', createLogger('test', 'silent'), 1);
    afterFile(() => pool.end());
    await pool.query('SELECT count(*) FROM codes, graphile_worker.jobs');
  });

  test('a column whose values the API lists accepts exactly these values', async () => {
    const pool = createPool(emptyUrl, 'test', createLogger('test', 'silent'), 1);
    afterFile(() => pool.end());
    const { rows } = await pool.query<{ name: string; text: string }>(
      `SELECT conrelid::regclass || '.' || attname AS name, pg_get_constraintdef(c.oid) AS text
       FROM pg_constraint c JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
       WHERE contype = 'c' AND cardinality(conkey) = 1 AND connamespace = 'public'::regnamespace`,
    );
    const lists = rows.flatMap(({ name, text }) => {
      const list = /= ANY \(ARRAY\[(.*)\]\)/.exec(text)?.[1];
      return list === undefined ? [] : [[name, [...list.matchAll(/'([^']*)'/g)].map(([, value]) => value!)]];
    });
    expect(Object.fromEntries(lists)).toMatchObject({
      'subscriptions.plan': plan.options,
      'subscriptions.status': subscriptionStatus.options,
      'api_keys.role': role.options,
      'codes.data_type': dataTypes,
      'codes.encryption': encryptionTypes,
      'codes.status': codeStatuses,
      'jobs.status': jobStatuses,
      'hosted_pages.kind': hostedKinds,
      'hosted_pages.status': hostedStatuses,
      'uploaded_images.kind': landingImageKinds,
      'serialized_batches.status': batchStatuses,
      'serialized_batches.notice': batchNotices,
      'webhooks.status': webhookStatuses,
      'webhooks.paused_reason': pausedReasons,
      'domains.status': domainStatuses,
      'billing_subscriptions.plan': plan.options,
    });
  });

  test('a file that waits for a lock holds readers up for two seconds at most, and is tried again', async () => {
    const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 3);
    afterFile(() => pool.end());
    await pool.query('DELETE FROM public.schema_migrations');
    const folder = await temporaryFolder();
    writeFileSync(path.join(folder, '0001_one.sql'), 'ALTER TABLE codes ADD COLUMN one integer;');
    writeFileSync(path.join(folder, '0002_two.sql'), 'ALTER TABLE codes ADD COLUMN two integer;');
    const reader = await pool.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM codes LIMIT 1');
    const applied: string[] = [];
    const migrated = migratePostgres(pool.options.connectionString!, (name) => applied.push(name), folder);
    const isWaiting = async () =>
      (
        await pool.query(
          `SELECT FROM pg_stat_activity WHERE application_name = 'waymark-migrate' AND wait_event_type = 'Lock'
             AND datname = current_database()`,
        )
      ).rowCount;
    await expect.poll(isWaiting).toBe(1);
    await pool.query('SELECT FROM codes LIMIT 1');
    expect(applied).toEqual([]);
    await reader.query('COMMIT');
    reader.release();
    await migrated;
    expect(applied).toEqual(['0001_one', '0002_two']);
  });

  test('a second run finds nothing to do', async () => {
    await migratePostgres(emptyUrl, (name) => expect.unreachable(name));
  });
});

describe('ClickHouse', () => {
  const retention = async (url: string): Promise<string | undefined> => {
    const clickhouse = createClickHouse(url, 'test', 10_000);
    const result = await clickhouse.query({
      query: `SELECT engine_full AS engine FROM system.tables WHERE database = currentDatabase() AND name = 'scans'`,
      format: 'JSONEachRow',
    });
    const [row] = await result.json<{ engine: string }>();
    await clickhouse.close();
    return /toIntervalDay\(\d+\)/.exec(row?.engine ?? '')?.[0];
  };

  /** The URL of a database that does not exist yet. */
  const unmadeDatabase = (): string => {
    const url = new URL(clickhouseServer());
    url.pathname = `/migrate_${randomUUID().replaceAll('-', '')}`;
    afterFile(async () => {
      const clickhouse = createClickHouse(new URL('/default', url).href, 'test', 10_000);
      await clickhouse.command({ query: `DROP DATABASE ${url.pathname.slice(1)}` });
      await clickhouse.close();
    });
    return url.href;
  };

  test('the database is created, twice at once, and a second run finds nothing to do', async () => {
    const url = unmadeDatabase();
    const options = { scanRetentionDays: 400 };
    await Promise.all([migrateClickHouse(url, options), migrateClickHouse(url, options)]);
    await migrateClickHouse(url, options, (name) => expect.unreachable(name));
    expect(await retention(url)).toBe('toIntervalDay(400)');
  });

  const sendTo = (clickhouse: ClickHouseClient, token: string, country = 'DE') =>
    clickhouse.insert({
      table: 'scans',
      format: 'JSONEachRow',
      values: [{ workspace_id: 'ws', code_id: 'code', ts: '2027-01-01 00:00:00.000', visitor: 1, country }],
      clickhouse_settings: {
        insert_deduplication_token: token,
        deduplicate_blocks_in_dependent_materialized_views: 1,
      },
    });

  /** Sends scans until the work is done. */
  const sendingDuring = async (clickhouse: ClickHouseClient, work: Promise<unknown>): Promise<void> => {
    let isDone = false;
    const sendOn = async () => {
      for (let sent = 0; !isDone || sent === 0; ) {
        try {
          await sendTo(clickhouse, `during ${sent}`);
          sent++;
        } catch (error) {
          if (!(error instanceof ClickHouseError)) throw error;
        }
      }
    };
    const sending = sendOn();
    await work.finally(() => {
      isDone = true;
    });
    await sending;
  };

  const countsIn = async (clickhouse: ClickHouseClient): Promise<Record<string, string>> => {
    const result = await clickhouse.query({
      query: `SELECT (SELECT count() FROM scans) AS scans, (SELECT sum(scans) FROM scans_daily) AS daily,
              (SELECT sum(scans) FROM scans_daily_breakdown WHERE dimension = 'country') AS countries,
              (SELECT sum(scans) FROM scans_quarterly) AS quarters,
              (SELECT sum(scans) FROM scans_quarterly_breakdown WHERE dimension = 'country') AS quarterCountries,
              (SELECT count() FROM scan_log) AS log`,
      format: 'JSONEachRow',
    });
    return (await result.json<Record<string, string>>())[0]!;
  };

  const expectEachScanOnce = async (clickhouse: ClickHouseClient): Promise<void> => {
    const { scans, ...others } = await countsIn(clickhouse);
    expect(Number(scans)).toBeGreaterThan(0);
    expect(others).toEqual({
      daily: scans,
      countries: scans,
      quarters: scans,
      quarterCountries: scans,
      log: scans,
    });
  };

  const newClient = (url: string): ClickHouseClient => {
    const clickhouse = createClickHouse(url, 'test', 60_000);
    afterFile(() => clickhouse.close());
    return clickhouse;
  };

  test('scans sent while the tables are created reach all of them', async () => {
    const url = unmadeDatabase();
    const clickhouse = newClient(url);
    const cutOff = migrateClickHouse(url, { scanRetentionDays: 400 }, () => {
      throw new Error('cut off');
    });
    await expect(cutOff).rejects.toThrow('cut off');
    // Only some of the views exist.
    await expect(sendTo(clickhouse, 'early')).rejects.toMatchObject({ type: 'VIOLATED_CONSTRAINT' });
    await sendingDuring(clickhouse, migrateClickHouse(url, { scanRetentionDays: 400 }));
    await expectEachScanOnce(clickhouse);
    const changes = await clickhouse.query({
      query: 'SELECT count() = (SELECT count() FROM scans) AS all FROM scan_changes',
      format: 'JSONEachRow',
    });
    expect(await changes.json()).toEqual([{ all: 1 }]);
  });

  /** As if the last migration had been cut off before it was noted. */
  const forgetFilling = (clickhouse: ClickHouseClient) =>
    clickhouse.command({
      query: `DELETE FROM schema_migrations WHERE name = '0005_fill-workspaces.sql'`,
    });

  test('filling that was cut off after its last statement and is repeated counts no scan twice', async () => {
    const url = await createTestClickHouse();
    const clickhouse = newClient(url);
    for (let sent = 0; sent < 20; sent++) await sendTo(clickhouse, `before ${sent}`);
    await forgetFilling(clickhouse);
    await sendingDuring(clickhouse, migrateClickHouse(url, { scanRetentionDays: 400 }));
    await expectEachScanOnce(clickhouse);
  });

  test('filling that goes on in ClickHouse after its process has ended is ended by the next run', async () => {
    const url = await createTestClickHouse();
    const clickhouse = newClient(url);
    await sendTo(clickhouse, 'before');
    await forgetFilling(clickhouse);
    // For four seconds: each block sleeps.
    const abandoned = clickhouse
      .command({
        query: `INSERT INTO scans_quarterly
          SELECT workspace_id, toStartOfInterval(toDateTime(ts), INTERVAL 15 MINUTE), countIf(slept = 0), 0,
            uniqCombinedStateIf(12)(visitor, kind = 'scan')
          FROM scans CROSS JOIN (SELECT sleepEachRow(0.02) AS slept FROM numbers(200)) AS slow GROUP BY ALL`,
        clickhouse_settings: { max_block_size: '1', function_sleep_max_microseconds_per_block: '100000000' },
      })
      .then(
        () => 'stored',
        () => 'ended',
      );
    const running = async () => {
      const found = await clickhouse.query({
        query: `SELECT count() AS n FROM system.processes WHERE query LIKE '%numbers(200)%' AND query NOT LIKE '%processes%'
          AND current_database = currentDatabase()`,
        format: 'JSONEachRow',
      });
      return Number((await found.json<{ n: string }>())[0]!.n);
    };
    await expect.poll(running).toBe(1);
    await migrateClickHouse(url, { scanRetentionDays: 400 });
    expect(await abandoned).toBe('ended');
    await expectEachScanOnce(clickhouse);
  });

  test('the retention of scans follows the setting', async () => {
    const url = await createTestClickHouse({ scanRetentionDays: 100 });
    expect(await retention(url)).toBe('toIntervalDay(100)');
    await migrateClickHouse(url, { scanRetentionDays: 200 });
    expect(await retention(url)).toBe('toIntervalDay(200)');
  });

  test('a batch sent twice counts once, in the totals too', async () => {
    const url = await createTestClickHouse();
    const clickhouse = createClickHouse(url, 'test', 10_000);
    afterFile(() => clickhouse.close());
    const send = (token: string) =>
      clickhouse.insert({
        table: 'scans',
        format: 'JSONEachRow',
        values: [
          { workspace_id: 'ws', code_id: 'code', ts: '2027-01-01 00:00:00.000', visitor: 1, country: 'DE' },
        ],
        clickhouse_settings: { insert_deduplication_token: token },
      });
    for (const token of ['a', 'b', 'a', 'b', 'a']) await send(token);
    const count = async (query: string) => {
      const result = await clickhouse.query({ query, format: 'JSONEachRow' });
      return Number((await result.json<{ n: string }>())[0]?.n);
    };
    expect(await count('SELECT count() AS n FROM scans')).toBe(2);
    expect(await count('SELECT sum(scans) AS n FROM scans_daily')).toBe(2);
    expect(await count('SELECT sum(scans) AS n FROM scans_quarterly')).toBe(2);
    expect(await count('SELECT count() AS n FROM scan_log')).toBe(2);
    for (const table of ['scans_daily_breakdown', 'scans_quarterly_breakdown'])
      expect(await count(`SELECT sum(scans) AS n FROM ${table} WHERE dimension = 'country'`)).toBe(2);
  });
});
