/** An operator's command in a shell. */
import type { Settings } from '#shared/config.ts';
import type { Pool } from '../platform/db/pool.ts';
import type { Outbox } from './outbox.ts';

/** A switch that is present is `true`. */
export type Flags = Readonly<Record<string, string | undefined>>;

export interface AdminContext {
  settings: Settings & { databaseUrl: string };
  /** Connects on first use. */
  pool: Pool;
  /** Takes the events of the verb's changes. */
  outbox: Outbox;
  /** For a line that is printed at once, since later steps may fail. */
  print(line: object): void;
  /** Prints a file, at its reader's pace. */
  send(file: AsyncIterable<string>): Promise<void>;
  /** For the operator, in addition to the output. */
  complain(line: string): void;
}

export interface Verb {
  /** Its flags, as shown in the usage. */
  synopsis: string;
  /** One line for each thing that it reports or does. */
  help: readonly string[];
  flags: readonly string[];
  /** Flags without a value. */
  switches?: readonly string[];
  /**
   * @returns the output, a line of JSON each; nothing if it sends a file
   * @throws {UsageError} if flags are missing or wrong
   */
  run(flags: Flags, context: AdminContext): Promise<readonly object[]>;
}

/** A command line that does not follow the usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** No object has the name or the id given to a verb. */
export class NothingFound extends Error {
  override name = 'NothingFound';
}

/** What a verb cannot do or does not do, in words for the operator. */
export class VerbFailure extends Error {
  override name = 'VerbFailure';
}

/** @throws {UsageError} if the flag is missing or blank */
export const requireFlag = (flags: Flags, name: string): string => {
  const value = flags[name]?.trim();
  if (!value) {
    throw new UsageError(`--${name} is required${flags[name] === undefined ? '' : ' and must not be blank'}`);
  }
  return value;
};

/** @throws {UsageError} if the value is not one of the options */
export const oneOf = <Option extends string>(
  options: readonly Option[],
  name: string,
  value: string | undefined,
): Option => {
  const chosen = options.find((option) => option === value);
  if (!chosen) {
    const given = value === undefined ? 'it is missing' : `given: "${value}"`;
    throw new UsageError(`--${name} must be one of ${options.join(', ')}; ${given}`);
  }
  return chosen;
};
