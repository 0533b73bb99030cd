/** The documents of a process: a store for each kind, and its snapshot on the disk. */
import { crc32 } from 'node:zlib';
import type { Dispatcher } from 'undici';
import {
  batchDocuments,
  type DocumentKind,
  type DomainDocument,
  domainDocuments,
  type Gs1Document,
  gs1Documents,
  parseDocument,
  serializeDocument,
  type Versioned,
  type WorkspaceDocument,
  workspaceDocuments,
} from '#schemas/documents.ts';
import type { BatchRecord } from '#schemas/verification.ts';
import type { Closer } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import {
  findSnapshot,
  keepSnapshotOf,
  readSnapshotOf,
  type SnapshotFormat,
  type SnapshotOptions,
} from '../codes/snapshot.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { createControlPlaneDocuments, createRedisDocuments } from './document-sources.ts';
import { createDocumentStore, type DocumentStore, type DocumentStoreOptions } from './document-store.ts';

export interface OpenDocuments {
  readonly batches: DocumentStore<BatchRecord>;
  readonly gs1: DocumentStore<Gs1Document>;
  readonly domains: DocumentStore<DomainDocument>;
  readonly workspaces: DocumentStore<WorkspaceDocument>;
}

export interface OpenDocumentsOptions {
  store: DocumentStoreOptions;
  snapshot: SnapshotOptions;
  internalUrl: string;
  token: string;
  lookupTimeoutMs: number;
  redis: Redis;
  controlPlane: Dispatcher;
  diskQueue: DiskQueue;
  closer: Pick<Closer, 'add'>;
  logger: Logger;
}

const crcDigits = 8;
const crcOf = (text: string): string => crc32(text).toString(16).padStart(crcDigits, '0');

/** Each line has the CRC-32 of its text in front, as the lines of codes (codes/snapshot-line.ts). */
const snapshotOf = <Body extends Versioned>(kind: DocumentKind<Body>): SnapshotFormat<Body> => ({
  fileName: `snapshot-${kind.name}`,
  bytesOf: (document) => serializeDocument(document).length,
  formatLine(document) {
    const text = serializeDocument(document);
    return `${crcOf(text)} ${text}\n`;
  },
  parseLine(line) {
    const text = line.slice(crcDigits + 1);
    if (line.slice(0, crcDigits + 1) !== `${crcOf(text)} `)
      throw new Error('the checksum is not that of the line');
    return parseDocument(kind, text);
  },
});

const openKind = async <Body extends Versioned>(
  kind: DocumentKind<Body>,
  options: OpenDocumentsOptions,
): Promise<DocumentStore<Body>> => {
  const { internalUrl, token, lookupTimeoutMs, redis, controlPlane, diskQueue, closer, logger } = options;
  const store = createDocumentStore(
    kind,
    options.store,
    [
      createRedisDocuments(kind, redis),
      createControlPlaneDocuments(kind, internalUrl, token, lookupTimeoutMs, controlPlane),
    ],
    logger,
  );
  const format = snapshotOf(kind);
  store.restore(await readSnapshotOf(format, await findSnapshot(options.snapshot.folder, format), logger));
  const snapshot = keepSnapshotOf(format, options.snapshot, store, diskQueue, logger);
  closer.add(() => snapshot.close());
  return store;
};

export const openDocuments = async (options: OpenDocumentsOptions): Promise<OpenDocuments> => ({
  batches: await openKind(batchDocuments, options),
  gs1: await openKind(gs1Documents, options),
  domains: await openKind(domainDocuments, options),
  workspaces: await openKind(workspaceDocuments, {
    ...options,
    // Each scan asks for its workspace, and most have no webhook: absence is trusted as long as a record that the sweep confirms.
    store: { ...options.store, absentMs: options.store.staleMaxMs },
  }),
});
