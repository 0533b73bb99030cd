/** The things that every row of the redirector's load tests works with. */
import type { Closer } from '#shared/lifecycle.ts';
import { type Environment, openEnvironment } from './environment.ts';
import type { RoundsOptions } from './rounds.ts';
import { startWaymark, type Waymark, type WaymarkOptions } from './waymark.ts';

export interface Context {
  environment: Environment;
  quick: boolean;
  closedLoop: RoundsOptions;
  openLoop: RoundsOptions;
  /** The redirector under test, which --redirector may replace. */
  start(options?: WaymarkOptions): Promise<Waymark>;
  /** One line of progress. */
  say(line: string): void;
}

interface Run {
  quick: boolean;
  say(line: string): void;
  closer: Closer;
  options: { redirector: string | undefined };
}

export const openContext = async ({ quick, say, closer, options }: Run): Promise<Context> => {
  const environment = await openEnvironment(closer);
  const program = options.redirector === undefined ? {} : { program: options.redirector };
  return {
    environment,
    quick,
    closedLoop: quick ? { rounds: 1, seconds: 2 } : { rounds: 7, seconds: 2 },
    openLoop: quick ? { rounds: 1, seconds: 2 } : { rounds: 6, seconds: 2 },
    start: (waymark = {}) => startWaymark(environment, { ...waymark, ...program }),
    say,
  };
};
