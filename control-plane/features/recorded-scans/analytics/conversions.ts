/** A workspace's conversions in the rows that its scans have. */
import type { ConversionTime } from '#schemas/api/conversion-figures.ts';
import type { ColumnFilter, ListFilter } from '#schemas/api/scan-filters.ts';
import {
  addConverted,
  type Converted,
  conversionsOnce,
  convertedOf,
  type FigureRow,
  figureColumns,
  momentOf,
  nothingConverted,
  onceSettings,
  restOf,
} from '../../codes/analytics/conversions.ts';
import { codesMax, type ValuesOf } from '../codes-of.ts';
import { columnOf, isAmong, type Selection, selected } from '../single-scans.ts';
import { instant, literals } from '../sql.ts';
import type { AskScans, Row } from './query.ts';
import { startOfRow } from './series.ts';
import type { ScanWindow } from './window.ts';

/** Which conversions, and by which time. */
export interface ConversionsAsked {
  selection: Selection;
  window: ScanWindow;
  time: ConversionTime;
  /** The names of events. */
  event: ListFilter | undefined;
}

const rowsOf = (found: readonly Row[]): (Row & FigureRow)[] => found as unknown as (Row & FigureRow)[];

const from = ({ selection, window, time, event }: ConversionsAsked): string => {
  const moment = momentOf[time];
  return `FROM ${conversionsOnce} WHERE ${selected(selection)} AND kind = 'scan'
    AND ${moment} >= ${instant(window.fromMs)} AND ${moment} < ${instant(window.toMs)}
    ${event ? `AND ${isAmong('event', event)}` : ''}`;
};

export interface ConversionSeries {
  total: Converted;
  /** By the start of the row. */
  rows: ReadonlyMap<number, Converted>;
}

/** @param starts where the rows of the window begin @throws {ClientError} as {@link AskScans} */
export const readConversionSeries = async (
  ask: AskScans,
  asked: ConversionsAsked,
  starts: readonly number[],
): Promise<ConversionSeries> => {
  const found = await ask(
    asked.selection.workspaceId,
    `SELECT ${startOfRow(`toDateTime(${momentOf[asked.time]})`, starts)} AS start, ${figureColumns}
     ${from(asked)} GROUP BY start WITH ROLLUP ${onceSettings}`,
  );
  const byStart = new Map(rowsOf(found).map((row) => [Number(row.start), convertedOf(row)]));
  return {
    // The rollup of the rows begins at 0, which no row does.
    total: byStart.get(0) ?? nothingConverted,
    rows: new Map(
      starts.map((startMs) => [startMs, byStart.get(Math.floor(startMs / 1000)) ?? nothingConverted]),
    ),
  };
};

export interface ConversionGroups {
  total: Converted;
  none: Converted;
  /** Of the values that were listed. */
  rows: ReadonlyMap<string, Converted>;
  other: Converted;
  /** Only by destination. */
  unknown?: Converted;
}

/** No value has it, since none has a control character. */
const others = '\u0001';

/** @param value SQL over `own`, which is the column as a text */
export const rowsBy = async (
  ask: AskScans,
  asked: ConversionsAsked,
  { column, value, order = '' }: { column: string; value: string; order?: string },
): Promise<Map<string, Converted>> => {
  const found = await ask(
    asked.selection.workspaceId,
    `SELECT ${value} AS value, ${figureColumns}
     FROM (SELECT toString(${column}) AS own, event_id, currency, units ${from(asked)})
     GROUP BY value ${order} ${onceSettings}`,
  );
  return new Map(rowsOf(found).map((row) => [String(row.value), convertedOf(row)]));
};

export const sumOf = (converted: Iterable<Converted>): Converted =>
  [...converted].reduce((sum, each) => addConverted(sum, each), nothingConverted);

/** By a column of the scans. A scan has one value, so that the converted scans of groups add up. @param listed values with a row */
export const readConversionsByColumn = async (
  ask: AskScans,
  asked: ConversionsAsked,
  column: ColumnFilter | 'code',
  listed: readonly string[],
): Promise<ConversionGroups> => {
  const isListed = listed.length === 0 ? '0' : `own IN (${literals(listed)})`;
  const rows = await rowsBy(ask, asked, {
    column: column === 'code' ? 'code_id' : columnOf[column],
    value: `if(own = '' OR ${isListed}, own, '${others}')`,
  });
  return {
    total: sumOf(rows.values()),
    none: rows.get('') ?? nothingConverted,
    other: rows.get(others) ?? nothingConverted,
    rows,
  };
};

/** By a fact of the codes, as {@link ValuesOf} tells it. Codes beyond {@link codesMax} are in `other`. */
export const readConversionsByCode = async (
  ask: AskScans,
  asked: ConversionsAsked,
  valuesOf: (ids: readonly string[]) => ReturnType<ValuesOf>,
  listed: readonly string[],
): Promise<ConversionGroups> => {
  const [codes, all] = await Promise.all([
    rowsBy(ask, asked, {
      column: 'code_id',
      value: 'own',
      order: `ORDER BY conversions DESC, value LIMIT ${codesMax}`,
    }),
    rowsBy(ask, asked, { column: 'code_id', value: `''` }),
  ]);
  const values = await valuesOf([...codes.keys()]);
  const total = sumOf(all.values());
  const rows = new Map<string, Converted>(listed.map((value) => [value, nothingConverted]));
  let none = nothingConverted;
  let other = restOf(total, sumOf(codes.values()));
  for (const [code, converted] of codes) {
    const own = values.get(code) ?? [];
    if (own.length === 0) none = addConverted(none, converted);
    for (const value of own) {
      const row = rows.get(value);
      if (row) rows.set(value, addConverted(row, converted));
      else other = addConverted(other, converted);
    }
  }
  return { total, none, other, rows };
};
