/** Scans of one code, by day, country, device and so on. */

import { breakdownValuesMax, type CodeAnalytics } from '#schemas/api/codes.ts';
import type { ConversionTime } from '#schemas/api/conversion-figures.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import { addDays, type Calendar, calendarOf, dayMs, startOf } from './calendar.ts';
import { readCodeConversions } from './code-conversions.ts';

export interface AnalyticsWindow {
  /** Which conversions are added, if any are. */
  conversions?: ConversionTime | undefined;
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

/** The window in another zone, as UTC. Moments are `YYYY-MM-DD HH:MM:SS.mmm`, and ends are outside. */
interface ZoneScope extends Scope {
  begin: string;
  end: string;
  /** The whole UTC days of the window lie between these two. Without such a day, the head is the whole window. */
  headEnd: string;
  tailBegin: string;
  /** The same as days. */
  firstDay: string;
  dayAfter: string;
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
  window: AnalyticsWindow,
  now: Date,
): Promise<CodeAnalytics> => {
  const scans = await readScans(clickhouse, code, window, now);
  if (window.conversions === undefined) return scans;
  const dayAt = calendarOf(window.timezone);
  return {
    ...scans,
    conversions: await readCodeConversions(clickhouse, {
      workspaceId: code.workspaceId,
      scans,
      window: { fromMs: startOf(scans.from, dayAt), toMs: startOf(addDays(scans.to, 1), dayAt) },
      time: window.conversions,
    }),
  };
};

const readScans = async (
  clickhouse: ClickHouseClient,
  code: { id: string; workspaceId: string },
  { days, timezone }: AnalyticsWindow,
  now: Date,
): Promise<CodeAnalytics> => {
  const dayAt = calendarOf(timezone);
  const to = dayAt(now.getTime());
  const from = addDays(to, 1 - days);
  const scope = { workspaceId: code.workspaceId, codeId: code.id, from, to, timezone };
  const [dayRows, breakdownRows] = await (timezone === 'UTC'
    ? askBoth(clickhouse, daysInUtc, breakdownsInUtc, scope)
    : askBoth(clickhouse, daysInZone, breakdownsInZone, zoneScopeOf(scope, dayAt)));
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

// Days that are being erased may be below zero for a while.
const daysInUtc = `
  SELECT day AS date, greatest(toInt64(sum(scans)), 0) AS scans, uniqMerge(visitors) AS uniqueScans
  FROM scans_daily
  WHERE workspace_id = {workspaceId:String} AND code_id = {codeId:String}
    AND day BETWEEN {from:Date} AND {to:Date}
  GROUP BY GROUPING SETS ((day), ())`;

const breakdownsInUtc = `
  SELECT dimension, value, greatest(toInt64(sum(scans)), 0) AS scans
  FROM scans_daily_breakdown
  WHERE workspace_id = {workspaceId:String} AND code_id = {codeId:String}
    AND day BETWEEN {from:Date} AND {to:Date}
  GROUP BY dimension, value
  ORDER BY scans DESC, value
  LIMIT ${breakdownValuesMax} BY dimension`;

// The rollups have UTC days. The breakdowns of another zone's window are the sum of the UTC days that are wholly inside
// it and of the single scans at its two ends, together less than two days. That is exact for any offset, and for days of
// 23 and 25 hours. Visitors cannot be added up: for the local days every scan is read. ClickHouse is given the ends as
// constants: to plan a query that calculates them, or filters by local day, takes it 7 ms more.
const ofCode = `workspace_id = {workspaceId:String} AND code_id = {codeId:String} AND kind = 'scan'`;
const moment = (name: string) => `{${name}:DateTime64(3, 'UTC')}`;

const daysInZone = `
  SELECT toDate(ts, {timezone:String}) AS date, count() AS scans, uniq(visitor) AS uniqueScans
  FROM scans
  WHERE ${ofCode} AND ts >= ${moment('begin')} AND ts < ${moment('end')}
  GROUP BY GROUPING SETS ((date), ())`;

const breakdownsInZone = `
  SELECT dimension, value, greatest(toInt64(sum(counted)), 0) AS scans
  FROM (
    SELECT toString(dimension) AS dimension, value, scans AS counted
    FROM scans_daily_breakdown
    WHERE workspace_id = {workspaceId:String} AND code_id = {codeId:String}
      AND day >= {firstDay:Date} AND day < {dayAfter:Date}
    UNION ALL
    SELECT breakdown.1 AS dimension, breakdown.2 AS value, 1 AS counted
    FROM (
      SELECT arrayJoin([
        ('country', toString(country)), ('device', toString(device)), ('os', toString(os)),
        ('browser', toString(browser)), ('referrer', referrer_host), ('source', source),
        ('variant', variant_id), ('rule', rule_id)
      ]) AS breakdown
      FROM scans
      WHERE ${ofCode} AND (
        ts >= ${moment('begin')} AND ts < ${moment('headEnd')} OR ts >= ${moment('tailBegin')} AND ts < ${moment('end')}
      )
    )
    WHERE value != ''
  )
  GROUP BY dimension, value
  ORDER BY scans DESC, value
  LIMIT ${breakdownValuesMax} BY dimension`;

const askBoth = (clickhouse: ClickHouseClient, days: string, breakdowns: string, scope: Scope) =>
  Promise.all([ask<DayRow>(clickhouse, days, scope), ask<BreakdownRow>(clickhouse, breakdowns, scope)]);

const ask = async <Row>(clickhouse: ClickHouseClient, query: string, scope: Scope): Promise<Row[]> => {
  try {
    const result = await clickhouse.query({ query, query_params: { ...scope }, format: 'JSONEachRow' });
    return await result.json<Row>();
  } catch (cause) {
    throw new ClientError('UNAVAILABLE', 'Analytics are temporarily unavailable', { cause });
  }
};

const momentOf = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ');

const zoneScopeOf = (scope: Scope, dayAt: Calendar): ZoneScope => {
  const [beginMs, endMs] = [startOf(scope.from, dayAt), startOf(addDays(scope.to, 1), dayAt)];
  const [firstDayMs, dayAfterMs] = [Math.ceil(beginMs / dayMs) * dayMs, Math.floor(endMs / dayMs) * dayMs];
  const hasWholeDay = firstDayMs < dayAfterMs;
  const headEnd = momentOf(hasWholeDay ? firstDayMs : endMs);
  const tailBegin = momentOf(hasWholeDay ? dayAfterMs : endMs);
  return {
    ...scope,
    begin: momentOf(beginMs),
    end: momentOf(endMs),
    headEnd,
    tailBegin,
    firstDay: headEnd.slice(0, 10),
    dayAfter: tailBegin.slice(0, 10),
  };
};
