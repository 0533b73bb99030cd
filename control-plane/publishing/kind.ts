/** Kinds of things that redirectors hold: each thing is a versioned text under an id. Each kind is declared by a feature. */
import pg from 'pg';
import { isDatabaseUnavailable } from '../platform/db/pool.ts';

/** A thing as it is now, as text. */
export interface VersionedText {
  readonly id: string;
  /** As PostgreSQL has it. */
  readonly version: number;
  /** The version on the timeline of the database (`versionOn` in schemas/code-record.ts), which redirectors compare. */
  readonly recordVersion: number;
  /** `{recordVersion} {JSON}`; later formats are named in between: `{recordVersion} {format} {JSON}`. */
  readonly text: string;
  /** Redis keys of counters that begin at 0 with the first publish of a new thing: its cap. */
  readonly counters?: readonly string[];
}

/** A thing that exists, but that redirectors could not read. */
export interface Unreadable {
  readonly id: string;
  /** For the operator. */
  readonly problem: string;
  /** As of {@link VersionedText}, if it is known. */
  readonly recordVersion?: number;
}

export type Current = VersionedText | Unreadable;

export interface PublishedKind {
  /** Of one thing, in the queue and in messages: `code`. */
  readonly name: string;
  /** Whether a text can be an id of this kind. No text can be an id of two kinds. */
  owns(id: string): boolean;
  /**
   * The things that exist among the ids, as they are now. Everything in one text is read by one statement, so that it is of one
   * moment. The timeline is read with it or before it: if a later one begins meanwhile, Redis refuses the text.
   * @throws if they cannot be read now
   */
  read(ids: readonly string[]): Promise<readonly Current[]>;
  /** The Redis key of a thing. */
  keyOf(id: string): string;
  /** The format of the texts. */
  readonly format: number;
  /** The field of the change stream's entries. */
  readonly field: string;
  /** Whether the change stream has only the version of a text: the texts are large, and redirectors read them from Redis. */
  readonly isAnnouncedByVersion?: boolean;
  /** How long Redis keeps a text after it was written, ± 10%; default: an hour. */
  readonly keptSeconds?: number | undefined;
}

export interface PublishedKinds {
  /** @throws {Error} if there is one of this name already */
  add(kind: PublishedKind): void;
  /** In the order in which they were added. */
  readonly all: readonly PublishedKind[];
}

export const createKinds = (): PublishedKinds => {
  const all: PublishedKind[] = [];
  return {
    all,
    add(kind) {
      if (all.some(({ name }) => name === kind.name))
        throw new Error(`the published kind '${kind.name}' is added twice`);
      all.push(kind);
    },
  };
};

/** SQLSTATE class 22: PostgreSQL refuses a value of the row. */
const isAboutData = (error: pg.DatabaseError): boolean => error.code?.startsWith('22') ?? false;

/** Whether the thing that was read is why it could not be, rather than the database or the statement. */
const isOwnFault = (error: unknown): error is Error =>
  error instanceof Error &&
  !isDatabaseUnavailable(error) &&
  (!(error instanceof pg.DatabaseError) || isAboutData(error));

const problemOf = (error: Error): string => `${error.name}: ${error.message}`.slice(0, 500);

/**
 * The same as `kind.read`, but a thing that fails the read costs the others nothing: it is found by halving the ids, and it is
 * unreadable.
 * @throws if the database or the statement fails, rather than a thing
 */
export const readEach = async (kind: PublishedKind, ids: readonly string[]): Promise<readonly Current[]> => {
  if (ids.length === 0) return [];
  try {
    return await kind.read(ids);
  } catch (error) {
    if (!isOwnFault(error)) throw error;
    if (ids.length === 1) return [{ id: ids[0]!, problem: problemOf(error) }];
    const middle = ids.length >> 1;
    return [...(await readEach(kind, ids.slice(0, middle))), ...(await readEach(kind, ids.slice(middle)))];
  }
};
