/**
 * Documents: what redirectors hold in addition to the records of codes. Each of their kinds is a published kind; a feature adds its
 * kinds when it opens.
 */
import { versionOn } from '#schemas/code-record.ts';
import {
  type DocumentKind,
  documentField,
  documentFormat,
  documentKey,
  documentKindOf,
  documentKinds,
  documentLengthMax,
  serializeDocument,
  UnreadableDocumentError,
  type Versioned,
} from '#schemas/documents.ts';
import type { Queryable } from '../platform/db/pool.ts';
import type { Transaction } from '../platform/db/transaction.ts';
import type { Current, PublishedKind, PublishedKinds } from './kind.ts';
import type { PublishNow } from './publish-now.ts';
import { addUnpublished } from './queue.ts';
import { readTimeline } from './timeline.ts';

export interface SourceOfDocuments<Body extends Versioned> extends DocumentKind<Body> {
  /** Whether a text can be an id of this kind. Other texts are not looked up. */
  isIdShaped(id: string): boolean;
  /**
   * The documents that exist among the ids, with the versions as PostgreSQL has them, from 1 to 2^27 - 1.
   * Everything in one document is read by one statement, so that it is of one moment.
   */
  build(db: Queryable, ids: readonly string[]): Promise<readonly Body[]>;
}

export interface DocumentKinds {
  /** @throws {Error} if there is one of this name already, or schemas/documents.ts does not list it */
  add<Body extends Versioned>(source: SourceOfDocuments<Body>): void;
  /** In the order in which they were added. */
  readonly all: readonly PublishedKind[];
}

/** What a feature publishes documents with. */
export type DocumentPublishing = Pick<PublishNow, 'publish'>;

const toCurrent = <Body extends Versioned>(
  { schema, name }: DocumentKind<Body>,
  timeline: number,
  document: Body,
): Current => {
  const { id, version } = document;
  const recordVersion = versionOn(timeline, version);
  const parsed = schema.safeParse({ ...document, version: recordVersion });
  if (!parsed.success)
    return { id, problem: `not a document of the kind ${name}: ${parsed.error.message}`.slice(0, 500) };
  const text = serializeDocument(parsed.data);
  if (text.length > documentLengthMax)
    return { id, problem: new UnreadableDocumentError(`${text.length} characters are too many`).message };
  return { id, version, recordVersion, text };
};

/** The published kind of a kind of documents. @param db for every read */
export const toPublishedKind = <Body extends Versioned>(
  db: Queryable,
  source: SourceOfDocuments<Body>,
): PublishedKind => ({
  name: source.name,
  owns: (id) => id.startsWith(source.prefix) && source.isIdShaped(id),
  async read(ids) {
    // Read first: if a later timeline begins meanwhile, Redis refuses the documents.
    const timeline = await readTimeline(db);
    return (await source.build(db, ids)).map((document) => toCurrent(source, timeline, document));
  },
  keyOf: documentKey,
  format: documentFormat,
  field: documentField,
  isAnnouncedByVersion: source.isAnnouncedByVersion ?? false,
  keptSeconds: source.keptSeconds,
});

/** @param db for every read @param kinds takes each kind that is added */
export const createDocumentKinds = (db: Queryable, kinds: Pick<PublishedKinds, 'add'>): DocumentKinds => {
  const all: PublishedKind[] = [];
  return {
    all,
    add(source) {
      if (!documentKinds.some(({ name, prefix }) => name === source.name && prefix === source.prefix))
        throw new Error(`schemas/documents.ts does not list the kind of documents '${source.name}'`);
      const kind = toPublishedKind(db, source);
      kinds.add(kind);
      all.push(kind);
    },
  };
};

/**
 * Remembers that documents have changed; must be called in the transaction of the change. Each is published even if the process
 * ends before it could publish it itself.
 * @param changed with the versions as PostgreSQL has them
 * @throws {Error} if an id has the prefix of no kind
 */
export const documentsChanged = (tx: Transaction, changed: readonly Versioned[]): Promise<void> =>
  addUnpublished(
    tx,
    changed.map(({ id, version }) => ({ kind: documentKindOf(id), id, version })),
  );
