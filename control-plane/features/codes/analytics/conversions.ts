/**
 * The figures of conversions, as every analytics shows them. `conversions` has the columns of the scans (schemas/clickhouse/0007),
 * and only this file knows that its rows may be there twice.
 */
import type { ConversionFigures } from '#schemas/api/conversion-figures.ts';
import { valueUnit } from '#schemas/api/conversions.ts';

/** SQL: the table, each conversion once. */
export const conversionsOnce = 'conversions FINAL';

/** SQL, at the end of such a statement. Both rows of a conversion have the time of its scan, and so are in one partition. */
export const onceSettings = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

/** SQL: the figures of the rows of a group. A scan may have several conversions, and is counted once. */
export const figureColumns = `count() AS conversions, uniqExact(event_id) AS convertedScans,
  sumMapIf([toString(currency)], [units], currency != '') AS sums`;

/** SQL: the column by which conversions are in a window. */
export const momentOf = { scanned: 'ts', occurred: 'occurred_at' } as const;

export interface FigureRow {
  conversions: string | number;
  convertedScans: string | number;
  /** Currencies, and the sum of each in its units. */
  sums: readonly [currencies: readonly string[], units: readonly (string | number)[]];
}

/** Before they are shown: sums that can be added up. */
export interface Converted {
  conversions: number;
  convertedScans: number;
  /** In ten-thousandths, by currency. */
  units: ReadonlyMap<string, number>;
}

export const nothingConverted: Converted = { conversions: 0, convertedScans: 0, units: new Map() };

export const convertedOf = ({
  conversions,
  convertedScans,
  sums: [currencies, units],
}: FigureRow): Converted => ({
  conversions: Number(conversions),
  convertedScans: Number(convertedScans),
  units: new Map(currencies.map((currency, at) => [currency, Number(units[at])])),
});

export const addConverted = (one: Converted, other: Converted): Converted => {
  const units = new Map(one.units);
  for (const [currency, amount] of other.units) units.set(currency, (units.get(currency) ?? 0) + amount);
  return {
    conversions: one.conversions + other.conversions,
    convertedScans: one.convertedScans + other.convertedScans,
    units,
  };
};

/** What is left of a whole without a part of it. */
export const restOf = (whole: Converted, part: Converted): Converted => {
  const units = [...whole.units].map(
    ([currency, amount]) => [currency, amount - (part.units.get(currency) ?? 0)] as const,
  );
  return {
    conversions: whole.conversions - part.conversions,
    convertedScans: whole.convertedScans - part.convertedScans,
    units: new Map(units.filter(([, amount]) => amount !== 0)),
  };
};

/** Exact for any figures that occur: a quotient of two counts, to six places. */
const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1e6) / 1e6;

/** @param scans of the same row; undefined if the conversions are not those of its scans */
export const shownFigures = (
  { conversions, convertedScans, units }: Converted,
  scans: number | undefined,
): ConversionFigures => ({
  count: conversions,
  convertedScans,
  ...(scans !== undefined && {
    rate: rateOf(convertedScans, scans),
    perScan: rateOf(conversions, scans),
  }),
  values: [...units]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, amount]) => ({ currency, value: amount / valueUnit })),
});
