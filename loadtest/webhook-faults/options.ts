/** The command line of the fault test of webhooks. */
import { parseCount, parseFlags } from '../command-line/flags.ts';
import { UsageError } from '../command-line/usage-error.ts';

export interface Options {
  codes: number;
  seconds: number;
  planeKills: number;
  postgresKills: number;
  jumps: number;
}

export const usage = `Usage: npm run loadtest -- webhook-faults [--codes N] [--seconds N] [--plane-kills N] [--postgres-kills N] [--jumps N]
  --codes N           codes whose creation five endpoints are told of; 2,000 by default, 20,000 at most
  --seconds N         how long they are created, at least; 90 by default, 3,600 at most
  --plane-kills N     how often a control plane is killed and started again; 12 by default
  --postgres-kills N  how often PostgreSQL is stopped or killed; 4 by default
  --jumps N           how often the clock jumps; 12 by default`;

const codesMax = 20_000;
const secondsMax = 3_600;

const parseAtMost = (flag: string, given: string, most: number): number => {
  const count = parseCount(flag, given);
  if (count <= most) return count;
  throw new UsageError(`--${flag} must be at most ${most}; given: ${given}`);
};

/** @throws {UsageError} */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseFlags({
    args,
    options: {
      codes: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: '90' },
      'plane-kills': { type: 'string', default: '12' },
      'postgres-kills': { type: 'string', default: '4' },
      jumps: { type: 'string', default: '12' },
    },
  });
  return {
    codes: parseAtMost('codes', values.codes, codesMax),
    seconds: parseAtMost('seconds', values.seconds, secondsMax),
    planeKills: parseCount('plane-kills', values['plane-kills'], 0),
    postgresKills: parseCount('postgres-kills', values['postgres-kills'], 0),
    jumps: parseCount('jumps', values.jumps, 0),
  };
};
