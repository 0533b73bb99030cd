/** The command line of the load test of webhooks. */
import { parseFlags, parseFolder, parseWords } from '../command-line/flags.ts';

export const rowNames = ['rate', 'delay', 'api', 'scans'] as const;
export type RowName = (typeof rowNames)[number];

export interface Options {
  quick: boolean;
  only: readonly RowName[];
  /** Another build's folder. */
  build: string | undefined;
  /** A folder for a CPU profile of the control plane. */
  profile: string | undefined;
}

export const usage = `Usage: npm run loadtest -- webhooks [--quick] [--only ROW,ROW] [--build FOLDER] [--profile FOLDER]
  --quick            short rounds of few deliveries: to see that it works, not to quote
  --only ROW,ROW     the rows to measure: ${rowNames.join(', ')}
  --build FOLDER     measures the control plane of another build
  --profile FOLDER   the control plane writes a CPU profile there when it ends`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({
    args,
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string' },
      build: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  return {
    quick: values.quick ?? false,
    only: parseWords(values.only, 'row', rowNames),
    build: parseFolder('build', values.build, ['control-plane/features/webhooks/delivery']),
    profile: parseFolder('profile', values.profile, ['.']),
  };
};
