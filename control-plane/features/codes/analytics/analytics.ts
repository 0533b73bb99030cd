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

/** One row per day with scans, and one with an empty date for the whole window. */
interface DayRow {
  date: string;
  scans: string;
  uniqueScans: string;
}

interface BreakdownRow {
  dimension: string;
  value: string;
  scans: string;
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
  const [dayRows, breakdownRows] = await Promise.all([
    ask<DayRow>(clickhouse, timezone === 'UTC' ? daysInUtc : daysInZone, scope),
    ask<BreakdownRow>(clickhouse, timezone === 'UTC' ? breakdownsInUtc : breakdownsInZone, scope),
  ]);
  const byDate = new Map(dayRows.map((row) => [row.date, row]));
  const numbers = (date: string) => ({
    scans: Number(byDate.get(date)?.scans ?? 0),
    uniqueScans: Number(byDate.get(date)?.uniqueScans ?? 0),
  });
  const whole = numbers(wholeWindow);
  const by = (dimension: string) =>
    breakdownRows
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

const daysInUtc = `
  SELECT day AS date, sum(scans) AS scans, uniqMerge(visitors) AS uniqueScans
  FROM scans_daily
  WHERE workspace_id = {workspaceId:String} AND code_id = {codeId:String}
    AND day BETWEEN {from:Date} AND {to:Date}
  GROUP BY GROUPING SETS ((day), ())`;

const breakdownsInUtc = `
  SELECT dimension, value, sum(scans) AS scans
  FROM scans_daily_breakdown
  WHERE workspace_id = {workspaceId:String} AND code_id = {codeId:String}
    AND day BETWEEN {from:Date} AND {to:Date}
  GROUP BY dimension, value
  ORDER BY scans DESC, value
  LIMIT ${breakdownValuesMax} BY dimension`;

// The rollups have UTC days; for other zones the single scans are counted. No zone is more than 14 hours from UTC, so
// the bounds on ts let the primary key skip the rest.
const scansInZone = `
  FROM scans
  WHERE workspace_id = {workspaceId:String} AND code_id = {codeId:String} AND kind = 'scan'
    AND ts >= toDateTime({from:Date}, 'UTC') - INTERVAL 14 HOUR
    AND ts < toDateTime({to:Date}, 'UTC') + INTERVAL 38 HOUR
    AND toDate(ts, {timezone:String}) BETWEEN {from:Date} AND {to:Date}`;

const daysInZone = `
  SELECT toDate(ts, {timezone:String}) AS date, count() AS scans, uniq(visitor) AS uniqueScans
  ${scansInZone}
  GROUP BY GROUPING SETS ((date), ())`;

const breakdownsInZone = `
  SELECT breakdown.1 AS dimension, breakdown.2 AS value, count() AS scans
  FROM (
    SELECT arrayJoin([
      ('country', toString(country)), ('device', toString(device)), ('os', toString(os)),
      ('browser', toString(browser)), ('referrer', referrer_host), ('source', source),
      ('variant', variant_id), ('rule', rule_id)
    ]) AS breakdown
    ${scansInZone}
  )
  WHERE value != ''
  GROUP BY dimension, value
  ORDER BY scans DESC, value
  LIMIT ${breakdownValuesMax} BY dimension`;

const ask = async <Row>(clickhouse: ClickHouseClient, query: string, scope: Scope): Promise<Row[]> => {
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
