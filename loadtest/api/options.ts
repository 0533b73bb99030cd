/** The command line of the API's load test. */
import { kuttContents, parseCount, parseFlags, parseFolder, parseWords } from '../command-line/flags.ts';

/** The first words of the names of the rounds. */
const roundWords = ['list', 'read', 'create', 'update'] as const;

export interface Options {
  quick: boolean;
  /** Codes in the workspace that is listed. */
  codes: number;
  kuttCheckout: string | undefined;
  /** The first words of the names of the rounds to run. */
  only: readonly string[];
  /** Another build's folder. */
  build: string | undefined;
}

export const usage = `Usage: npm run loadtest -- api [--quick] [--codes NUMBER] [--only WORD,WORD] [--kutt PATH] [--build FOLDER]
  --quick            short rounds: to see that it works, not to quote
  --codes NUMBER     codes in the workspace that is listed; default a million
  --only WORD,WORD   rounds whose name begins with one of them: ${roundWords.join(', ')}
  --kutt PATH        also measures Kutt's create, from a checkout of version 3 with its packages installed
  --build FOLDER     measures the control plane of another build`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({
    args,
    options: {
      quick: { type: 'boolean' },
      codes: { type: 'string' },
      only: { type: 'string' },
      kutt: { type: 'string' },
      build: { type: 'string' },
    },
  });
  return {
    quick: values.quick ?? false,
    codes: parseCount('codes', values.codes ?? '1000000'),
    only: parseWords(values.only, 'round', roundWords),
    kuttCheckout: parseFolder('kutt', values.kutt, kuttContents),
    build: parseFolder('build', values.build, ['control-plane/main.ts']),
  };
};
