/**
 * The flags of a load test as data. The parser, its messages and the usage come from one declaration, so that a bound is written
 * once. The parser refuses everything else before anything starts, and its message names the flag.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '#shared/errors.ts';
import { UsageError } from './usage-error.ts';

interface Described {
  /** For the usage. Defaults, bounds and words are added to it. */
  help: string;
}

/** @property takes the placeholder of the value in the usage, such as `FILE` */
export type Flag = Described &
  (
    | { kind: 'switch' }
    | { kind: 'text'; takes: string }
    /** A whole number from `least` (1 by default) to `most`. */
    | { kind: 'count'; takes: string; default: number; least?: number; most?: number }
    /** Words with commas between them. Without the flag, all words. */
    | { kind: 'words'; takes: string; noun: string; words: readonly string[] }
    | { kind: 'file'; takes: string }
    /** A folder that has these paths. */
    | { kind: 'folder'; takes: string; contents: readonly string[] }
  );

/** By their names on the command line. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F extends Flag> = F extends { kind: 'switch' }
  ? boolean
  : F extends { kind: 'count' }
    ? number
    : F extends { kind: 'words'; words: readonly (infer Word)[] }
      ? readonly Word[]
      : string | undefined;

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The values of flags. A flag such as `redis-kills` becomes `redisKills`. */
export type OptionsOf<F extends Flags> = { [Name in keyof F as CamelCase<Name>]: ValueOf<F[Name]> };

/** The flag that most load tests have. */
export const quick = { kind: 'switch', help: 'short rounds: to see that it works, not to quote' } as const;

/** Another build, by its folder. @param contents a path that the build must have */
export const build = (contents: string) =>
  ({
    kind: 'folder',
    takes: 'FOLDER',
    contents: [contents],
    help: 'measures the control plane of another build',
  }) as const;

/** The contents of a checkout of Kutt once its packages are installed. */
export const kuttContents = ['server/server.js', 'node_modules'] as const;

/** @throws {UsageError} for a word that does not exist, or is empty */
const parseWords = (given: string, { noun, words }: Extract<Flag, { kind: 'words' }>): readonly string[] => {
  const asked = given.split(',');
  const all = `there are ${words.join(', ')}`;
  if (asked.includes(''))
    throw new UsageError(
      `--only must be the names of ${noun}s, separated by commas; given: "${given}"; ${all}`,
    );
  const unknown = asked.filter((word) => !words.includes(word));
  if (unknown.length > 0) throw new UsageError(`there is no ${noun} ${unknown.join(', ')}; ${all}`);
  return asked;
};

const parseCount = (
  name: string,
  given: string,
  { least = 1, most = Number.POSITIVE_INFINITY }: Extract<Flag, { kind: 'count' }>,
): number => {
  const count = Number(given);
  if (given === '' || !Number.isSafeInteger(count) || count < least)
    throw new UsageError(`--${name} must be a whole number from ${least}; given: ${given}`);
  if (count > most) throw new UsageError(`--${name} must be at most ${most}; given: ${given}`);
  return count;
};

const parseValue = (name: string, flag: Flag, given: string | boolean | undefined): unknown => {
  if (flag.kind === 'switch') return given === true;
  if (typeof given !== 'string') {
    if (flag.kind === 'count') return flag.default;
    return flag.kind === 'words' ? flag.words : undefined;
  }
  if (flag.kind === 'count') return parseCount(name, given, flag);
  if (flag.kind === 'words') return parseWords(given, flag);
  if (flag.kind === 'file' && !statSync(given, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`--${name} must be a file that exists; given: ${given}`);
  if (flag.kind === 'folder' && !flag.contents.every((each) => existsSync(path.join(given, each))))
    throw new UsageError(
      `--${name} must be a folder with ${flag.contents.join(' and ')} in it; given: ${given}`,
    );
  return given;
};

const readArguments = (args: readonly string[], flags: Flags) => {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { kind }]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Without Node's hint at positional arguments, which no load test has.
    throw new UsageError(messageOf(error).replace(/\. To specify a positional.*/s, ''));
  }
};

const camelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** @param loadTest its name, for messages. @throws {UsageError} for a command line that differs from the flags */
export const parseFlags = <F extends Flags>(
  loadTest: string,
  flags: F,
  args: readonly string[],
): OptionsOf<F> => {
  const { values, positionals } = readArguments(args, flags);
  if (positionals.length > 0)
    throw new UsageError(`${loadTest} takes flags only; given: ${positionals.join(' ')}`);
  const entries = Object.entries(flags).map(([name, flag]) => [
    camelCase(name),
    parseValue(name, flag, values[name]),
  ]);
  return Object.fromEntries(entries) as OptionsOf<F>;
};

const withValue = (name: string, flag: Flag): string =>
  flag.kind === 'switch' ? `--${name}` : `--${name} ${flag.takes}`;

const formatCount = (count: number): string => count.toLocaleString('en-US');

const helpOf = (flag: Flag): string => {
  if (flag.kind === 'words') return `${flag.help}: ${flag.words.join(', ')}`;
  if (flag.kind !== 'count') return flag.help;
  const most = flag.most === undefined ? '' : `, ${formatCount(flag.most)} at most`;
  return `${flag.help}; ${formatCount(flag.default)} by default${most}`;
};

/** The usage of a load test: one line for the command, one for its purpose, one for each flag. */
export const usageOf = (loadTest: string, about: string, flags: Flags): string => {
  const entries = Object.entries(flags).map(([name, flag]) => [withValue(name, flag), helpOf(flag)] as const);
  const width = Math.max(...entries.map(([flag]) => flag.length));
  return [
    ['Usage: npm run loadtest --', loadTest, ...entries.map(([flag]) => `[${flag}]`)].join(' '),
    `  ${about}`,
    ...entries.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`),
  ].join('\n');
};
