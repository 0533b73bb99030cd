/** The command line of the API's load test. */
import { parseArgs } from 'node:util';
import { UsageError } from '../command-line/usage-error.ts';

export interface Options {
  quick: boolean;
  /** Codes in the workspace that is listed. */
  codes: number;
  kuttCheckout: string | undefined;
  /** Words of the names of the rounds; all rounds where there are none. */
  only: readonly string[];
  /** Another build's folder. */
  build: string | undefined;
}

export const usage = `Usage: npm run loadtest -- api [--quick] [--codes NUMBER] [--only WORD,WORD] [--kutt PATH] [--build FOLDER]
  --quick            short rounds: to see that it works, not to quote
  --codes NUMBER     codes in the workspace that is listed; default a million
  --only WORD,WORD   rounds whose name begins with one of them: list, read, create, update
  --kutt PATH        also measures Kutt's create, from a checkout of version 3 with its packages installed
  --build FOLDER     measures the control plane of another build`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  try {
    const { values } = parseArgs({
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
      codes: Number(values.codes ?? 1_000_000),
      only: values.only?.split(',') ?? [''],
      kuttCheckout: values.kutt,
      build: values.build,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};
