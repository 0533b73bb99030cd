/** The kinds of documents: a feature adds each of its kinds when it opens. */
import { versionOn } from '#schemas/code-record.ts';
import {
  type DocumentKind,
  documentLengthMax,
  serializeDocument,
  UnreadableDocumentError,
  type Versioned,
} from '#schemas/documents.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Current } from '../codes/publishing/sweep.ts';

/** A document as text, with the version that it has for redirectors. */
export interface SerializedDocument extends Versioned {
  readonly text: string;
}

export interface SourceOfDocuments<Body extends Versioned> extends DocumentKind<Body> {
  /** Whether a text can be an id of this kind; others are not looked for. */
  isIdShaped(id: string): boolean;
  /**
   * Those of the ids that exist, with the versions as PostgreSQL has them, from 1 to 2^27 - 1.
   * What is read of one document is read by one statement, so that it is of one moment.
   */
  build(db: Queryable, ids: readonly string[]): Promise<readonly Body[]>;
}

export interface DocumentKinds {
  /** @throws {Error} where there is one of this name already */
  add<Body extends Versioned>(source: SourceOfDocuments<Body>): void;
  /** Those of the ids that exist, as they are now, or why one cannot be published. Texts that are no ids are left out. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Current<SerializedDocument>>>;
}

type Reader = (
  timeline: number,
  ids: readonly string[],
) => Promise<readonly (readonly [string, Current<SerializedDocument>])[]>;

const readTimeline = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ timeline: number }>({
    name: 'read-timeline',
    text: 'SELECT timeline FROM record_timeline',
  });
  return rows[0]!.timeline;
};

const toCurrent = <Body extends Versioned>(
  { schema, name }: DocumentKind<Body>,
  timeline: number,
  document: Body,
): Current<SerializedDocument> => {
  const { id, version } = document;
  const onTimeline = versionOn(timeline, version);
  const parsed = schema.safeParse({ ...document, version: onTimeline });
  if (!parsed.success)
    return { problem: `not a document of the kind ${name}: ${parsed.error.message}`.slice(0, 500) };
  const text = serializeDocument(parsed.data);
  if (text.length > documentLengthMax)
    return { problem: new UnreadableDocumentError(`${text.length} characters are too many`).message };
  return { version, record: { id, version: onTimeline, text }, chars: text.length };
};

/** @param pool for every read */
export const createDocumentKinds = (pool: Queryable): DocumentKinds => {
  const readers = new Map<string, { isIdShaped(id: string): boolean; read: Reader }>();

  return {
    add(source) {
      if (readers.has(source.name)) throw new Error(`the kind of documents '${source.name}' is added twice`);
      readers.set(source.name, {
        isIdShaped: (id) => id.startsWith(source.prefix) && source.isIdShaped(id),
        read: async (timeline, ids) =>
          (await source.build(pool, ids)).map((document) => [
            document.id,
            toCurrent(source, timeline, document),
          ]),
      });
    },
    async read(ids) {
      const found = new Map<string, Current<SerializedDocument>>();
      // Read first: where a later timeline begins meanwhile, Redis refuses what is read.
      const timeline = await readTimeline(pool);
      for (const { isIdShaped, read } of readers.values()) {
        const own = ids.filter(isIdShaped);
        if (own.length === 0) continue;
        for (const [id, current] of await read(timeline, own)) found.set(id, current);
      }
      return found;
    },
  };
};
