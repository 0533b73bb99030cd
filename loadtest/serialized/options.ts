/** The command line of the load test of serialized codes. */
import { parseFlags, parseFolder, parseWords } from '../command-line/flags.ts';

export const rowNames = ['mint', 'downloads', 'images'] as const;
export type RowName = (typeof rowNames)[number];

export interface Options {
  quick: boolean;
  only: readonly RowName[];
  /** Another build's folder. */
  build: string | undefined;
}

export const usage = `Usage: npm run loadtest -- serialized [--quick] [--only ROW,ROW] [--build FOLDER]
  --quick            one short round of small batches: to see that it works, not to quote
  --only ROW,ROW     the rows to measure: ${rowNames.join(', ')}
  --build FOLDER     measures the control plane of another build`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({
    args,
    options: { quick: { type: 'boolean' }, only: { type: 'string' }, build: { type: 'string' } },
  });
  return {
    quick: values.quick ?? false,
    only: parseWords(values.only, 'row', rowNames),
    build: parseFolder('build', values.build, ['control-plane/features/serialized']),
  };
};
