/** Scans of one code, by day, country, device and so on. */
import { breakdownValuesMax, type CodeAnalytics } from '#schemas/api/codes.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';

const dayMs = 86_400_000;

export interface AnalyticsWindow {
  days: number;
  /** IANA name, as the time zone database spells it. */
  timezone: string;
}

interface Scope {
  workspaceId: string;
  codeId: string;
  /** First and last day, `YYYY-MM-DD`. */
  from: string;
  to: string;
  timezone: string;
}

/**
 * Without a dimension: a day with scans, or, with the date {@link wholeWindow}, all of them. With one: a value of it, for
 * all days.
 */
interface Row {
  date: string;
  dimension: string;
  value: string;
  scans: string;
  uniqueScans: string;
}

/**
 * @throws {ClientError} UNAVAILABLE while ClickHouse does not answer: a total that may be wrong is not an answer here
 */
export const readAnalytics = async (
  clickhouse: ClickHouseClient,
  code: { id: string; workspaceId: string },
  { days, timezone }: AnalyticsWindow,
  now: Date,
): Promise<CodeAnalytics> => {
  const to = dayIn(timezone, now);
  const from = addDays(to, 1 - days);
  const scope = { workspaceId: code.workspaceId, codeId: code.id, from, to, timezone };
  const rows = await ask(clickhouse, timezone === 'UTC' ? inUtc : inZone, scope);
  const byDate = new Map(rows.filter(({ dimension }) => dimension === '').map((row) => [row.date, row]));
  const numbers = (date: string) => ({
    scans: Number(byDate.get(date)?.scans ?? 0),
    uniqueScans: Number(byDate.get(date)?.uniqueScans ?? 0),
  });
  const whole = numbers(wholeWindow);
  const by = (dimension: string) =>
    rows
      .filter((row) => row.dimension === dimension)
      .map((row) => ({ value: row.value, scans: Number(row.scans) }));
  return {
    id: code.id,
    days,
    from,
    to,
    timezone,
    totalScans: whole.scans,
    uniqueScans: whole.uniqueScans,
    series: Array.from({ length: days }, (_, day) => addDays(from, day)).map((date) => ({
      date,
      ...numbers(date),
    })),
    countries: by('country').map(({ value, scans }) => ({ country: value, scans })),
    devices: by('device').map(({ value, scans }) => ({ device: value, scans })),
    os: by('os').map(({ value, scans }) => ({ os: value, scans })),
    browsers: by('browser').map(({ value, scans }) => ({ browser: value, scans })),
    referrers: by('referrer').map(({ value, scans }) => ({ referrer: value, scans })),
    sources: by('source').map(({ value, scans }) => ({ source: value, scans })),
    variants: by('variant').map(({ value, scans }) => ({ variant: value, scans })),
    rules: by('rule').map(({ value, scans }) => ({ rule: value, scans })),
  };
};

/** The date of the row for the whole window: ClickHouse sets a date outside the grouping to its first day. */
const wholeWindow = '1970-01-01';

const ofCode = 'workspace_id = {workspaceId:String} AND code_id = {codeId:String}';

/** One query for both: each costs the embedded ClickHouse 5 ms before it reads anything. A window has fewer days than values. */
const together = (days: string, breakdowns: string): string => `
  SELECT * FROM (
    SELECT toString(day) AS date, '' AS dimension, '' AS value, scans, uniqueScans FROM (${days})
    UNION ALL
    SELECT '' AS date, toString(dimension) AS dimension, value, sum(counted) AS scans, 0 AS uniqueScans
    FROM (${breakdowns})
    GROUP BY dimension, value
  )
  ORDER BY scans DESC, value
  LIMIT ${breakdownValuesMax} BY dimension`;

const inUtc = together(
  `SELECT day, sum(scans) AS scans, uniqMerge(visitors) AS uniqueScans
   FROM scans_daily
   WHERE ${ofCode} AND day BETWEEN {from:Date} AND {to:Date}
   GROUP BY GROUPING SETS ((day), ())`,
  `SELECT dimension, value, scans AS counted
   FROM scans_daily_breakdown
   WHERE ${ofCode} AND day BETWEEN {from:Date} AND {to:Date}`,
);

// The rollups have UTC days. No zone is more than 14 hours from UTC, so a UTC day touches no local day but its own, the
// one before and the one after: all UTC days between the first and the last of the window are inside it, whatever the
// zone, its offset and its changes of the clock. The breakdowns of these come from the rollup. The scans of the
// window's ends, and every scan for the visitors of the local days, are counted one by one. The bounds on ts let the
// primary key skip the rest.
const inside = `kind = 'scan' AND toDate(ts, {timezone:String}) BETWEEN {from:Date} AND {to:Date}`;
const begins = `ts >= toDateTime({from:Date}, 'UTC') - INTERVAL 14 HOUR`;
const ends = `ts < toDateTime({to:Date}, 'UTC') + INTERVAL 38 HOUR`;

const inZone = together(
  `SELECT toDate(ts, {timezone:String}) AS day, count() AS scans, uniq(visitor) AS uniqueScans
   FROM scans
   WHERE ${ofCode} AND ${begins} AND ${ends} AND ${inside}
   GROUP BY GROUPING SETS ((day), ())`,
  `SELECT toString(dimension) AS dimension, value, scans AS counted
   FROM scans_daily_breakdown
   WHERE ${ofCode} AND day > {from:Date} AND day < {to:Date}
   UNION ALL
   SELECT breakdown.1 AS dimension, breakdown.2 AS value, 1 AS counted
   FROM (
     SELECT arrayJoin([
       ('country', toString(country)), ('device', toString(device)), ('os', toString(os)),
       ('browser', toString(browser)), ('referrer', referrer_host), ('source', source),
       ('variant', variant_id), ('rule', rule_id)
     ]) AS breakdown
     FROM scans
     WHERE ${ofCode} AND ${begins} AND ${ends} AND ${inside}
       AND (ts < toDateTime({from:Date} + 1, 'UTC') OR ts >= toDateTime({to:Date}, 'UTC'))
   )
   WHERE value != ''`,
);

const ask = async (clickhouse: ClickHouseClient, query: string, scope: Scope): Promise<Row[]> => {
  try {
    const result = await clickhouse.query({ query, query_params: { ...scope }, format: 'JSONEachRow' });
    return await result.json<Row>();
  } catch (cause) {
    throw new ClientError('UNAVAILABLE', 'Analytics are temporarily unavailable', { cause });
  }
};

/** The calendar day of an instant in a zone. */
const dayIn = (timezone: string, instant: Date): string => {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
};

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
