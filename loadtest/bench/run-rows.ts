/** The rows of a load test in turn. */
import { messageOf } from '#shared/errors.ts';

/** Rows that were not asked for are absent. A row that failed says why. */
export type Outcomes<Rows> = { [Name in keyof Rows]?: Rows[Name] | { failed: string } };

/** @param names of the rows, in the order in which they are measured */
export const runRows = async <Rows, Context>(
  measure: { [Name in keyof Rows]: (context: Context) => Promise<Rows[Name]> },
  names: readonly (keyof Rows & string)[],
  context: Context,
  say: (line: string) => void,
): Promise<Outcomes<Rows>> => {
  const outcomes: Outcomes<Rows> = {};
  for (const name of names) {
    const startMs = performance.now();
    try {
      outcomes[name] = await measure[name](context);
    } catch (error) {
      // The other rows are measured all the same.
      outcomes[name] = { failed: messageOf(error) };
      say(`${name} failed: ${error instanceof Error ? error.stack : error}`);
    }
    say(`${name}: ${Math.round((performance.now() - startMs) / 1000)} s`);
  }
  return outcomes;
};
