/** Rounds during which scans arrive, parts of tables are changed one after the other, and single scans become too old. */
import { expect, test } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestClickHouse, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { changeScanSettings } from '../../recorded-scans/retention/settings.ts';
import { deleteExpiredScans } from '../../recorded-scans/retention/task.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { eraseLateScans } from '../late-scans.ts';
import { advanceRound } from './rounds.ts';

const logger = createLogger('test', 'silent');
const clickhouse = createClickHouse(await createTestClickHouse(), 'test', 60_000);
afterFile(() => clickhouse.close());
const pool = createPool(await createTestDatabase(), 'test', logger, 4);
afterFile(() => pool.end());

type Command = ClickHouseClient['command'];
type Look = (query: string) => Promise<unknown>;
const nothing: Look = async () => undefined;

/** The client, with a look before and after each statement. */
const watched = ({ before = nothing, after = nothing }: { before?: Look; after?: Look }): ClickHouseClient =>
  Object.create(clickhouse, {
    command: {
      async value(given: Parameters<Command>[0]) {
        await before(given.query);
        const done = await clickhouse.command(given);
        await after(given.query);
        return done;
      },
    },
  });

/** What is done once, at the first statement that fits. */
const once = (pattern: RegExp, what: () => Promise<unknown>): Look => {
  let isDone = false;
  return async (query) => {
    if (isDone || !pattern.test(query)) return;
    isDone = true;
    await what();
  };
};

const run = (query: string, settings: Record<string, string | number> = {}) =>
  clickhouse.command({ query, clickhouse_settings: settings });
const rows = async <Row>(query: string): Promise<Row[]> =>
  (await clickhouse.query({ query, format: 'JSONEachRow' })).json<Row>();
const numberOf = async (query: string): Promise<number> =>
  Number((await rows<{ n: string }>(`SELECT (${query}) AS n`))[0]!.n);

interface Recorded {
  workspaceId: string;
  codeId: string;
  times?: number;
  /** The day of all of them, before today; otherwise there is one in each hour up to now. */
  daysAgo?: number;
  country?: string;
}

/** Named, as redirectors do: rows of sums may be the same as those of another call. */
const record = ({ workspaceId, codeId, times = 40, daysAgo, country = 'DE' }: Recorded) =>
  run(
    `INSERT INTO scans (event_id, ts, workspace_id, code_id, kind, device, os, visitor, country)
    SELECT generateUUIDv4(),
      ${daysAgo === undefined ? 'now64(3) - INTERVAL number HOUR' : `toDateTime64(today(), 3, 'UTC') - INTERVAL ${daysAgo} DAY`},
      '${workspaceId}', '${codeId}', if(number % 5 = 4, 'bot', 'scan'), 'mobile', 'ios', number % 7, '${country}'
    FROM numbers(${times})`,
    { insert_deduplication_token: crypto.randomUUID() },
  );

let begun = 0;

/** A workspace in which the scans of a code are to be erased. */
const begin = async (what: 'code' | 'scans' = 'code') => {
  const number = begun++;
  const { workspaceId } = await createWorkspace(pool, `test ${number}`, 'enterprise');
  const [codeId, other, id] = [`gone${number}`, `stays${number}`, `ers_${number}`];
  const ask = (erasureId = id, subject = what) =>
    pool.query(
      `INSERT INTO erasures (id, workspace_id, code_id, what, state, up_to, scans)
       VALUES ($1, $2, $3, $4::text, 'erasing', CASE $4::text WHEN 'code' THEN 'infinity' ELSE now() END, 'waiting')`,
      [erasureId, workspaceId, codeId, subject],
    );
  return { workspaceId, codeId, other, id, ask };
};

const untilIdle = async (client: ClickHouseClient = clickhouse, serverDays?: number): Promise<void> => {
  while ((await advanceRound({ pool, clickhouse: client, ...(serverDays && { serverDays }) })) !== 'idle');
};

/** Parts stay apart, and are changed nevertheless. */
const stopMerges = (table: string) =>
  run(`ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1,
    max_bytes_to_merge_at_min_space_in_pool = 1`);

test.each(['scans_quarterly_breakdown', 'scans_daily_breakdown'])(
  'rows of %s without scans are removed by a change that ClickHouse begins again after a part of them is gone',
  async (table) => {
    const { workspaceId, codeId, other, ask } = await begin('scans');
    await stopMerges(table);
    await record({ workspaceId, codeId, country: 'FR' });
    await record({ workspaceId, codeId: other });
    await ask();
    const ofFrance = `workspace_id = '${workspaceId}' AND value = 'FR'`;
    const isHalfDone = once(new RegExp(`^DELETE FROM ${table} .*'${table}'`, 's'), async () => {
      expect(
        await numberOf(`SELECT count() FROM ${table} WHERE ${ofFrance} AND toInt64(scans) < 0`),
      ).toBeGreaterThan(0);
      await run(`DELETE FROM ${table} WHERE ${ofFrance} AND toInt64(scans) > 0`, {
        lightweight_deletes_sync: 2,
      });
    });
    await untilIdle(watched({ before: isHalfDone }));
    expect(await rows(`SELECT value, scans FROM ${table} WHERE ${ofFrance}`)).toEqual([]);
    const total = `SELECT sum(scans) FROM ${table} WHERE workspace_id = '${workspaceId}' AND value = 'DE'`;
    expect(await numberOf(total)).toBe(32);
  },
);

test('what is scanned while rows without scans are removed counts', async () => {
  const { workspaceId, codeId, other, ask } = await begin();
  for (const country of ['DE', 'FR']) await record({ workspaceId, codeId, daysAgo: 2, country });
  await ask();
  const arrive = once(/^DELETE FROM scans_quarterly_breakdown /, () =>
    record({ workspaceId, codeId: other, daysAgo: 2 }),
  );
  const again = once(/^INSERT INTO erasing_rows .*'scans_quarterly_breakdown since'/s, () =>
    record({ workspaceId, codeId: other, daysAgo: 2 }),
  );
  await untilIdle(watched({ before: (query) => again(query), after: arrive }));
  const total = `SELECT sum(scans) FROM scans_quarterly_breakdown WHERE workspace_id = '${workspaceId}' AND value = 'DE'`;
  expect(await numberOf(total)).toBe(64);
});

test('the sums of a code are never below zero, also if scans of earlier days arrive while others are erased', async () => {
  const { workspaceId, codeId, ask } = await begin();
  await record({ workspaceId, codeId });
  await ask();
  const sums: number[] = [];
  const least = () =>
    numberOf(`SELECT min(scans) FROM (SELECT toInt64(sum(scans)) AS scans FROM scans_daily
      WHERE workspace_id = '${workspaceId}' GROUP BY code_id, day)`);
  await untilIdle(
    watched({
      before: once(/^DELETE FROM scans /, () => record({ workspaceId, codeId, daysAgo: 1 })),
      async after(query) {
        if (query.includes('0 - count')) sums.push(await least());
      },
    }),
  );
  expect(sums).toHaveLength(8);
  expect(sums.filter((sum) => sum < 0)).toEqual([]);
  for (const table of ['scans', 'scan_log', 'scans_daily', 'scans_daily_breakdown'])
    expect(await numberOf(`SELECT count() FROM ${table} WHERE code_id = '${codeId}'`), table).toBe(0);
});

/** Processes that end before and after each statement that is about caps or days. */
const dying = (): ClickHouseClient => {
  const times = new Map<string, number>();
  const die =
    (place: string): Look =>
    async (query) => {
      if (!/erased_counts|erasing_rows/.test(query)) return;
      const name = `${place} ${query}`;
      times.set(name, (times.get(name) ?? 0) + 1);
      if (times.get(name) === 1) throw new Error('the process ended');
    };
  return watched({ before: die('before'), after: die('after') });
};

test('erased scans of a code are counted once, also of days whose single scans are not kept, until the code is erased', async () => {
  const { workspaceId, codeId, id, ask } = await begin('scans');
  await record({ workspaceId, codeId });
  await run(`INSERT INTO scans_daily (workspace_id, code_id, day, scans, bots)
    VALUES ('${workspaceId}', '${codeId}', today() - 100, 7, 1)`);
  await ask();
  const client = dying();
  let processes = 0;
  const hasEnded = async () => {
    processes++;
    return (await advanceRound({ pool, clickhouse: client }).catch(() => 'died')) === 'ended';
  };
  await expect.poll(hasEnded, { timeout: 60_000, interval: 1 }).toBe(true);
  expect(processes).toBeGreaterThan(10);
  await untilIdle();
  const counted = `SELECT sum(scans) FROM erased_counts FINAL WHERE workspace_id = '${workspaceId}' AND code_id = '${codeId}'`;
  const kept = `SELECT sum(scans) FROM scans_daily WHERE workspace_id = '${workspaceId}'`;
  expect(await Promise.all([counted, kept].map(numberOf))).toEqual([39, 0]);
  await record({ workspaceId, codeId, daysAgo: 0 });
  await ask(`${id}_code`, 'code');
  await untilIdle();
  expect(await numberOf(`SELECT count() FROM erased_counts WHERE code_id = '${codeId}'`)).toBe(0);
});

test.each(['scan_log', 'scans_daily', 'scans_daily_breakdown'])(
  'what arrives in %s alone, after its code was erased, is erased as well',
  async (table) => {
    const { workspaceId, codeId, id, ask } = await begin();
    await record({ workspaceId, codeId });
    await ask();
    await untilIdle();
    await pool.query(`UPDATE erasures SET state = 'erased', erased_at = now() WHERE id = $1`, [id]);
    const time = table === 'scan_log' ? 'ts, recorded_at' : 'day';
    const times = table === 'scan_log' ? 'now64(3) - INTERVAL 1 DAY, now64(3)' : 'today() - 1';
    await run(
      `INSERT INTO ${table} (workspace_id, code_id, ${time}) SELECT '${workspaceId}', '${codeId}', ${times}`,
    );
    await eraseLateScans({ pool, clickhouse, logger }, new Date(Date.now() - 86_400_000));
    expect(await numberOf(`SELECT count() FROM ${table} WHERE code_id = '${codeId}'`)).toBe(0);
    const { rows: found } = await pool.query('SELECT scans FROM erasures WHERE id = $1', [id]);
    expect(found).toEqual([{ scans: 'gone' }]);
  },
);

test('visitors stay in sums whose single scans are deleted while a round is under way', async () => {
  const { workspaceId, codeId, other, ask } = await begin();
  await inTransaction(pool, (tx) => changeScanSettings(tx, workspaceId, { scanRetentionDays: 30 }));
  for (const daysAgo of [10, 29, 31])
    for (const each of [codeId, other]) await record({ workspaceId, codeId: each, daysAgo });
  await ask();
  const expire = once(/^ALTER TABLE scans_quarterly UPDATE/, async () => {
    await deleteExpiredScans(
      { pool, clickhouse, serverDays: 400, logger },
      new Date(Date.now() + 86_400_000),
    );
    const isLeft = `SELECT count() FROM scans WHERE workspace_id = '${workspaceId}'`;
    await expect.poll(() => numberOf(isLeft), { timeout: 30_000 }).toBe(40);
  });
  await untilIdle(watched({ before: expire }), 400);
  const visitors =
    await rows(`SELECT today() - toDate(quarter) AS days, uniqCombinedMerge(12)(visitors) AS n FROM scans_quarterly
    WHERE workspace_id = '${workspaceId}' GROUP BY days ORDER BY days`);
  expect(visitors.map((row) => Object.values(row as object).map(Number))).toEqual([
    [10, 7],
    [29, 7],
    [31, 7],
  ]);
});
