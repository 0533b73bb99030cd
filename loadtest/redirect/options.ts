/** The command line of the redirector's load test. */

import type { RowOptions } from '../bench/context.ts';
import { kuttContents, parseFile, parseFlags, parseFolder, parseWords } from '../command-line/flags.ts';

/** The rows of the table that can be asked for with --only. */
export const rowNames = [
  'servers',
  'misses',
  'million',
  'routing',
  'sync',
  'update',
  'kills',
  'events',
] as const;
export type RowName = (typeof rowNames)[number];

export interface Options extends RowOptions {
  /** Peers that are missing are installed by apt. */
  install: boolean;
  only: readonly RowName[];
  /** The name of this machine in the published ranges; undefined keeps nothing. */
  publish: string | undefined;
}

export const usage = `Usage: npm run loadtest -- redirect [--quick] [--install] [--only ROW,ROW] [--kutt PATH] [--redirector FILE] [--publish NAME]
  --quick            short rounds: to see that it works, not to quote
  --install          installs missing peers (wrk, nginx, haproxy) by apt, as root on Debian
  --only ROW,ROW     ${rowNames.join(', ')}
  --kutt PATH        also measures Kutt, from a checkout of version 3 with its packages installed
  --redirector FILE  measures another build's redirector/main.ts
  --publish NAME     adds the ratios to loadtest/published under this name of the machine`;

/** @param args those behind `redirect`. @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parse(args);
  return {
    quick: values.quick ?? false,
    install: values.install ?? false,
    only: parseWords(values.only, 'row', rowNames),
    kuttCheckout: parseFolder('kutt', values.kutt, kuttContents),
    redirector: parseFile('redirector', values.redirector),
    publish: values.publish,
  };
};

const parse = (args: string[]) =>
  parseFlags({
    args,
    options: {
      quick: { type: 'boolean' },
      install: { type: 'boolean' },
      only: { type: 'string' },
      kutt: { type: 'string' },
      redirector: { type: 'string' },
      publish: { type: 'string' },
    },
  });
