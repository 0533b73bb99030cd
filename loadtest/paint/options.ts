/** The command line of the load test of paints. */
import { parseCount, parseFlags } from '../command-line/flags.ts';

export interface Options {
  /** Visits of each page. */
  visits: number;
}

const visitsDefault = 9;

export const usage = `Usage: npm run loadtest -- paint [--visits COUNT]
  --visits COUNT     of each example page; default ${visitsDefault}`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({ args, options: { visits: { type: 'string' } } });
  return { visits: values.visits === undefined ? visitsDefault : parseCount('visits', values.visits) };
};
