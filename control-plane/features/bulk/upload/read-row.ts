/** A row of the sheet → the body of a create. */
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import type { Style } from '#schemas/api/style.ts';
import { isCellError } from '../../../spreadsheets/spreadsheet.ts';
import { checkBody } from './check-body.ts';
import type { Cells } from './columns.ts';
import { type Fault, RowRefusal } from './faults.ts';
import { readData } from './row-data.ts';
import { readLimits } from './row-limits.ts';
import { type FrameOfKit, readStyle } from './row-style.ts';
import type { SheetRow } from './sheet-rows.ts';

export interface RowOptions {
  schema: ReturnType<typeof createCodeBodies>['row'];
  batchStyle: Style;
  frameOfKit: FrameOfKit;
  now: Date;
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

const refuseAll = (faults: readonly Fault[]): undefined => {
  if (faults.length > 0) throw new RowRefusal(faults);
};

/** Does all of it, so that a person reads of all faults at once. @throws {RowRefusal} */
const gather = async <T extends unknown[]>(
  ...parts: { [At in keyof T]: () => Promise<T[At]> | T[At] }
): Promise<T> => {
  const faults: Fault[] = [];
  const results: unknown[] = [];
  for (const part of parts) {
    try {
      results.push(await part());
    } catch (error) {
      if (!(error instanceof RowRefusal)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new RowRefusal(faults);
  return results as T;
};

/** @throws {RowRefusal} with all faults that are found */
export const readRow = async (
  { cells, faults, warnings }: Pick<SheetRow, 'cells' | 'faults' | 'warnings'>,
  options: RowOptions,
): Promise<ReadRow> => {
  const { schema, batchStyle, frameOfKit, now } = options;
  const [, data, style, limits] = await gather<
    [undefined, ReturnType<typeof readData>, Awaited<ReturnType<typeof readStyle>>, Record<string, unknown>]
  >(
    () => refuseAll([...faults, ...errorsOf(cells)]),
    () => readData(cells),
    () => readStyle(cells, batchStyle, frameOfKit),
    () => readLimits(cells, now),
  );
  const body = {
    ...style.style,
    ...(cells.name !== undefined && { name: cells.name }),
    dataType: data.dataType,
    data: data.data,
    ...limits,
  };
  checkBody(schema, body, cells);
  return { body, warnings: [...warnings, ...data.warnings, ...style.warnings] };
};
