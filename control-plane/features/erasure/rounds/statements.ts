/**
 * What a round does in ClickHouse, as statements. Each may be repeated: what is taken off the sums is inserted under a name, by
 * which ClickHouse recognises it, and the rest is the same after the second time.
 */
import { instant, literal, literals } from '../../recorded-scans/sql.ts';
import type { Erased } from './store.ts';

/** After all scans. */
const endOfTimeMs = 4_102_444_800_000;
export const dayMs = 86_400_000;

/** A code with two erasures: up to the later moment. */
const latestByCode = (erasures: readonly Erased[]): Map<string, number> => {
  const latest = new Map<string, number>();
  for (const { codeId, upToMs } of erasures)
    latest.set(codeId, Math.max(latest.get(codeId) ?? 0, upToMs ?? endOfTimeMs));
  return latest;
};

export const ofCodes = (erasures: readonly Erased[]): string =>
  `workspace_id IN (${literals([...new Set(erasures.map(({ workspaceId }) => workspaceId))])})
   AND code_id IN (${literals([...new Set(erasures.map(({ codeId }) => codeId))])})`;

/** SQL: the number that belongs to the code of a row, or 0. */
const byCode = (numbers: ReadonlyMap<string, number>): string =>
  `transform(code_id, [${literals([...numbers.keys()])}], [${[...numbers.values()].map((n) => `toInt64(${n})`).join(', ')}], toInt64(0))`;

/** SQL: the scans that are to be erased, in a table of single scans. */
export const erasedScans = (erasures: readonly Erased[]): string =>
  `${ofCodes(erasures)} AND toUnixTimestamp64Milli(ts) <= ${byCode(latestByCode(erasures))}`;

/** SQL: rows of the days before the moment, in a table with a row for each day. */
export const erasedDays = (erasures: readonly Erased[]): string => {
  const days = [...latestByCode(erasures)].map(([id, ms]) => [id, Math.floor(ms / dayMs)] as const);
  return `${ofCodes(erasures)} AND toInt64(toUInt16(day)) < ${byCode(new Map(days))}`;
};

/** SQL: in which the scans of the attempt are. */
export const staged = (attempt: string): string => `erasing_scans WHERE attempt = ${literal(attempt)}`;

const copied = `workspace_id, code_id, event_id, ts, kind, device, os, browser, country, referrer_host, source, variant_id, rule_id`;

/** How many scans of each workspace are to be erased. */
export const countErased = (erasures: readonly Erased[]): string =>
  `SELECT workspace_id AS workspace, count() AS n FROM scans WHERE ${erasedScans(erasures)} GROUP BY workspace`;

/** In the order of the table, so that it is read no further than to the last one. */
export const stage = (attempt: string, erasures: readonly Erased[], scansMax: number): string =>
  `INSERT INTO erasing_scans (attempt, ${copied}) SELECT toUUID(${literal(attempt)}), ${copied} FROM scans
   WHERE ${erasedScans(erasures)} ORDER BY workspace_id, code_id, ts LIMIT ${scansMax}`;

const quarterOf = 'toStartOfInterval(toDateTime(ts), INTERVAL 15 MINUTE)';

/** A table of sums, and how its rows come from scans. */
interface Sums {
  readonly keys: readonly (readonly [column: string, sql: string])[];
  /** Of the visitors; absent: the table has none. */
  readonly visitors?: string;
}

const workspace = ['workspace_id', 'workspace_id'] as const;
export const dimensions = `ARRAY JOIN ['country', 'device', 'os', 'browser', 'referrer', 'source', 'variant', 'rule'] AS dimension,
  [toString(country), toString(device), toString(os), toString(browser), referrer_host, source, variant_id, rule_id] AS value`;
const dimension = ['dimension', 'dimension'] as const;
const value = ['value', 'value'] as const;
const quarter = ['quarter', quarterOf] as const;
const codeDay = [workspace, ['code_id', 'code_id'], ['day', 'toDate(ts)']] as const;

export const sums = {
  scans_quarterly: { keys: [workspace, quarter], visitors: 'uniqCombinedState(12)' },
  scans_quarterly_breakdown: { keys: [workspace, dimension, quarter, value] },
  scans_daily: { keys: codeDay, visitors: 'uniqState' },
  scans_daily_breakdown: { keys: [...codeDay, dimension, value] },
} as const satisfies Record<string, Sums>;

export type SumsTable = keyof typeof sums;
export const sumsTables = Object.keys(sums) as SumsTable[];
export const visitorTables = ['scans_quarterly', 'scans_daily'] as const;
export const breakdownTables = ['scans_quarterly_breakdown', 'scans_daily_breakdown'] as const;

/** Sums are unsigned and wrap around: adding what is below zero takes it off. */
export const takeOff = (table: SumsTable, attempt: string): string => {
  const { keys } = sums[table];
  const isBreakdown = table.endsWith('breakdown');
  const names = keys.map(([name]) => name).join(', ');
  const counts = isBreakdown ? '0 - count()' : `0 - countIf(kind = 'scan'), 0 - countIf(kind = 'bot')`;
  return `INSERT INTO ${table} (${names}, scans${isBreakdown ? '' : ', bots'})
    SELECT ${keys.map(([name, sql]) => (name === sql ? name : `${sql} AS ${name}`)).join(', ')}, ${counts}
    FROM (SELECT * FROM ${staged(attempt)}) ${isBreakdown ? `${dimensions} WHERE kind = 'scan' AND value != ''` : ''} GROUP BY ${names}`;
};

/** SQL: the keys of the rows from which something was taken off. */
export const touched = (table: SumsTable, attempt: string): string => {
  const keys = sums[table].keys.filter(([name]) => name !== 'dimension' && name !== 'value');
  return `(${keys.map(([name]) => name).join(', ')}) IN (SELECT ${keys.map(([, sql]) => sql).join(', ')} FROM ${staged(attempt)})`;
};

/**
 * A set of visitors cannot be subtracted from: it is emptied, and filled again from the scans that are left.
 * @param sinceMs by workspace: sets of earlier times stay as they are
 */
export const emptyVisitors = (
  table: (typeof visitorTables)[number],
  attempt: string,
  sinceMs: ReadonlyMap<string, number>,
): string => {
  const [time] = sums[table].keys.at(-1)!;
  const seconds = [...sinceMs.values()].map((ms) => `toInt64(${Math.ceil(ms / 1000)})`);
  const since = `transform(toString(workspace_id), [${literals([...sinceMs.keys()])}], [${seconds.join(', ')}], toInt64(0))`;
  return `ALTER TABLE ${table} UPDATE visitors = arrayReduce('${sums[table].visitors}', emptyArrayUInt64())
   WHERE ${touched(table, attempt)} AND toInt64(toUnixTimestamp(toDateTime(${time}, 'UTC'))) >= ${since}`;
};

/** Sets stay the same however often a visitor is added, so that scans of this moment do no harm. */
export const fillVisitors = (
  table: (typeof visitorTables)[number],
  attempt: string,
  erasures: readonly Erased[],
): string => {
  const { keys, visitors } = sums[table];
  const names = keys.map(([name]) => name).join(', ');
  const workspaces = literals([...new Set(erasures.map(({ workspaceId }) => workspaceId))]);
  const state = visitors.replace('State', 'StateIf');
  return `INSERT INTO ${table} (${names}, visitors)
    SELECT ${keys.map(([name, sql]) => (name === sql ? name : `${sql} AS ${name}`)).join(', ')},
      ${state}(visitor, kind = 'scan')
    FROM scans
    WHERE workspace_id IN (${workspaces})
      AND ts >= (SELECT toStartOfDay(min(ts)) FROM ${staged(attempt)})
      AND ts < (SELECT toStartOfDay(max(ts)) + INTERVAL 1 DAY FROM ${staged(attempt)})
      AND (${keys.map(([, sql]) => sql).join(', ')}) IN (SELECT ${keys.map(([, sql]) => sql).join(', ')} FROM ${staged(attempt)})
    GROUP BY ${names}`;
};

/** SQL: the scans of an attempt, in a table of single scans. */
export const stagedScans = (attempt: string, erasures: readonly Erased[]): string =>
  `${ofCodes(erasures)} AND event_id IN (SELECT event_id FROM ${staged(attempt)})`;

/** SQL: requests before the erasure that name the code, in their path or in a body that was refused. */
export const requestsAbout = (erasures: readonly Erased[]): string => {
  const gone = erasures.filter(({ what }) => what === 'code');
  const ids = literals(gone.map(({ codeId }) => codeId));
  return `workspace_id IN (${literals([...new Set(gone.map(({ workspaceId }) => workspaceId))])})
    AND at <= ${instant(Math.max(...gone.map(({ askedMs }) => askedMs)))}
    AND (multiSearchAny(path, [${ids}]) OR multiSearchAny(body, [${ids}]))`;
};

/** A request is logged so much later than it was made, at most. The clocks of databases differ by less. */
const loggedMsMax = 3_600_000;

/**
 * SQL: the codes that still have something to erase. A segment of scans that is sent again may add rows to the log and to the days,
 * and none to the scans. The log is read from the time of the first erasure: the rounds have removed its earlier rows.
 */
export const codesLeft = (erasures: readonly Erased[]): string => {
  const single = erasedScans(erasures);
  const askedMs = Math.min(...erasures.map((erasure) => erasure.askedMs));
  const left = {
    scans: single,
    conversions: single,
    scan_log: `${single} AND recorded_at >= ${instant(askedMs - loggedMsMax)}`,
    scans_daily: erasedDays(erasures),
    scans_daily_breakdown: erasedDays(erasures),
  };
  return Object.entries(left)
    .map(([table, where]) => `SELECT DISTINCT code_id AS id FROM ${table} WHERE ${where}`)
    .join(' UNION DISTINCT ');
};

/** SQL: codes that requests of the time before their erasures name. */
export const codesInRequests = (erasures: readonly Erased[]): string =>
  `SELECT DISTINCT arrayJoin(arrayFilter(id -> position(path, id) > 0 OR position(body, id) > 0,
     [${literals(erasures.map(({ codeId }) => codeId))}])) AS id
   FROM request_log
   WHERE ${requestsAbout(erasures)} AND at > ${instant(Math.min(...erasures.map(({ askedMs }) => askedMs)) - loggedMsMax)}`;

/** Processes that hold counts of these codes count again. */
export const tellChanged = (erasures: readonly Erased[]): string =>
  `INSERT INTO scan_changes (recorded_at, code_id)
   SELECT now64(3), arrayJoin([${literals([...new Set(erasures.map(({ codeId }) => codeId))])}])`;
