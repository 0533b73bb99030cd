/** The command line of the load test of real scans. */

import type { RowOptions } from '../bench/context.ts';
import { parseFile, parseFlags, parseWords } from '../command-line/flags.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** The rows that can be asked for with --only, in their order. */
export const rowNames = [
  'keep-alive',
  'new-tcp',
  'rates',
  'tls',
  'tls-rates',
  'memory',
  'idle',
  'million',
  'trace',
] as const;
export type RowName = (typeof rowNames)[number];

export interface Options extends RowOptions {
  /** Peers that are missing are installed by apt. */
  install: boolean;
  only: readonly RowName[];
}

export const usage = `Usage: npm run loadtest -- real [--quick] [--install] [--only ROW,ROW] [--redirector FILE]
  --quick            short rounds: to see that it works, not to quote
  --install          installs missing programs (wrk, nginx, haproxy, caddy, openssl) by apt, as root on Debian
  --only ROW,ROW     ${rowNames.join(', ')}
  --redirector FILE  measures another build's redirector/main.ts`;

/** @param args those behind `real`. @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values, positionals } = parseFlags({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      install: { type: 'boolean' },
      only: { type: 'string' },
      redirector: { type: 'string' },
    },
  });
  if (positionals.length > 0) throw new UsageError(`real takes flags only; given: ${positionals.join(' ')}`);
  return {
    quick: values.quick ?? false,
    install: values.install ?? false,
    only: parseWords(values.only, 'row', rowNames),
    kuttCheckout: undefined,
    redirector: parseFile('redirector', values.redirector),
  };
};
