/** The conversions of one code, in the rows of its analytics. */

import type { CodeAnalytics } from '#schemas/api/codes.ts';
import type { ConversionTime } from '#schemas/api/conversion-figures.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import {
  type Converted,
  conversionsOnce,
  convertedOf,
  type FigureRow,
  figureColumns,
  momentOf,
  nothingConverted,
  onceSettings,
  shownFigures,
} from './conversions.ts';

interface DimensionRow extends FigureRow {
  dimension: 'date' | 'variant' | 'rule' | 'total';
  value: string;
}

/** A code has 50 rules and 50 variants at a time, and a window 90 days. */
const rowsMax = 2_000;

const ask = async (
  clickhouse: ClickHouseClient,
  time: ConversionTime,
  given: Readonly<Record<string, string | number>>,
): Promise<DimensionRow[]> => {
  const moment = momentOf[time];
  const query = `
    SELECT
      multiIf(grouping(date) = 0, 'date', grouping(variant_id) = 0, 'variant', grouping(rule_id) = 0, 'rule', 'total') AS dimension,
      multiIf(grouping(date) = 0, toString(date), grouping(variant_id) = 0, variant_id, rule_id) AS value,
      ${figureColumns}
    FROM (
      SELECT toDate(${moment}, {timezone:String}) AS date, variant_id, rule_id, event_id, currency, units
      FROM ${conversionsOnce}
      WHERE workspace_id = {workspaceId:String} AND code_id = {codeId:String} AND kind = 'scan'
        AND ${moment} >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
        AND ${moment} < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
    )
    GROUP BY GROUPING SETS ((date), (variant_id), (rule_id), ())
    ORDER BY conversions DESC, value LIMIT ${rowsMax} ${onceSettings}`;
  try {
    const result = await clickhouse.query({ query, query_params: given, format: 'JSONEachRow' });
    return await result.json<DimensionRow>();
  } catch (cause) {
    throw new ClientError('UNAVAILABLE', 'Analytics are temporarily unavailable', { cause });
  }
};

export interface CodeWindow {
  fromMs: number;
  toMs: number;
}

/** @param scans the code's analytics, without conversions @throws {ClientError} UNAVAILABLE while ClickHouse does not answer */
export const readCodeConversions = async (
  clickhouse: ClickHouseClient,
  {
    workspaceId,
    scans,
    window,
    time,
  }: {
    workspaceId: string;
    scans: CodeAnalytics;
    window: CodeWindow;
    time: ConversionTime;
  },
): Promise<CodeAnalytics['conversions']> => {
  const { id: codeId, timezone } = scans;
  const found = await ask(clickhouse, time, { workspaceId, codeId, timezone, ...window });
  const by = (dimension: DimensionRow['dimension']): Map<string, Converted> =>
    new Map(
      found
        .filter((row) => row.dimension === dimension && (row.value !== '' || dimension === 'total'))
        .map((row) => [row.value, convertedOf(row)]),
    );
  const rated = (converted: Converted, scanned: number) =>
    shownFigures(converted, time === 'scanned' ? scanned : undefined);
  const [days, variants, rules] = [by('date'), by('variant'), by('rule')];
  const scansOf = new Map([
    ...scans.variants.map(({ variant, scans: made }) => [`variant ${variant}`, made] as const),
    ...scans.rules.map(({ rule, scans: made }) => [`rule ${rule}`, made] as const),
  ]);
  return {
    ...rated([...by('total').values()][0] ?? nothingConverted, scans.totalScans),
    series: scans.series.map(({ date, scans: made }) => ({
      date,
      ...rated(days.get(date) ?? nothingConverted, made),
    })),
    variants: [...variants].map(([variant, converted]) => ({
      variant,
      ...rated(converted, scansOf.get(`variant ${variant}`) ?? 0),
    })),
    rules: [...rules].map(([rule, converted]) => ({
      rule,
      ...rated(converted, scansOf.get(`rule ${rule}`) ?? 0),
    })),
  };
};
