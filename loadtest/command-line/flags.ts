/** Flags of a command line; all that differs from the usage is refused, and named. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '#shared/errors.ts';
import { UsageError } from './usage-error.ts';

/** @throws {UsageError} for a flag that does not exist, or that lacks its value */
export const parseFlags = <Config extends ParseArgsConfig>(config: Config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
};

/**
 * The words of the flag --only, which are separated by commas; all words without the flag.
 * @param noun what a word names, such as `row`
 * @throws {UsageError} for a word that is none of these, or is empty
 */
export const parseWords = <Word extends string>(
  given: string | undefined,
  noun: string,
  words: readonly Word[],
): readonly Word[] => {
  const isWord = (text: string): text is Word => words.some((word) => word === text);
  const asked = given?.split(',') ?? words;
  if (asked.some((word) => word === ''))
    throw new UsageError(
      `--only must be the names of ${noun}s, separated by commas; given: "${given}"; there are ${words.join(', ')}`,
    );
  const unknown = asked.filter((text) => !isWord(text));
  if (unknown.length > 0) {
    throw new UsageError(`there is no ${noun} ${unknown.join(', ')}; there are ${words.join(', ')}`);
  }
  return asked.filter(isWord);
};

/** @throws {UsageError} for anything but a whole number from the least one on */
export const parseCount = (flag: string, given: string, least = 1): number => {
  const count = Number(given);
  if (given !== '' && Number.isSafeInteger(count) && count >= least) return count;
  throw new UsageError(`--${flag} must be a whole number from ${least}; given: ${given}`);
};

/** @throws {UsageError} for anything but the path of a file that exists */
export const parseFile = (flag: string, given: string | undefined): string | undefined => {
  if (given === undefined || statSync(given, { throwIfNoEntry: false })?.isFile()) return given;
  throw new UsageError(`--${flag} must be a file that exists; given: ${given}`);
};

/**
 * @param contents paths that the folder must have
 * @throws {UsageError} for anything but a folder that has them
 */
export const parseFolder = (
  flag: string,
  given: string | undefined,
  contents: readonly string[],
): string | undefined => {
  if (given === undefined || contents.every((each) => existsSync(path.join(given, each)))) return given;
  throw new UsageError(`--${flag} must be a folder with ${contents.join(' and ')} in it; given: ${given}`);
};

/** What a checkout of Kutt has once its packages are installed. */
export const kuttContents = ['server/server.js', 'node_modules'] as const;
