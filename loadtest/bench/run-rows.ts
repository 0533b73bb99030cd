/** The rows of a load test in turn. */
import { messageOf } from '#shared/errors.ts';

/** Rows that were not asked for are absent; a row that failed says why. */
export type Outcomes<Rows> = { [Name in keyof Rows]?: Rows[Name] | { failed: string } };

/** @param measure the rows in their order */
export const runRows = async <Rows, Context extends { say(line: string): void }>(
  measure: { [Name in keyof Rows]: (context: Context) => Promise<Rows[Name]> },
  only: readonly (keyof Rows & string)[],
  context: Context,
): Promise<Outcomes<Rows>> => {
  const outcomes: Outcomes<Rows> = {};
  for (const name of Object.keys(measure) as (keyof Rows & string)[]) {
    if (!only.includes(name)) continue;
    const startMs = performance.now();
    try {
      outcomes[name] = await measure[name](context);
    } catch (error) {
      // The other rows are measured all the same.
      outcomes[name] = { failed: messageOf(error) };
      context.say(`${name} failed: ${error instanceof Error ? error.stack : error}`);
    }
    context.say(`${name}: ${Math.round((performance.now() - startMs) / 1000)} s`);
  }
  return outcomes;
};
