/**
 * Rounds: the scans of many erasures, of all workspaces, are removed from ClickHouse together, since each removal walks through a
 * table's parts, however little it is of. One round at a time, worked on by one process at a time:
 *
 *   take waiting erasures ─▶ stage its scans ─▶ take them off the sums ─▶ remove them ─▶ remove days, fill visitors ─▶ end
 *
 * A process that is killed leaves the round as it is, and the next one repeats it from the staging on; every step after it may be
 * repeated. A scan that arrives meanwhile is not staged, so that it is neither taken off nor removed: what is left of a code at
 * the end waits for the next round.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { literal } from '../../recorded-scans/sql.ts';
import {
  breakdownTables,
  emptyRows,
  emptyVisitors,
  erasedDays,
  erasedScans,
  fillVisitors,
  requestsAbout,
  stage,
  stagedScans,
  sumsTables,
  takeOff,
  tellChanged,
  visitorTables,
} from './statements.ts';
import { endRound, holdRound, keepRound, type Round, releaseRound, saveAttempt } from './store.ts';

/** A removal that takes longer goes on while jobs of others have their turns. */
const waitMsMax = 1_500;
const pollMs = 50;

export interface RoundParts {
  pool: Pool;
  /** Whose statements may take long. */
  clickhouse: ClickHouseClient;
}

/** `idle`: nothing waits, or another process works on it. `busy`: a removal is under way. `ended`: a round has ended. */
export type RoundProgress = 'idle' | 'busy' | 'ended';

/** A removal goes on in ClickHouse, or another process has the round: it continues later. */
class UnderWay extends Error {}

/** @param keep called before each statement that changes something */
const createClickHouseWork = (clickhouse: ClickHouseClient, keep: () => Promise<void>) => {
  const run = async (query: string, settings: Record<string, string | number> = {}): Promise<void> => {
    await keep();
    await clickhouse.command({ query, clickhouse_settings: settings });
  };
  const read = async <Row>(query: string): Promise<Row[]> =>
    (await clickhouse.query({ query, format: 'JSONEachRow' })).json<Row>();

  const isAnyLeft = async (table: string, where: string): Promise<boolean> =>
    (await read(`SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`)).length > 0;

  /** @param mark of the statement, by which it is found again */
  const isUnderWay = async (table: string, mark: string): Promise<boolean> =>
    (
      await read(`SELECT 1 FROM system.mutations WHERE database = currentDatabase() AND table = ${literal(table)}
        AND NOT is_done AND position(command, ${literal(mark)}) > 0 LIMIT 1`)
    ).length > 0;

  return {
    run,
    read,
    isAnyLeft,
    /** Changes rows, and waits until they are changed. @throws {UnderWay} if that takes long */
    async change(table: string, query: string, mark: string): Promise<void> {
      const endMs = performance.now() + waitMsMax;
      if (!(await isUnderWay(table, mark))) await run(query, { mutations_sync: '0' });
      while (await isUnderWay(table, mark)) {
        if (performance.now() > endMs) throw new UnderWay();
        await sleep(pollMs);
      }
    },
    /** Removes rows, and waits until they are gone. @throws {UnderWay} if that takes long */
    async remove(table: string, where: string, mark: string): Promise<void> {
      const endMs = performance.now() + waitMsMax;
      while (await isAnyLeft(table, where)) {
        if (performance.now() > endMs) throw new UnderWay();
        if (await isUnderWay(table, mark)) await sleep(pollMs);
        else
          await run(`DELETE FROM ${table} WHERE ${where} AND ${literal(mark)} != ''`, {
            lightweight_deletes_sync: 0,
          });
      }
    },
  };
};

type ClickHouseWork = ReturnType<typeof createClickHouseWork>;

/** @returns undefined if another process has the round by now */
const stageScans = async (db: Pool, { run, read }: ClickHouseWork, round: Round) => {
  if (round.attempt !== null) return round.attempt;
  // What attempts of killed processes have left.
  const parts = await read<{ attempt: string }>(
    `SELECT DISTINCT partition AS attempt FROM system.parts WHERE database = currentDatabase() AND table = 'erasing_scans' AND active`,
  );
  for (const { attempt } of parts) await run(`ALTER TABLE erasing_scans DROP PARTITION ${literal(attempt)}`);
  const attempt = randomUUID();
  await run(stage(attempt, round.erasures));
  return (await saveAttempt(db, round, attempt)) ? attempt : undefined;
};

/** One block, so that a repetition is recognised as a whole. */
const named = (name: string) => ({
  insert_deduplication_token: name,
  insert_deduplicate: 1,
  max_threads: 1,
  max_block_size: 2 ** 24,
  min_insert_block_size_rows: 2 ** 24,
  min_insert_block_size_bytes: 0,
  deduplicate_blocks_in_dependent_materialized_views: 1,
});

const takeOffSums = async ({ run }: ClickHouseWork, attempt: string): Promise<void> => {
  for (const table of sumsTables) await run(takeOff(table, attempt), named(`${attempt} ${table}`));
};

const removeScans = async (
  { remove }: ClickHouseWork,
  { erasures }: Round,
  attempt: string,
): Promise<void> => {
  await remove('scans', stagedScans(attempt, erasures), attempt);
  await remove('scan_log', stagedScans(attempt, erasures), attempt);
  // A conversion has the time of its scan.
  await remove('conversions', erasedScans(erasures), attempt);
  if (erasures.some(({ what }) => what === 'code'))
    await remove('request_log', requestsAbout(erasures), attempt);
};

const cleanSums = async (
  { run, change, remove }: ClickHouseWork,
  { erasures }: Round,
  attempt: string,
): Promise<void> => {
  for (const table of ['scans_daily', 'scans_daily_breakdown'])
    await remove(table, erasedDays(erasures), attempt);
  for (const table of breakdownTables) await remove(table, emptyRows(table, attempt), attempt);
  for (const table of visitorTables) {
    await change(table, emptyVisitors(table, attempt), attempt);
    await run(fillVisitors(table, attempt, erasures));
  }
};

const workOn = async ({ pool, clickhouse }: RoundParts, round: Round): Promise<RoundProgress> => {
  const work = createClickHouseWork(clickhouse, async () => {
    if (!(await keepRound(pool, round))) throw new UnderWay();
  });
  const attempt = await stageScans(pool, work, round);
  if (attempt === undefined) return 'busy';
  await takeOffSums(work, attempt);
  await removeScans(work, round, attempt);
  await cleanSums(work, round, attempt);
  const removed = await work.read<{ id: string; n: string }>(
    `SELECT code_id AS id, count() AS n FROM erasing_scans WHERE attempt = ${literal(attempt)} GROUP BY id`,
  );
  const left = await work.read<{ id: string }>(
    `SELECT DISTINCT code_id AS id FROM scans WHERE ${erasedScans(round.erasures)}`,
  );
  await work.run(tellChanged(round.erasures));
  const counts = new Map(removed.map(({ id, n }) => [id, Number(n)]));
  await work.run(`ALTER TABLE erasing_scans DROP PARTITION ${literal(attempt)}`);
  await endRound(pool, round, counts, new Set(left.map(({ id }) => id)));
  return 'ended';
};

/**
 * Takes the present round as far as it comes in a second or two.
 * @throws {ClientError} UNAVAILABLE if ClickHouse does not do it
 */
export const advanceRound = async (parts: RoundParts): Promise<RoundProgress> => {
  const round = await holdRound(parts.pool);
  if (!round) return 'idle';
  try {
    return await workOn(parts, round);
  } catch (error) {
    if (error instanceof UnderWay) return 'busy';
    throw new ClientError('UNAVAILABLE', 'Scans cannot be erased now', { cause: error });
  } finally {
    await releaseRound(parts.pool, round);
  }
};

/** Codes of ended erasures of which scans are there. */
export const findLate = async (
  clickhouse: ClickHouseClient,
  erasures: Round['erasures'],
): Promise<ReadonlySet<string>> => {
  const found = await clickhouse.query({
    query: `SELECT DISTINCT code_id AS id FROM scans WHERE ${erasedScans(erasures)}`,
    format: 'JSONEachRow',
  });
  return new Set((await found.json<{ id: string }>()).map(({ id }) => id));
};
