/** Rounds that end at any statement, and are repeated. */
import { expect, test } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestClickHouse, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { advanceRound, type RoundParts, type RoundProgress } from './rounds.ts';
import { roundMax } from './store.ts';

const clickhouse = createClickHouse(await createTestClickHouse(), 'test', 60_000);
afterFile(() => clickhouse.close());
const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 4);
afterFile(() => pool.end());

const died = new Error('the process ended');

/** The client, of processes that end: each statement is the last one of a process before it is done, and of one after it. */
const dying = () => {
  const times = new Map<string, number>();
  const client = Object.create(clickhouse, {
    command: {
      async value(given: Parameters<ClickHouseClient['command']>[0]) {
        const { query } = given;
        // Each attempt of a staging has a name of its own, and stages what there is by then.
        const statement = query.startsWith('ALTER')
          ? query
          : query.replaceAll(/'[0-9a-f-]{36}|LIMIT \d+/g, '');
        const time = (times.get(statement) ?? 0) + 1;
        times.set(statement, time);
        if (time === 1) throw died;
        const done = await clickhouse.command(given);
        if (time === 2) throw died;
        return done;
      },
    },
  }) as ClickHouseClient;
  return { client };
};

const record = (workspaceId: string, codeId: string) =>
  clickhouse.command({
    query: `INSERT INTO scans (event_id, ts, workspace_id, code_id, kind, device, os, visitor, country)
      SELECT generateUUIDv4(), now64(3) - INTERVAL number HOUR, '${workspaceId}', '${codeId}', if(number % 5 = 0, 'bot', 'scan'),
        'mobile', 'ios', number % 7, 'DE' FROM numbers(40)`,
  });

const isRight = async (workspaceId: string): Promise<void> => {
  const where = `WHERE workspace_id = '${workspaceId}'`;
  const result = await clickhouse.query({
    query: `SELECT (SELECT (sum(scans), sum(bots), uniqCombinedMerge(12)(visitors)) FROM scans_quarterly ${where}) AS quarters,
      (SELECT (sum(scans), sum(bots), uniqMerge(visitors)) FROM scans_daily ${where}) AS days,
      (SELECT sum(scans) FROM scans_quarterly_breakdown ${where} AND dimension = 'country') AS countries,
      (SELECT (countIf(kind = 'scan'), countIf(kind = 'bot'), uniqIf(visitor, kind = 'scan')) FROM scans ${where}) AS scans,
      (SELECT count() FROM erasing_scans) + (SELECT count() FROM erasing_rows) AS staged`,
    format: 'JSONEachRow',
  });
  expect(await result.json()).toEqual([
    { quarters: [32, 8, 7], days: [32, 8, 7], countries: 32, scans: [32, 8, 7], staged: 0 },
  ]);
};

const advance = (client: ClickHouseClient): Promise<RoundProgress | undefined> =>
  advanceRound({ pool, clickhouse: client }).catch(() => undefined);

const untilIdle = async (): Promise<void> => {
  while ((await advanceRound({ pool, clickhouse })) !== 'idle');
};

/** Two codes of a workspace, one of which is to be erased. */
const begin = async (number: number): Promise<string> => {
  const { workspaceId } = await createWorkspace(pool, `test ${number}`, 'enterprise');
  await record(workspaceId, `gone${number}`);
  await record(workspaceId, `stays${number}`);
  await pool.query(
    `INSERT INTO erasures (id, workspace_id, code_id, what, state, up_to, scans)
     VALUES ($1, $2, $3, 'code', 'erasing', 'infinity', 'waiting')`,
    [`ers_${number}`, workspaceId, `gone${number}`],
  );
  return workspaceId;
};

const stateOf = async (id: string): Promise<{ scans: string; erased: number }> => {
  const { rows } = await pool.query(
    'SELECT scans, scans_erased::integer AS erased FROM erasures WHERE id = $1',
    [id],
  );
  return rows[0];
};

test('a round whose process ends before and after each of its statements takes nothing off twice, leaves nothing, and counts each scan once', async () => {
  const workspaceId = await begin(0);
  const { client } = dying();
  let recorded = 1;
  let processes = 0;
  for (let progress: RoundProgress | undefined; progress !== 'ended'; processes++) {
    expect(processes).toBeLessThan(200);
    progress = await advance(client);
    if (progress === 'ended' || processes % 4 !== 3) continue;
    // Nor is the code left alone meanwhile.
    await record(workspaceId, 'gone0');
    recorded++;
  }
  expect(processes).toBeGreaterThan(20);
  await untilIdle();
  await isRight(workspaceId);
  expect(await stateOf('ers_0')).toEqual({ scans: 'gone', erased: 40 * recorded });
});

/** The client, whose changes of visitors go on until they are let go. */
const holding = () => {
  const issued: string[] = [];
  const held = new Set<string>();
  const client = Object.create(clickhouse, {
    command: {
      async value(given: Parameters<ClickHouseClient['command']>[0]) {
        const [, table] = /^ALTER TABLE (\w+) UPDATE/.exec(given.query) ?? [];
        if (table) await clickhouse.command({ query: `SYSTEM STOP MERGES ${table}` });
        if (table) held.add(table);
        issued.push(given.query);
        return clickhouse.command(given);
      },
    },
  }) as ClickHouseClient;
  const underWay = `SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND NOT is_done`;
  const letGo = async () => {
    for (const table of held) await clickhouse.command({ query: `SYSTEM START MERGES ${table}` });
    held.clear();
    await expect
      .poll(async () => (await clickhouse.query({ query: underWay, format: 'JSONEachRow' })).json(), {
        timeout: 30_000,
      })
      .toEqual([]);
  };
  return { client, issued, letGo };
};

test('a round whose changes outlast each turn ends, and none of them and nothing taken off is issued again', async () => {
  const workspaceId = await begin(1);
  const { client, issued, letGo } = holding();
  let turns = 0;
  for (let progress: RoundProgress = 'busy'; progress !== 'ended'; turns++) {
    expect(turns).toBeLessThan(30);
    progress = await advanceRound({ pool, clickhouse: client, waitMsMax: 20 });
    await letGo();
  }
  expect(turns).toBeGreaterThan(2);
  expect(issued.filter((query) => query.includes('0 - count'))).toHaveLength(4);
  expect(issued.filter((query) => /^ALTER TABLE \w+ UPDATE/.test(query))).toHaveLength(2);
  await untilIdle();
  await isRight(workspaceId);
});

test('a round whose change fails in ClickHouse says why, and ends once that works again', async () => {
  const workspaceId = await begin(2);
  await clickhouse.command({
    query: `ALTER TABLE scans_daily UPDATE visitors = if(throwIf(true, 'no room') = 0, visitors, visitors)
      WHERE workspace_id = '${workspaceId}'`,
    clickhouse_settings: { mutations_sync: '0' },
  });
  const causeOf = () =>
    advanceRound({ pool, clickhouse, waitMsMax: 20 }).then(
      (progress) => progress,
      ({ cause }: Error) => String(cause),
    );
  await expect.poll(causeOf, { timeout: 30_000 }).toMatch(/a change of scans_daily fails .* no room/s);
  await clickhouse.command({
    query: `KILL MUTATION WHERE database = currentDatabase() AND table = 'scans_daily' AND position(command, 'no room') > 0`,
  });
  // ClickHouse keeps the reason of the last failure until the next attempt.
  await expect.poll(causeOf, { timeout: 30_000 }).toBe('idle');
  await isRight(workspaceId);
});

test('two processes that work at once do a round once, and many erasures of several workspaces share one', async () => {
  const numbers = [100, 101, 102, 103];
  const workspaces = await Promise.all(numbers.map(begin));
  const ends = await Promise.all([clickhouse, clickhouse, clickhouse].map(advance));
  expect(ends.filter((end) => end === 'ended').length).toBeLessThanOrEqual(1);
  await untilIdle();
  for (const workspaceId of workspaces) await isRight(workspaceId);
  const { rows } = await pool.query(
    `SELECT DISTINCT scans, scans_erased::integer AS erased FROM erasures WHERE id = ANY($1)`,
    [numbers.map((number) => `ers_${number}`)],
  );
  expect(rows).toEqual([{ scans: 'gone', erased: 40 }]);
});

/** A round, and no further one. */
const doRound = (parts: Partial<RoundParts> = {}) =>
  expect
    .poll(() => advanceRound({ pool, clickhouse, ...parts }), { timeout: 60_000, interval: 1 })
    .toBe('ended');

test('an erasure is in the next round, however many of another workspace wait for longer', async () => {
  const busy = await begin(200);
  await pool.query(
    `INSERT INTO erasures (id, workspace_id, code_id, what, state, up_to, scans)
     SELECT 'ers_busy' || n, $1, 'busy' || n, 'code', 'erasing', 'infinity', 'waiting' FROM generate_series(1, $2) n`,
    [busy, roundMax],
  );
  await begin(201);
  await doRound();
  expect([await stateOf('ers_200'), await stateOf('ers_201')]).toEqual([
    { scans: 'gone', erased: 40 },
    { scans: 'gone', erased: 40 },
  ]);
  expect(await stateOf(`ers_busy${roundMax}`)).toMatchObject({ scans: 'waiting' });
  await untilIdle();
});

test('an erasure ends with the next round, however many scans of another workspace do not fit into it', async () => {
  const numbers = new Map<string, number>();
  for (const number of [202, 203]) numbers.set(await begin(number), number);
  // In the order of the table the large one comes first.
  const [large, small] = [...numbers.keys()].sort() as [string, string];
  for (let times = 0; times < 5; times++) await record(large, `gone${numbers.get(large)}`);
  await doRound({ scansMax: 100 });
  expect(await stateOf(`ers_${numbers.get(small)}`)).toEqual({ scans: 'gone', erased: 40 });
  expect(await stateOf(`ers_${numbers.get(large)}`)).toEqual({ scans: 'waiting', erased: 60 });
  await untilIdle();
  expect(await stateOf(`ers_${numbers.get(large)}`)).toEqual({ scans: 'gone', erased: 240 });
  for (const workspaceId of [large, small]) await isRight(workspaceId);
});
