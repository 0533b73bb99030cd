/**
 * Rounds: the scans of many erasures, of all workspaces, are removed from ClickHouse together, since each removal walks through a
 * table's parts, however little it is of. One round at a time, worked on by one process at a time:
 *
 *   take waiting erasures ─▶ stage its scans ─▶ take them off the sums ─▶ remove them ─▶ remove days and empty rows by their lists
 *     ─▶ fill visitors ─▶ forget copied counts ─▶ end
 *
 * Workspaces share a round: an erasure with millions of scans takes several, and holds up no other workspace's.
 *
 * Each step that is done is saved, so that the next process goes on behind it. A process that is killed before leaves a step to be
 * repeated, which changes nothing. A scan that arrives meanwhile is not staged, so that it is neither taken off nor removed: what
 * is left of a code at the end waits for the next round.
 */
import { randomUUID } from 'node:crypto';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { literal, literals } from '../../recorded-scans/sql.ts';
import { type ClickHouseWork, createClickHouseWork, readRows, UnderWay } from './clickhouse-work.ts';
import { sharesOf } from './shares.ts';
import { codesInRequests, codesLeft, countErased, stage, tellChanged } from './statements.ts';
import { stepsOf } from './steps.ts';
import { endRound, holdRound, keepRound, type Round, releaseRound, saveAttempt, saveStep } from './store.ts';

/** A removal that takes longer goes on while jobs of others have their turns. */
const defaultWaitMs = 1_500;
/** The others wait for the next round. */
const defaultScansMax = 2_000_000;

export interface RoundParts {
  pool: Pool;
  /** Whose statements may take long. */
  clickhouse: ClickHouseClient;
  /** How long the server keeps single scans; by default for ever. */
  serverDays?: number;
  /** How long a removal is waited for. */
  waitMsMax?: number;
  /** Scans of one round at most. */
  scansMax?: number;
}

/** A partition of each is an attempt. */
const stagingTables = ['erasing_scans', 'erasing_rows'];

/** `idle`: nothing waits, or another process works on it. `busy`: a removal is under way. `ended`: a round has ended. */
export type RoundProgress = 'idle' | 'busy' | 'ended';

/** @returns undefined if another process has the round by now */
const stageScans = async (db: Pool, { run, read }: ClickHouseWork, round: Round, scansMax: number) => {
  if (round.attempt !== null) return round.attempt;
  // What attempts of killed processes have left.
  const parts = await read<{ table: string; attempt: string }>(
    `SELECT DISTINCT table, partition AS attempt FROM system.parts
     WHERE database = currentDatabase() AND table IN (${literals(stagingTables)}) AND active`,
  );
  for (const { table, attempt } of parts)
    await run(`ALTER TABLE ${table} DROP PARTITION ${literal(attempt)}`);
  const attempt = randomUUID();
  const found = await read<{ workspace: string; n: string }>(countErased(round.erasures));
  const shares = sharesOf(new Map(found.map(({ workspace, n }) => [workspace, Number(n)])), scansMax);
  const byWorkspace = Map.groupBy(round.erasures, ({ workspaceId }) => workspaceId);
  for (const [workspaceId, share] of shares) await run(stage(attempt, byWorkspace.get(workspaceId)!, share));
  const staged = await read<{ id: string; n: string }>(
    `SELECT code_id AS id, count() AS n FROM erasing_scans WHERE attempt = ${literal(attempt)} GROUP BY id`,
  );
  const counts = new Map(staged.map(({ id, n }) => [id, Number(n)]));
  return (await saveAttempt(db, round, attempt, counts)) ? attempt : undefined;
};

const codesOf = async (clickhouse: ClickHouseClient, query: string): Promise<string[]> =>
  (await readRows<{ id: string }>(clickhouse, query)).map(({ id }) => id);

const workOn = async (
  {
    pool,
    clickhouse,
    serverDays = Number.POSITIVE_INFINITY,
    waitMsMax = defaultWaitMs,
    scansMax = defaultScansMax,
  }: RoundParts,
  round: Round,
): Promise<RoundProgress> => {
  const work = createClickHouseWork(clickhouse, waitMsMax, async () => {
    if (!(await keepRound(pool, round))) throw new UnderWay();
  });
  const attempt = await stageScans(pool, work, round, scansMax);
  if (attempt === undefined) return 'busy';
  const { erasures } = round;
  for (const { name, run } of stepsOf({ db: pool, serverDays, work, erasures, attempt })) {
    if (round.steps.includes(name)) continue;
    await run();
    if (!(await saveStep(pool, round, name))) return 'busy';
  }
  // After the copied counts are forgotten: they are copied again.
  await work.run(tellChanged(erasures));
  const left = await codesOf(clickhouse, codesLeft(erasures));
  for (const table of stagingTables)
    await work.run(`ALTER TABLE ${table} DROP PARTITION ${literal(attempt)}`);
  await endRound(pool, round, new Set(left));
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

/** Requests are logged soon: after this time no late ones are looked for. */
const lateRequestMs = 3_600_000;

/** Codes of ended erasures of which scans, sums, conversions or, for an hour, logged requests are there. */
export const findLate = async (
  clickhouse: ClickHouseClient,
  erasures: Round['erasures'],
): Promise<ReadonlySet<string>> => {
  const recent = erasures.filter(
    ({ what, erasedMs }) => what === 'code' && erasedMs !== null && erasedMs > Date.now() - lateRequestMs,
  );
  const found = await codesOf(clickhouse, codesLeft(erasures));
  if (recent.length > 0) found.push(...(await codesOf(clickhouse, codesInRequests(recent))));
  return new Set(found);
};
