/** The command line of the load test of GS1 Digital Links. */
import { parseFlags } from '../command-line/flags.ts';

export interface Options {
  quick: boolean;
}

export const usage = `Usage: npm run loadtest -- gs1 [--quick]
  --quick            one short round: to see that it works, not to quote`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({ args, options: { quick: { type: 'boolean' } } });
  return { quick: values.quick ?? false };
};
