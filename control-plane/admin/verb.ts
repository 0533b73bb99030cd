/** One thing that an operator can do from a shell. */
import type { Settings } from '#shared/config.ts';
import type { Pool } from '../db/pool.ts';
import type { Outbox } from '../outbox/outbox.ts';

/** A switch that is given is `true`. */
export type Flags = Readonly<Record<string, string | undefined>>;

export interface AdminContext {
  settings: Settings & { databaseUrl: string };
  /** Connects when it is used. */
  pool: Pool;
  /** Takes the events of the changes that a verb makes. */
  outbox: Outbox;
  /** For a line that is printed at once: what follows it may fail. */
  print(line: object): void;
  /** Prints a file, at the pace of whoever reads it. */
  send(file: AsyncIterable<string>): Promise<void>;
  /** For the operator, beside what is printed. */
  complain(line: string): void;
}

export interface Verb {
  /** Its flags, as the usage shows them. */
  synopsis: string;
  /** One line for each thing that it says or does. */
  help: readonly string[];
  flags: readonly string[];
  /** Flags without a value. */
  switches?: readonly string[];
  /**
   * @returns what is printed, each a line of JSON; nothing where it sends a file
   * @throws {UsageError} for flags that are missing or wrong
   */
  run(flags: Flags, context: AdminContext): Promise<readonly object[]>;
}

/** A command line that does not follow the usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Nothing has the name or the id that a verb was given. */
export class NothingFound extends Error {
  override name = 'NothingFound';
}

/** @throws {UsageError} where the flag is missing or blank */
export const requireFlag = (flags: Flags, name: string): string => {
  const value = flags[name]?.trim();
  if (!value) {
    throw new UsageError(`--${name} is required${flags[name] === undefined ? '' : ' and must not be blank'}`);
  }
  return value;
};

/** @throws {UsageError} where the value is none of the options */
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
