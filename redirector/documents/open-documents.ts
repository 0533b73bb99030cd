/** The documents of a process: a store for each kind, and its snapshot on the disk. */
import {
  type AliasDocument,
  aliasDocuments,
  type BrandDocument,
  batchDocuments,
  brandDocuments,
  type DocumentKind,
  type DomainDocument,
  domainDocuments,
  type Gs1Document,
  gs1Documents,
  markDocuments,
  pageDocuments,
  parseDocument,
  serializeDocument,
  type Versioned,
  type WorkspaceDocument,
  workspaceDocuments,
} from '#schemas/documents.ts';
import type { PageDocument } from '#schemas/page-document.ts';
import type { BatchRecord, MarkPage } from '#schemas/verification.ts';
import type { Closer } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { limitSource } from '../held/limited-source.ts';
import { openSnapshot, type SnapshotFormat, type SnapshotOptions } from '../held/snapshot.ts';
import { type ControlPlane, createSources, type Source } from '../held/source.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import {
  createDocumentStore,
  type DocumentStore,
  type DocumentStoreOptions,
  documentTexts,
} from './document-store.ts';

export interface OpenDocuments {
  readonly batches: DocumentStore<BatchRecord>;
  readonly marks: DocumentStore<MarkPage>;
  readonly gs1: DocumentStore<Gs1Document>;
  readonly domains: DocumentStore<DomainDocument>;
  readonly workspaces: DocumentStore<WorkspaceDocument>;
  readonly brands: DocumentStore<BrandDocument>;
  readonly pages: DocumentStore<PageDocument>;
  readonly aliases: DocumentStore<AliasDocument>;
}

export interface OpenDocumentsOptions {
  store: DocumentStoreOptions;
  /** Other options of the store of hosted pages. */
  pages: Partial<DocumentStoreOptions>;
  /** The same of aliases. */
  aliases: Partial<DocumentStoreOptions>;
  /** Takes a place for an alias that only the control plane may know; false if there is none. */
  takeUnknownAlias(): boolean;
  snapshot: SnapshotOptions;
  redis: Redis;
  controlPlane: ControlPlane;
  /** With connections of its own. */
  controlPlaneOfPages: ControlPlane;
  diskQueue: DiskQueue;
  closer: Pick<Closer, 'add'>;
  logger: Logger;
}

/** Its text, most of which is a logo, and the parsed document. */
const brandBytesPerChar = 3;

/** Its text, and the ids of its items in one text or three. */
const markBytesPerChar = 2;

const snapshotOf = <Body extends Versioned>(kind: DocumentKind<Body>): SnapshotFormat<Body> => ({
  fileName: `snapshot-${kind.name}`,
  bytesOf: (document) => serializeDocument(document).length,
  textOf: serializeDocument,
  parse: (text) => parseDocument(kind, text),
});

type KindOptions = Pick<
  OpenDocumentsOptions,
  'store' | 'snapshot' | 'redis' | 'controlPlane' | 'diskQueue' | 'closer' | 'logger'
>;

/** @param limited the last of the sources, limited in any way */
const openKind = async <Body extends Versioned>(
  kind: DocumentKind<Body>,
  options: KindOptions,
  limited: (truth: Source<Body>) => Source<Body> = (truth) => truth,
): Promise<DocumentStore<Body>> => {
  const { redis, controlPlane, diskQueue, closer, logger } = options;
  const sources = createSources(documentTexts(kind), redis, controlPlane);
  const store = createDocumentStore(
    kind,
    options.store,
    [...sources.slice(0, -1), limited(sources.at(-1)!)],
    logger,
  );
  const snapshot = await openSnapshot(snapshotOf(kind), options.snapshot, store, diskQueue, logger);
  closer.add(() => snapshot.close());
  return store;
};

export const openDocuments = async (options: OpenDocumentsOptions): Promise<OpenDocuments> => ({
  batches: await openKind(batchDocuments, options),
  marks: await openKind(markDocuments, {
    ...options,
    store: { ...options.store, bytesPerChar: () => markBytesPerChar },
  }),
  gs1: await openKind(gs1Documents, options),
  domains: await openKind(domainDocuments, options),
  workspaces: await openKind(workspaceDocuments, {
    ...options,
    // Each scan asks for its workspace, and most have no webhook: absence is trusted as long as a record that the sweep confirms.
    store: { ...options.store, absentMs: options.store.staleMaxMs },
  }),
  brands: await openKind(brandDocuments, {
    ...options,
    // As of workspaces: most have none. What is made of one for a page is not kept with it.
    store: { ...options.store, absentMs: options.store.staleMaxMs, bytesPerChar: () => brandBytesPerChar },
  }),
  pages: await openKind(pageDocuments, {
    ...options,
    store: { ...options.store, ...options.pages },
    controlPlane: options.controlPlaneOfPages,
  }),
  aliases: await openKind(
    aliasDocuments,
    { ...options, store: { ...options.store, ...options.aliases } },
    (truth) => limitSource(truth, options.takeUnknownAlias),
  ),
});
