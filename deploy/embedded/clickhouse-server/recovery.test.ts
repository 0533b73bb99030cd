/** The engine loses nothing and counts nothing twice, with the project's own tables. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { scanColumns, scanInsert } from '#schemas/scan-event.ts';
import { migrateClickHouse } from '../../../control-plane/platform/db/migrate.ts';
import { afterFile, createTestClickHouse, freePort, temporaryFolder } from '../../testing/index.ts';
import { startClickHouse } from '../parts/clickhouse.ts';

const connect = (url: string): ClickHouseClient => {
  const clickhouse = createClient({ url, log: { level: ClickHouseLogLevel.OFF } });
  afterFile(() => clickhouse.close());
  return clickhouse;
};

/** Scans as the redirector ships them: RowBinary, the columns in the order of the contract. */
const makeScans = async (clickhouse: ClickHouseClient, count: number): Promise<Buffer> => {
  const values: Record<(typeof scanColumns)[number][0], string> = {
    event_id: 'generateUUIDv4()',
    ts: `now64(3, 'UTC') - number % 259200`,
    workspace_id: `'ws_1'`,
    code_id: `concat('code', toString(number % 50))`,
    kind: `CAST(number % 10 = 0 ? 'bot' : 'scan', 'Enum8(\\'scan\\' = 0, \\'bot\\' = 1)')`,
    device: "CAST(number % 3, 'Int8')",
    os: "CAST(number % 6, 'Int8')",
    visitor: 'cityHash64(number % 1000)',
    browser: `'Firefox'`,
    country: `number % 2 = 0 ? 'CH' : 'DE'`,
    referrer_host: `''`,
    source: `''`,
    variant_id: `''`,
    rule_id: `''`,
  };
  const columns = scanColumns.map(([name]) => values[name]).join(', ');
  const { stream } = await clickhouse.exec({
    query: `SELECT ${columns} FROM numbers(${count}) FORMAT RowBinary`,
  });
  return buffer(stream);
};

const ship = async (clickhouse: ClickHouseClient, scans: Buffer, token: string): Promise<void> => {
  const { stream } = await clickhouse.exec({
    query: scanInsert,
    values: Readable.from([scans], { objectMode: false }),
    clickhouse_settings: { insert_deduplication_token: token },
  });
  await buffer(stream);
};

interface Totals {
  raw: number;
  daily: number;
  byCountry: number;
  byDevice: number;
}

/** The scans that each table has counted; all four numbers must be the same. */
const totals = async (clickhouse: ClickHouseClient): Promise<Totals | undefined> => {
  const breakdown = (name: string) =>
    `(SELECT sum(scans) FROM scans_daily_breakdown WHERE dimension = '${name}')`;
  const result = await clickhouse.query({
    query: `SELECT (SELECT count() FROM scans WHERE kind = 'scan') AS raw, (SELECT sum(scans) FROM scans_daily) AS daily,
      ${breakdown('country')} AS byCountry, ${breakdown('device')} AS byDevice`,
    format: 'JSONEachRow',
  });
  return (await result.json<Totals>())[0];
};

const all = (count: number): Totals => ({ raw: count, daily: count, byCountry: count, byDevice: count });

test('a batch that is resent with its token is counted once, in every table', async () => {
  const clickhouse = connect(await createTestClickHouse());
  const [first, second] = [await makeScans(clickhouse, 1000), await makeScans(clickhouse, 500)];
  await ship(clickhouse, first, 'segment-1');
  await ship(clickhouse, first, 'segment-1');
  await ship(clickhouse, second, 'segment-2');
  await Promise.all([ship(clickhouse, first, 'segment-1'), ship(clickhouse, second, 'segment-2')]);
  expect(await totals(clickhouse)).toEqual(all(1350));
  // The same bytes under another token are another batch.
  await ship(clickhouse, first, 'segment-3');
  expect(await totals(clickhouse)).toEqual(all(2250));
});

test('kill -9 in the middle of an insert, a restart and a retry count every scan once', async () => {
  const options = {
    home: await temporaryFolder(),
    port: await freePort(),
    password: 'p',
    database: 'waymark',
  };
  let part = await startClickHouse(options);
  afterFile(() => part.stop());
  await migrateClickHouse(part.url, { scanRetentionDays: 400 });
  const clickhouse = connect(part.url);
  const scans = await makeScans(clickhouse, 100_000);
  let shipped = 0;
  // From "not yet received" over "parts half written" to "written and not yet acknowledged".
  for (const delayMs of [5, 60, 200]) {
    const token = `segment-${delayMs}`;
    const insert = ship(clickhouse, scans, token).catch(() => 'cut off');
    await sleep(delayMs);
    process.kill(part.pid, 'SIGKILL');
    await Promise.all([part.exited, insert]);
    part = await startClickHouse(options);
    await ship(clickhouse, scans, token);
    shipped += 90_000;
    expect(await totals(clickhouse)).toEqual(all(shipped));
  }
}, 300_000);

test('a second process that opens the folder gets one line saying so', async () => {
  const options = { home: await temporaryFolder(), password: 'p', database: 'waymark' };
  const first = await startClickHouse({ ...options, port: await freePort() });
  afterFile(() => first.stop());
  const second = startClickHouse({ ...options, port: await freePort() });
  await expect(second).rejects.toThrow(/process \d+ has .*clickhouse open: stop it/);
});
