/** Lines of a segment that are set aside: all are counted, and the first ones kept. */

/** Kept lines per segment. */
const keptMax = 100;
/** Per kept line. */
const charactersMax = 1_000;

/** A line that is not counted. */
export interface RejectedLine<Problem extends string = string> {
  /** Counted from 1. */
  readonly line: number;
  readonly problem: Problem;
  /** The kept part, fit for PostgreSQL. */
  readonly content: string;
}

export interface Rejections<Problem extends string> {
  /** @param content as sent */
  add(line: number, problem: Problem, content: string): undefined;
  /** The number of lines with each problem. */
  readonly counts: ReadonlyMap<Problem, number>;
  readonly total: number;
  /** The first ones, by line number. */
  kept(): readonly RejectedLine<Problem>[];
}

export const createRejections = <Problem extends string>(): Rejections<Problem> => {
  const counts = new Map<Problem, number>();
  let first: RejectedLine<Problem>[] = [];
  let total = 0;

  const kept = () => {
    first = first.sort((a, b) => a.line - b.line).slice(0, keptMax);
    return first;
  };

  return {
    add(line, problem, content) {
      total++;
      counts.set(problem, (counts.get(problem) ?? 0) + 1);
      const fit = content.slice(0, charactersMax).toWellFormed().replaceAll('\0', '\ufffd');
      first.push({ line, problem, content: fit });
      if (first.length > 2 * keptMax) kept();
      return undefined;
    },
    counts,
    get total() {
      return total;
    },
    kept,
  };
};
