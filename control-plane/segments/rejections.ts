/** Lines of a segment that are set aside: all are counted, and the first of them kept. */

/** Lines of a segment that are kept. */
const keptMax = 100;
/** Of a line that is kept. */
const charactersMax = 1_000;

/** A line that is not counted. */
export interface RejectedLine<Problem extends string = string> {
  /** From 1 on. */
  readonly line: number;
  readonly problem: Problem;
  /** As much of it as is kept, fit for PostgreSQL. */
  readonly content: string;
}

export interface Rejections<Problem extends string> {
  /** @param content as it was sent */
  add(line: number, problem: Problem, content: string): undefined;
  /** How many lines have each problem. */
  readonly counts: ReadonlyMap<Problem, number>;
  readonly total: number;
  /** The first of them, by their numbers. */
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
