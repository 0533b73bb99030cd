/** The command line of the chaos test of claims. */
import { parseCount, parseFlags } from '../command-line/flags.ts';
import { UsageError } from '../command-line/usage-error.ts';

export interface Options {
  units: number;
  redisKills: number;
  redisLosses: number;
  redirectorKills: number;
}

export const usage = `Usage: npm run loadtest -- claims [--units N] [--redis-kills N] [--redis-losses N] [--redirector-kills N]
  --units N             units that are each scanned five times; 10,000 by default, of 50,000 at most
  --redis-kills N       how often Redis is killed and started again; 6 by default
  --redis-losses N      after how many of these kills, the last ones, its file is gone; 2 by default
  --redirector-kills N  how often a redirector is; 6 by default`;

/** Of a batch. */
const unitsMax = 50_000;

const parseUnits = (given: string): number => {
  const units = parseCount('units', given);
  if (units <= unitsMax) return units;
  throw new UsageError(`--units must be at most ${unitsMax}; given: ${given}`);
};

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({
    args,
    options: {
      units: { type: 'string', default: '10000' },
      'redis-kills': { type: 'string', default: '6' },
      'redis-losses': { type: 'string', default: '2' },
      'redirector-kills': { type: 'string', default: '6' },
    },
  });
  return {
    units: parseUnits(values.units),
    redisKills: parseCount('redis-kills', values['redis-kills'], 0),
    redisLosses: parseCount('redis-losses', values['redis-losses'], 0),
    redirectorKills: parseCount('redirector-kills', values['redirector-kills'], 0),
  };
};
