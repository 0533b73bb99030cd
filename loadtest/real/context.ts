/** The things that every row of the load test of real scans works with. */
import { type Context, openContext } from '../bench/context.ts';
import { createQuietRounds, type QuietRound } from '../bench/rounds.ts';
import type { Run } from '../load-test/load-test.ts';
import { type Codes, createCodes } from './codes.ts';
import { createServers, type Servers } from './servers.ts';

export interface RealContext extends Context {
  servers: Servers;
  codes: Codes;
  /** Repeats a round that others disturbed. A run has a few repetitions: on a busy machine it must end as well. */
  quietRound: QuietRound;
}

/** Rounds of a run that are measured once more. */
const repetitionsMax = 12;

export const environment = async (run: Run<{ redirector: string | undefined }>): Promise<RealContext> => {
  const context = await openContext(run);
  const servers = createServers(context);
  run.closer.add(() => servers.close());
  return {
    ...context,
    servers,
    codes: createCodes(context, servers),
    quietRound: createQuietRounds(repetitionsMax),
  };
};
