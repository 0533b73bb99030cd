/** Parses the words of a command line into the flags of its verb. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Flags, UsageError, type Verb } from '../framework/verb.ts';

const optionsOf = ({ flags, switches = [] }: Verb): ParseArgsOptionsConfig =>
  Object.fromEntries([
    ...flags.map((flag) => [flag, { type: 'string' as const }]),
    ...switches.map((name) => [name, { type: 'boolean' as const }]),
  ]);

/** Node's own message speaks of a positional argument, which is misleading. */
const problemOf = (name: string, verb: Verb, args: string[], error: Error): string => {
  const code = 'code' in error ? error.code : undefined;
  const known = [...verb.flags, ...(verb.switches ?? [])].map((flag) => `--${flag}`);
  const takes = `${name} takes ${known.join(', ') || 'no flags'}`;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const unknown = args.find((arg) => arg.startsWith('-') && !known.includes(arg.replace(/=.*$/s, '')));
    return `${(unknown ?? 'A flag').replace(/=.*$/s, '')} is not a flag of ${name}; ${takes}`;
  }
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
    const word = /'([^']*)'/.exec(error.message)?.[1];
    return `${name} takes its values after flags, and "${word}" is after none; ${takes}`;
  }
  const flag = /'--([\w-]+)/.exec(error.message)?.[1];
  return flag === undefined || !verb.flags.includes(flag)
    ? error.message
    : `--${flag} needs a value; one that begins with a hyphen is written as --${flag}=<value>`;
};

/** @throws {UsageError} for a flag that the verb does not have, and for a value without a flag */
export const readFlags = (name: string, verb: Verb, args: string[]): Flags => {
  try {
    const given = Object.entries(parseArgs({ args, options: optionsOf(verb) }).values);
    return Object.fromEntries(given.map(([flag, value]) => [flag, String(value)]));
  } catch (error) {
    throw new UsageError(error instanceof Error ? problemOf(name, verb, args, error) : String(error));
  }
};
