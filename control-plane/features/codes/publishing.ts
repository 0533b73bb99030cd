/** Codes as a published kind: how they are read, queued and published. */
import { capKey, recordFormat, recordKey, serializeRecord } from '#schemas/code-record.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Consumer } from '../../framework/outbox.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Current, PublishedKind } from '../../publishing/kind.ts';
import type { PublishNow } from '../../publishing/publish-now.ts';
import { addUnpublished } from '../../publishing/queue.ts';
import { readRecord } from './record.ts';
import type { Code } from './store/code.ts';
import { type ErasedCode, findErasedCodes } from './store/erased.ts';
import { findCodesForRedirect } from './store/find.ts';

const name = 'code';

/** A code as it is published, or why it cannot be. */
export const currentOf = (code: Code): Current => {
  const { id, version, recordVersion } = code;
  const read = readRecord(code);
  if ('problem' in read) return { id, recordVersion, problem: read.problem };
  const { record } = read;
  const counters = record.cap ? [capKey(id, record.cap.epoch)] : [];
  return { id, version, recordVersion, text: serializeRecord(record), counters };
};

/** An erased code as it is published. */
export const currentErased = ({ id, workspaceId, version, recordVersion }: ErasedCode): Current => ({
  id,
  version,
  recordVersion,
  text: serializeRecord({
    id,
    workspaceId,
    version: recordVersion,
    active: false,
    destination: '',
    erased: true,
  }),
});

/** A code that is erased between the two reads is in the second one. */
const readCurrent = async (db: Queryable, ids: readonly string[]): Promise<Current[]> => {
  const codes = await findCodesForRedirect(db, ids);
  const erased = await findErasedCodes(db, ids);
  const gone = new Set(erased.map(({ id }) => id));
  return [...codes.filter(({ id }) => !gone.has(id)).map(currentOf), ...erased.map(currentErased)];
};

/** @param db for every read */
export const createCodeKind = (db: Queryable): PublishedKind => ({
  name,
  owns: isCodeIdShaped,
  read: (ids) => readCurrent(db, ids),
  keyOf: recordKey,
  format: recordFormat,
  field: 'record',
});

/** Queues changed codes. A created code needs no row: a redirector that holds its id as unknown looks again within a bound. */
export const publishingConsumer: Consumer<
  'qr.updated' | 'qr.deleted' | 'qr.suspended' | 'qr.suspension_lifted'
> = {
  types: ['qr.updated', 'qr.deleted', 'qr.suspended', 'qr.suspension_lifted'],
  accept: (tx, events) =>
    addUnpublished(
      tx,
      events.map(({ subject: { id, version } }) => ({ kind: name, id, version })),
    ),
};

/** Publishes codes after the commit, see {@link PublishNow}. Never fails. */
export interface CodePublishing {
  publishChanged(codes: readonly Code[]): Promise<void>;
  publishCreated(codes: readonly Code[]): Promise<void>;
  publishErased(code: ErasedCode): Promise<void>;
}

export const createCodePublishing = (
  { publishChanged, publishCreated }: Pick<PublishNow, 'publishChanged' | 'publishCreated'>,
  kind: PublishedKind,
): CodePublishing => ({
  publishChanged: (codes) => publishChanged(kind, codes.values().map(currentOf)),
  publishCreated: (codes) => publishCreated(kind, codes.values().map(currentOf)),
  publishErased: (code) => publishChanged(kind, [currentErased(code)].values()),
});
