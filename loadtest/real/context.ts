/** The things that every row of the load test of real scans works with. */
import type { Context } from '../bench/context.ts';
import type { QuietRound } from '../bench/rounds.ts';
import type { Codes } from './codes.ts';
import type { Servers } from './servers.ts';

export interface RealContext extends Context {
  servers: Servers;
  codes: Codes;
  /** Repeats a round that others disturbed. A run has a few repetitions: on a busy machine it must end as well. */
  quietRound: QuietRound;
}
