/** A row of the sheet → the body of a create. */
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import type { Style } from '#schemas/api/style.ts';
import { isCellError } from '../../../platform/spreadsheets/spreadsheet.ts';
import { checkBody } from './check-body.ts';
import type { Cells } from './columns.ts';
import { attempt, type Fault, faultInSheet, inSheetWords, RowRefusal, type SheetNames } from './faults.ts';
import { readData } from './row-data.ts';
import { orderingOf, passwordOf, readLimits } from './row-limits.ts';
import { type FrameOfKit, readStyle } from './row-style.ts';
import type { SheetRow } from './sheet-rows.ts';

export interface RowOptions {
  schema: ReturnType<typeof createCodeBodies>['row'];
  batchStyle: Style;
  frameOfKit: FrameOfKit;
  now: Date;
  names: SheetNames;
}

export interface ReadRow {
  body: Record<string, unknown>;
  warnings: string[];
}

const errorsOf = (cells: Cells): Fault[] =>
  Object.entries(cells).flatMap(([column, text]): Fault[] =>
    isCellError(text)
      ? [{ column, message: `${column} holds the error ${text} of a formula; correct it in the sheet` }]
      : [],
  );

/** Stands in for content that is invalid, so that the rest of the row is checked. */
const unknownData = { dataType: 'text', data: '-', warnings: [] } as const;

/** @throws {RowRefusal} with all faults found */
export const readRow = async (
  row: Pick<SheetRow, 'cells' | 'faults' | 'warnings'>,
  { schema, batchStyle, frameOfKit, now, names }: RowOptions,
): Promise<ReadRow> => {
  const { cells } = row;
  const errors = errorsOf(cells);
  const faults: Fault[] = [];
  const data = (await attempt(faults, () => readData(cells))) ?? unknownData;
  const style = await attempt(faults, () => readStyle(cells, batchStyle, frameOfKit));
  const limits = await attempt(faults, () => readLimits(cells, now));
  const body = {
    ...style?.style,
    ...(cells.name !== undefined && { name: cells.name }),
    ...(cells.externalId !== undefined && { externalId: cells.externalId }),
    ...(cells.notes !== undefined && { notes: cells.notes }),
    ...(cells.alias !== undefined && { alias: cells.alias }),
    ...(cells.aliasDomain !== undefined && { aliasDomain: cells.aliasDomain }),
    dataType: data.dataType,
    data: data.data,
    ...orderingOf(cells),
    ...passwordOf(cells),
    ...limits,
  };
  await attempt(faults, () => checkBody(schema, body, cells));
  const others = faults.filter(({ column }) => !errors.some((error) => error.column === column));
  const all = [...row.faults, ...[...errors, ...others].map((fault) => faultInSheet(fault, names))];
  if (all.length > 0) throw new RowRefusal(all);
  const warnings = [...data.warnings, ...(style?.warnings ?? [])];
  return { body, warnings: [...row.warnings, ...warnings.map((each) => inSheetWords(each, names))] };
};
