/** What is wrong with a row, for the person who sent the sheet. */

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

/** @throws {RowRefusal} */
export const refuseCell = (column: string, message: string): never => {
  throw new RowRefusal([{ column, message: `${column} ${message}` }]);
};
