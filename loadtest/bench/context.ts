/** The things that every row of the table works with. */
import type { Environment } from './environment.ts';
import type { RoundsOptions } from './rounds.ts';
import { startRedirector, type Waymark, type WaymarkOptions } from './waymark.ts';

/** Options of the command line that rows look at. */
export interface RowOptions {
  quick: boolean;
  kuttCheckout: string | undefined;
  /** Another build's redirector/main.ts. */
  redirector: string | undefined;
}

export interface Context {
  environment: Environment;
  options: RowOptions;
  closedLoop: RoundsOptions;
  openLoop: RoundsOptions;
  /** The redirector under test, which --redirector may replace. */
  start(options?: WaymarkOptions): Promise<Waymark>;
  /** One line of progress. */
  say(line: string): void;
}

export const createContext = (
  environment: Environment,
  options: RowOptions,
  say: (line: string) => void,
): Context => ({
  environment,
  options,
  closedLoop: options.quick ? { rounds: 1, seconds: 2 } : { rounds: 7, seconds: 2 },
  openLoop: options.quick ? { rounds: 1, seconds: 2 } : { rounds: 6, seconds: 2 },
  start: (waymark = {}) =>
    startRedirector(environment, {
      ...waymark,
      ...(options.redirector === undefined ? {} : { program: options.redirector }),
    }),
  say,
});
