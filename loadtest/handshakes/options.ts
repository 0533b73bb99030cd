/** The command line of the load test of handshakes. */
import { parseFlags } from '../command-line/flags.ts';

export interface Options {
  quick: boolean;
}

export const usage = `Usage: npm run loadtest -- handshakes [--quick]
  --quick   one short round: to see that it works, not to quote`;

/** @param args those behind `handshakes`. @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({ args, options: { quick: { type: 'boolean' } } });
  return { quick: values.quick ?? false };
};
