/** What is wrong with a row, for the person who sent the sheet. */
import type { ColumnName } from './columns.ts';

export interface Fault {
  /** The name of the column, as the sheet has it; absent where it is about the row as a whole. */
  column?: string;
  /** A sentence that begins with the name of the column. */
  message: string;
}

/** A row that is excluded, with all that is known to be wrong with it. */
export class RowRefusal extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super('the row is not valid');
    this.faults = faults;
  }
}

/** Does one part of the work on a row, so that a person reads of the faults of all parts at once. @returns undefined where it is refused */
export const attempt = async <T>(faults: Fault[], work: () => Promise<T> | T): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RowRefusal)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
};

/** Our names of columns, with those that the sheet has. */
export type SheetNames = Partial<Record<ColumnName, string>>;

const nameIn = (names: SheetNames, column: string | undefined): string | undefined =>
  column !== undefined && Object.hasOwn(names, column) ? names[column as ColumnName] : undefined;

/** @param message that may begin with a name of ours @returns the same with the name that the sheet has */
export const inSheetWords = (message: string, names: SheetNames): string => {
  const [column = ''] = /^\w+/.exec(message) ?? [];
  const name = nameIn(names, column);
  return name === undefined ? message : name + message.slice(column.length);
};

/** @returns the fault by the names that the sheet has */
export const faultInSheet = ({ column, message }: Fault, names: SheetNames): Fault => {
  const named = nameIn(names, column) ?? column;
  return { ...(named !== undefined && { column: named }), message: inSheetWords(message, names) };
};

/** @throws {RowRefusal} */
export const refuseCell = (column: string, message: string): never => {
  throw new RowRefusal([{ column, message: `${column} ${message}` }]);
};
