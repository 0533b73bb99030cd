/** The command line of the rendering's load test. */
import { parseFlags, parseFolder, parseWords } from '../command-line/flags.ts';
import { type LookId, looks } from './renderer.ts';

/** The words of `--only`: beginnings of the ids of rows, or the id of one look. */
const rowWords = [
  ...(['svg', 'png', 'pdf', 'webp', 'proof', 'image', 'memory'] as const),
  ...(Object.keys(looks) as LookId[]),
] as const;

export interface Options {
  quick: boolean;
  /** Beginnings of the ids of the rows to measure. */
  only: readonly string[];
  /** Another build's folder. */
  build: string | undefined;
}

export const usage = `Usage: npm run loadtest -- render [--quick] [--only WORD,WORD] [--build FOLDER]
  --quick            short rounds: to see that it works, not to quote
  --only WORD,WORD   rows whose id begins with one of them: ${rowWords.join(', ')}
  --build FOLDER     measures the rendering of another build`;

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({
    args,
    options: { quick: { type: 'boolean' }, only: { type: 'string' }, build: { type: 'string' } },
  });
  return {
    quick: values.quick ?? false,
    only: parseWords(values.only, 'row', rowWords),
    build: parseFolder('build', values.build, ['control-plane/rendering']),
  };
};
