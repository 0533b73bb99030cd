/** The command line of the rendering's load test. */
import { parseArgs } from 'node:util';
import { UsageError } from '../command-line/usage-error.ts';

export interface Options {
  quick: boolean;
  /** Words that the ids of rows begin with; all rows where there are none. */
  only: readonly string[];
  /** Another build's folder. */
  build: string | undefined;
}

export const usage = `Usage: npm run loadtest -- render [--quick] [--only WORD,WORD] [--build FOLDER]
  --quick            short rounds: to see that it works, not to quote
  --only WORD,WORD   rows whose id begins with one of them: svg, png, pdf, webp, proof, image, memory
  --build FOLDER     measures the rendering of another build`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  try {
    const { values } = parseArgs({
      args,
      options: { quick: { type: 'boolean' }, only: { type: 'string' }, build: { type: 'string' } },
    });
    return {
      quick: values.quick ?? false,
      only: values.only?.split(',') ?? [''],
      build: values.build,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};
