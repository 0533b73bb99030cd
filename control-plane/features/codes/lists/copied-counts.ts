/** What a slice of the copy of scan counts reads and writes. */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { ReadCap } from '../explain/cap-state.ts';
import type { Code } from '../store/code.ts';

/** A scan that was just recorded is rarely older. If it is, `last_scanned_at` is right to the day. */
const recentHours = 24;

export interface Sources {
  db: Queryable;
  clickhouse: ClickHouseClient;
  readCap: ReadCap;
}

const rowsOf = async <Row>(
  clickhouse: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<Row[]> => (await clickhouse.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();

export const timeOf = async (clickhouse: ClickHouseClient): Promise<Date> => {
  const [row] = await rowsOf<{ ms: string }>(clickhouse, 'SELECT toUnixTimestamp64Milli(now64(3)) AS ms');
  return new Date(Number(row!.ms));
};

/** The next codes that were scanned in a time. */
export const findScanned = async (
  clickhouse: ClickHouseClient,
  fromMs: number,
  toMs: number,
  afterId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await rowsOf<{ id: string }>(
    clickhouse,
    `SELECT DISTINCT code_id AS id FROM scan_changes
     WHERE recorded_at > fromUnixTimestamp64Milli({fromMs:Int64}) AND recorded_at <= fromUnixTimestamp64Milli({toMs:Int64})
       AND code_id > {afterId:String} ORDER BY code_id LIMIT {limit:UInt32}`,
    { fromMs, toMs, afterId, limit },
  );
  return rows.map(({ id }) => id);
};

export const findAll = async (db: Queryable, afterId: string, limit: number): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'next-code-scans',
    text: 'SELECT code_id AS id FROM code_scans WHERE code_id > $1 ORDER BY code_id LIMIT $2',
    values: [afterId, limit],
  });
  return rows.map(({ id }) => id);
};

/** Codes with a cap that no recorded scan tells of, and of which it is not known that the cap is reached. */
export const findUnrecorded = async (db: Queryable, afterId: string, limit: number): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'next-unrecorded-caps',
    text: `SELECT id FROM codes WHERE analytics = 'none' AND max_scans IS NOT NULL AND id > $1
             AND NOT EXISTS (SELECT FROM code_scans AS used WHERE used.code_id = codes.id
               AND used.cap_epoch = codes.cap_epoch AND used.cap_taken >= codes.max_scans)
           ORDER BY id LIMIT $2`,
    values: [afterId, limit],
  });
  return rows.map(({ id }) => id);
};

/** `scansErased`: how often its scans have been erased. */
type Owned = Pick<Code, 'id' | 'workspaceId' | 'maxScans' | 'capEpoch'> & { scansErased: number };

/** What of a slice are codes: redirectors record scans of other things as well. */
const findOwners = async (db: Queryable, ids: readonly string[]): Promise<Owned[]> => {
  const { rows } = await db.query<Owned>({
    name: 'find-owners-of-code-scans',
    text: `SELECT id, codes.workspace_id AS "workspaceId", max_scans AS "maxScans", scans_erased AS "scansErased",
             codes.cap_epoch::double precision AS "capEpoch"
           FROM codes JOIN code_scans ON code_id = id WHERE id = ANY($1)`,
    values: [ids],
  });
  return rows;
};

interface Counted {
  id: string;
  scans: string;
  lastMs: string;
}

/** Days that are being erased may be below zero for a while. @param recent whether the last scans are recent ones */
const countScans = (
  clickhouse: ClickHouseClient,
  codes: readonly Owned[],
  recent: boolean,
): Promise<Counted[]> =>
  rowsOf<Counted>(
    clickhouse,
    `SELECT id, sum(counted) AS scans, max(lastOne) AS lastMs FROM (
       SELECT code_id AS id, greatest(toInt64(sum(daily.scans)), 0) AS counted,
         toInt64(toUnixTimestamp(toDateTime(maxIf(day, toInt64(daily.scans) > 0), 'UTC'))) * 1000 AS lastOne
       FROM scans_daily AS daily
       WHERE workspace_id IN {workspaceIds:Array(String)} AND code_id IN {ids:Array(String)} GROUP BY code_id
       UNION ALL
       SELECT code_id AS id, toInt64(0) AS counted, toUnixTimestamp64Milli(max(ts)) AS lastOne
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

/**
 * Two runs may write at once, if one was slow. Counts only grow, so that the greater one is the later; counts from before an
 * erasure of the scans are dropped.
 */
const writeCounts = (
  db: Queryable,
  codes: readonly Owned[],
  counts: ReadonlyMap<string, Counted>,
  taken: ReadonlyMap<string, number>,
) =>
  db.query({
    name: 'write-code-scans',
    text: `UPDATE code_scans AS kept SET scans = greatest(kept.scans, given.scans),
             last_scanned_at = greatest(kept.last_scanned_at, given.last),
             cap_epoch = CASE WHEN given.epoch < kept.cap_epoch THEN kept.cap_epoch ELSE given.epoch END,
             cap_taken = CASE WHEN given.epoch < kept.cap_epoch THEN kept.cap_taken
               WHEN given.epoch = kept.cap_epoch THEN greatest(kept.cap_taken, given.taken) ELSE given.taken END
           FROM unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::integer[])
             AS given (id, scans, last, epoch, taken, erased)
           WHERE kept.code_id = given.id AND kept.scans_erased = given.erased`,
    values: [
      codes.map(({ id }) => id),
      codes.map(({ id }) => counts.get(id)?.scans ?? 0),
      codes.map(({ id }) => {
        const last = counts.get(id);
        return last ? new Date(Number(last.lastMs)) : null;
      }),
      codes.map(({ capEpoch }) => capEpoch),
      codes.map(({ id }) => taken.get(id) ?? null),
      codes.map(({ scansErased }) => scansErased),
    ],
  });

export const copySlice = async (
  { db, clickhouse, readCap }: Sources,
  ids: readonly string[],
  recent: boolean,
): Promise<void> => {
  const codes = await findOwners(db, ids);
  if (codes.length === 0) return;
  const counts = new Map((await countScans(clickhouse, codes, recent)).map((each) => [each.id, each]));
  const scanned = codes.filter(({ id }) => counts.has(id));
  await writeCounts(db, scanned, counts, await capsOf(scanned, readCap));
};

/** Of codes without recorded scans. */
export const copyCapsOf = async ({ db, readCap }: Sources, ids: readonly string[]): Promise<void> => {
  const codes = await findOwners(db, ids);
  if (codes.length > 0) await writeCounts(db, codes, new Map(), await capsOf(codes, readCap));
};
