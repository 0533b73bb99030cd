/**
 * Copies the scan counts that lists are sorted by from ClickHouse into `code_scans`, once a minute, for codes that were
 * scanned since. A count on the code's own row would be written for each scan, with all indexes of the codes. A list that
 * asks ClickHouse would have to sort a million codes there for each page, and would end when ClickHouse does. A copy is a
 * minute old, which no order of a list shows.
 */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { Services } from '../../../framework/services.ts';
import type { Task } from '../../../jobs/tasks.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { ReadCap } from '../explain/cap-state.ts';
import type { Code } from '../store/code.ts';

/** Their ids are in the URL of a query. */
const sliceMax = 250;
/** A run ends after this time; the next one continues. */
const runMsMax = 45_000;
const holdSeconds = 55;
/** ClickHouse remembers for ten minutes which codes were scanned. After a longer pause all codes are copied. */
const rememberedMs = 9 * 60_000;
/** A scan may be visible so much later than its time of recording says. */
const overlapMs = 15_000;
/** A scan that was just recorded is rarely older. If it is, `last_scanned_at` is right to the day. */
const recentHours = 24;

interface Progress {
  copiedTo: Date | null;
  allAfterId: string | null;
}

interface Sources {
  db: Queryable;
  clickhouse: ClickHouseClient;
  readCap: ReadCap;
}

/** @returns undefined if another process copies */
const hold = async (db: Queryable): Promise<Progress | undefined> => {
  const { rows } = await db.query<Progress>({
    name: 'hold-code-scans',
    text: `UPDATE code_scans_progress SET held_until = now() + make_interval(secs => $1) WHERE held_until < now()
           RETURNING copied_to AS "copiedTo", all_after_id AS "allAfterId"`,
    values: [holdSeconds],
  });
  return rows[0];
};

const saveProgress = (db: Queryable, { copiedTo, allAfterId }: Progress) =>
  db.query({
    name: 'save-code-scans-progress',
    text: 'UPDATE code_scans_progress SET copied_to = $1, all_after_id = $2',
    values: [copiedTo, allAfterId],
  });

const release = (db: Queryable) =>
  db.query({ name: 'release-code-scans', text: `UPDATE code_scans_progress SET held_until = '-infinity'` });

const rowsOf = async <Row>(
  clickhouse: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<Row[]> => (await clickhouse.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();

const timeOf = async (clickhouse: ClickHouseClient): Promise<Date> => {
  const [row] = await rowsOf<{ ms: string }>(clickhouse, 'SELECT toUnixTimestamp64Milli(now64(3)) AS ms');
  return new Date(Number(row!.ms));
};

/** The next codes that were scanned in a time. */
const findScanned = async (
  clickhouse: ClickHouseClient,
  fromMs: number,
  toMs: number,
  afterId: string,
): Promise<string[]> => {
  const rows = await rowsOf<{ id: string }>(
    clickhouse,
    `SELECT DISTINCT code_id AS id FROM scan_changes
     WHERE recorded_at > fromUnixTimestamp64Milli({fromMs:Int64}) AND recorded_at <= fromUnixTimestamp64Milli({toMs:Int64})
       AND code_id > {afterId:String} ORDER BY code_id LIMIT {limit:UInt32}`,
    { fromMs, toMs, afterId, limit: sliceMax },
  );
  return rows.map(({ id }) => id);
};

const findAll = async (db: Queryable, afterId: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'next-code-scans',
    text: 'SELECT code_id AS id FROM code_scans WHERE code_id > $1 ORDER BY code_id LIMIT $2',
    values: [afterId, sliceMax],
  });
  return rows.map(({ id }) => id);
};

type Owned = Pick<Code, 'id' | 'workspaceId' | 'maxScans' | 'capEpoch'>;

/** What of a slice are codes: redirectors record scans of other things as well. */
const findOwners = async (db: Queryable, ids: readonly string[]): Promise<Owned[]> => {
  const { rows } = await db.query<Owned>({
    name: 'find-owners-of-code-scans',
    text: `SELECT id, workspace_id AS "workspaceId", max_scans AS "maxScans", cap_epoch::double precision AS "capEpoch"
           FROM codes WHERE id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

interface Counted {
  id: string;
  scans: string;
  lastMs: string;
}

/** @param recent whether the last scans are recent ones */
const countScans = (
  clickhouse: ClickHouseClient,
  codes: readonly Owned[],
  recent: boolean,
): Promise<Counted[]> =>
  rowsOf<Counted>(
    clickhouse,
    `SELECT id, sum(counted) AS scans, max(lastOne) AS lastMs FROM (
       SELECT code_id AS id, sum(daily.scans) AS counted,
         toInt64(toUnixTimestamp(toDateTime(maxIf(day, daily.scans > 0), 'UTC'))) * 1000 AS lastOne
       FROM scans_daily AS daily
       WHERE workspace_id IN {workspaceIds:Array(String)} AND code_id IN {ids:Array(String)} GROUP BY code_id
       UNION ALL
       SELECT code_id AS id, toUInt64(0) AS counted, toUnixTimestamp64Milli(max(ts)) AS lastOne
       FROM scans WHERE workspace_id IN {workspaceIds:Array(String)} AND code_id IN {ids:Array(String)} AND kind = 'scan'
         ${recent ? `AND ts > now() - INTERVAL ${recentHours} HOUR` : ''} GROUP BY code_id
     ) GROUP BY id HAVING scans > 0`,
    {
      workspaceIds: [...new Set(codes.map(({ workspaceId }) => workspaceId))],
      ids: codes.map(({ id }) => id),
    },
  );

const capsOf = async (codes: readonly Owned[], readCap: ReadCap): Promise<Map<string, number>> => {
  const capped = codes.filter(({ maxScans }) => maxScans !== null);
  const caps = await Promise.all(
    capped.map(async (code) => [code.id, (await readCap(code))?.taken ?? 0] as const),
  );
  return new Map(caps);
};

const copySlice = async (
  { db, clickhouse, readCap }: Sources,
  ids: readonly string[],
  recent: boolean,
): Promise<void> => {
  const codes = await findOwners(db, ids);
  if (codes.length === 0) return;
  const counts = new Map((await countScans(clickhouse, codes, recent)).map((each) => [each.id, each]));
  const scanned = codes.filter(({ id }) => counts.has(id));
  const taken = await capsOf(scanned, readCap);
  await db.query({
    name: 'write-code-scans',
    text: `UPDATE code_scans AS kept SET scans = given.scans, last_scanned_at = greatest(kept.last_scanned_at, given.last),
             cap_epoch = given.epoch, cap_taken = given.taken
           FROM unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::bigint[])
             AS given (id, scans, last, epoch, taken)
           WHERE kept.code_id = given.id`,
    values: [
      scanned.map(({ id }) => id),
      scanned.map(({ id }) => counts.get(id)!.scans),
      scanned.map(({ id }) => new Date(Number(counts.get(id)!.lastMs))),
      scanned.map(({ capEpoch }) => capEpoch),
      scanned.map(({ id }) => taken.get(id) ?? null),
    ],
  });
};

/** @returns whether all were copied in time */
const copyScanned = async (
  sources: Sources,
  fromMs: number,
  toMs: number,
  isOver: () => boolean,
): Promise<boolean> => {
  for (let afterId = ''; ; ) {
    if (isOver()) return false;
    const ids = await findScanned(sources.clickhouse, fromMs, toMs, afterId);
    await copySlice(sources, ids, true);
    if (ids.length < sliceMax) return true;
    afterId = ids.at(-1)!;
  }
};

const copyAll = async (sources: Sources, progress: Progress, isOver: () => boolean): Promise<void> => {
  let { allAfterId } = progress;
  while (allAfterId !== null && !isOver()) {
    const ids = await findAll(sources.db, allAfterId);
    await copySlice(sources, ids, false);
    allAfterId = ids.length < sliceMax ? null : ids.at(-1)!;
    await saveProgress(sources.db, { ...progress, allAfterId });
  }
};

const run = async (sources: Sources, before: Progress): Promise<void> => {
  const { db, clickhouse } = sources;
  const endMs = performance.now() + runMsMax;
  const isOver = () => performance.now() > endMs;
  const copiedTo = await timeOf(clickhouse);
  const fromMs = before.copiedTo?.getTime() ?? Number.NEGATIVE_INFINITY;
  const isForgotten = copiedTo.getTime() - fromMs > rememberedMs;
  const progress = { copiedTo, allAfterId: isForgotten ? '' : before.allAfterId };
  if (!isForgotten && !(await copyScanned(sources, fromMs - overlapMs, copiedTo.getTime(), isOver))) return;
  await saveProgress(db, progress);
  await copyAll(sources, progress, isOver);
};

/** Runs once a minute, in one process. While ClickHouse is away, the copy stays as it is. */
export const copyScansTask = (
  { connections, clickhouse, logger }: Pick<Services, 'connections' | 'clickhouse' | 'logger'>,
  readCap: ReadCap,
): Task => {
  const sources = { db: connections.jobs, clickhouse, readCap };
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  return {
    task: 'copy-code-scans',
    schedule: '* * * * *',
    async run() {
      const before = await hold(sources.db);
      if (!before) return;
      try {
        await run(sources, before);
      } catch (error) {
        warn(
          'copy-code-scans',
          { err: error },
          'lists are sorted by older scan counts: they cannot be copied now',
        );
      } finally {
        await release(sources.db);
      }
    },
  };
};
