/** What a row of the table is given. */
import type { Environment } from './environment.ts';
import type { Options } from './options.ts';
import type { RoundsOptions } from './rounds.ts';
import { startRedirector, type Waymark, type WaymarkOptions } from './waymark.ts';

export interface Context {
  environment: Environment;
  options: Options;
  closedLoop: RoundsOptions;
  openLoop: RoundsOptions;
  /** The redirector under test, which --redirector may replace. */
  start(options?: WaymarkOptions): Promise<Waymark>;
  /** One line of progress. */
  say(line: string): void;
}

export const createContext = (
  environment: Environment,
  options: Options,
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
