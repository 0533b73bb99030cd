/** The command line of the load test of verifications. */
import { parseFlags, parseWords } from '../command-line/flags.ts';

export const rowNames = ['forged', 'genuine', 'firsts'] as const;
export type RowName = (typeof rowNames)[number];

export interface Options {
  quick: boolean;
  only: readonly RowName[];
}

export const usage = `Usage: npm run loadtest -- verify [--quick] [--only ROW,ROW]
  --quick            one short round: to see that it works, not to quote
  --only ROW,ROW     the rows to measure: ${rowNames.join(', ')}`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({
    args,
    options: { quick: { type: 'boolean' }, only: { type: 'string' } },
  });
  return { quick: values.quick ?? false, only: parseWords(values.only, 'row', rowNames) };
};
