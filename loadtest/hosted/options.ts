/** The command line of the load test of hosted pages. */
import { parseFlags, parseFolder, parseWords } from '../command-line/flags.ts';

export const pageNames = ['landing-page', 'menu', 'form'] as const;
export type PageName = (typeof pageNames)[number];

export interface Options {
  quick: boolean;
  only: readonly PageName[];
  /** Another build's folder. */
  build: string | undefined;
}

export const usage = `Usage: npm run loadtest -- hosted [--quick] [--only PAGE,PAGE] [--build FOLDER]
  --quick            short rounds, to see that it works; not to be quoted
  --only PAGE,PAGE   the pages to measure: ${pageNames.join(', ')}
  --build FOLDER     measures the control plane of another build`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({
    args,
    options: { quick: { type: 'boolean' }, only: { type: 'string' }, build: { type: 'string' } },
  });
  return {
    quick: values.quick ?? false,
    only: parseWords(values.only, 'page', pageNames),
    build: parseFolder('build', values.build, ['control-plane/features/hosted']),
  };
};
