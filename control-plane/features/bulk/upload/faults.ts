/** Faults of a row, worded for the author of the sheet. */
import type { ColumnName } from './columns.ts';

export interface Fault {
  /** The column's name in the sheet; absent if the fault concerns the whole row. */
  column?: string;
  /** A sentence that begins with the column's name. */
  message: string;
}

/** An excluded row, with all its known faults. */
export class RowRefusal extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super('the row is not valid');
    this.faults = faults;
  }
}

/**
 * Does one part of a row's work and collects its faults, so that the faults of all parts are reported at once.
 * @returns undefined if it is refused
 */
export const attempt = async <T>(faults: Fault[], work: () => Promise<T> | T): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RowRefusal)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
};

/** Our column names, with the names in the sheet. */
export type SheetNames = Partial<Record<ColumnName, string>>;

const nameIn = (names: SheetNames, column: string | undefined): string | undefined =>
  column !== undefined && Object.hasOwn(names, column) ? names[column as ColumnName] : undefined;

/** @param message that may begin with our name of a column @returns it with the name in the sheet */
export const inSheetWords = (message: string, names: SheetNames): string => {
  const [column = ''] = /^\w+/.exec(message) ?? [];
  const name = nameIn(names, column);
  return name === undefined ? message : name + message.slice(column.length);
};

/** @returns the fault with the names in the sheet */
export const faultInSheet = ({ column, message }: Fault, names: SheetNames): Fault => {
  const named = nameIn(names, column) ?? column;
  return { ...(named !== undefined && { column: named }), message: inSheetWords(message, names) };
};

/** @throws {RowRefusal} */
export const refuseCell = (column: string, message: string): never => {
  throw new RowRefusal([{ column, message: `${column} ${message}` }]);
};
