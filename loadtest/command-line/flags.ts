/** Flags of a command line; all that differs from the usage is refused, and named. */
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
 * The words of a flag, which are separated by commas; all words without the flag.
 * @param noun what a word names, such as `row`
 * @throws {UsageError} for a word that is none of these
 */
export const parseWords = <Word extends string>(
  given: string | undefined,
  noun: string,
  words: readonly Word[],
): readonly Word[] => {
  const isWord = (text: string): text is Word => words.some((word) => word === text);
  const asked = given?.split(',') ?? words;
  const unknown = asked.filter((text) => !isWord(text));
  if (unknown.length > 0) {
    throw new UsageError(`there is no ${noun} ${unknown.join(', ')}; there are ${words.join(', ')}`);
  }
  return asked.filter(isWord);
};

/** @throws {UsageError} for anything but a whole number from 1 */
export const parseCount = (flag: string, given: string): number => {
  const count = Number(given);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new UsageError(`--${flag} must be a whole number from 1; given: ${given}`);
};
