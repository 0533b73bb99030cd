/** Erasures in PostgreSQL. Each is a job with the same id. */
import type { ErasureSubject } from '#schemas/api/erasures.ts';
import { prefixedIds } from '#shared/ids.ts';
import type { OwnedTable } from '../../platform/db/owned.ts';
import { findOwned } from '../../platform/db/owned.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export const erasureIds = prefixedIds('ers');

const owned: OwnedTable = {
  table: 'erasures',
  noun: 'erasure',
  isIdShaped: (id) => /^ers_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
};

/** How far it is, in this order. */
export type ErasureState = 'asked' | 'erasing' | 'erased';

/** What is next in PostgreSQL. */
export type ErasureStep = 'history' | 'events';

export interface Erasure {
  id: string;
  /** Order in which they were asked for. */
  seq: string;
  workspaceId: string;
  codeId: string;
  what: ErasureSubject;
  state: ErasureState;
  /** Null if only ClickHouse is left. */
  step: ErasureStep | null;
  /** Where its scans in ClickHouse are. */
  scans: 'later' | 'waiting' | 'taken' | 'gone';
  /** How many were removed. */
  scansErased: number;
  /** Transactions that may not have seen it, and may store events yet. */
  earlier: 'unknown' | 'open' | 'ended';
  /** The last event that was looked at. */
  eventAt: string;
  eventId: string;
  /** Scans made until then; null: all. */
  upTo: Date | null;
  askedAt: Date;
  erasedAt: Date | null;
}

// After a restore of the database, ids of transactions may begin again: then those of before have ended.
const earlier = `CASE WHEN events_xid IS NULL THEN 'unknown'
    WHEN events_xid >= pg_snapshot_xmin(pg_current_snapshot()) AND events_xid < pg_snapshot_xmax(pg_current_snapshot())
    THEN 'open' ELSE 'ended' END AS earlier`;

const columns = `id, seq::text AS seq, workspace_id AS "workspaceId", code_id AS "codeId", what, state, step, scans,
  scans_erased::double precision AS "scansErased", ${earlier}, event_at::text AS "eventAt", event_id AS "eventId",
  CASE WHEN up_to < 'infinity' THEN up_to END AS "upTo", asked_at AS "askedAt", erased_at AS "erasedAt"`;

/** @throws {ClientError} NOT_FOUND, or FORBIDDEN if it is another workspace's */
export const findErasure = (db: Queryable, workspaceId: string, id: string): Promise<Erasure> =>
  findOwned(db, owned, workspaceId, id, {
    name: 'find-erasure',
    text: `SELECT ${columns} FROM erasures WHERE id = $1 AND workspace_id = $2`,
  });

export const readErasure = async (db: Queryable, id: string): Promise<Erasure> => {
  const { rows } = await db.query<Erasure>({
    name: 'read-erasure',
    text: `SELECT ${columns} FROM erasures WHERE id = $1`,
    values: [id],
  });
  return rows[0]!;
};

/** Its moment does not move meanwhile. */
export const lockErasure = async (tx: Transaction, id: string): Promise<Erasure> => {
  const { rows } = await tx.query<Erasure>({
    name: 'lock-erasure',
    text: `SELECT ${columns} FROM erasures WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  });
  return rows[0]!;
};

/** The erasure of a code of the workspace; undefined if it was not erased. */
export const findErasureOfCode = async (
  db: Queryable,
  workspaceId: string,
  codeId: string,
): Promise<Erasure | undefined> => {
  const { rows } = await db.query<Erasure>({
    name: 'find-erasure-of-code',
    text: `SELECT ${columns} FROM erasures WHERE code_id = $1 AND workspace_id = $2 AND what = 'code'`,
    values: [codeId, workspaceId],
  });
  return rows[0];
};

/** The erasure of the code's scans that has not begun, extended to now. */
export const extendAsked = async (tx: Transaction, codeId: string): Promise<Erasure | undefined> => {
  const { rows } = await tx.query<Erasure>({
    name: 'extend-asked-erasure',
    text: `UPDATE erasures SET up_to = clock_timestamp() WHERE code_id = $1 AND what = 'scans' AND state = 'asked'
           RETURNING ${columns}`,
    values: [codeId],
  });
  return rows[0];
};

export const insertErasure = async (
  tx: Transaction,
  { id, workspaceId, codeId, what }: Pick<Erasure, 'id' | 'workspaceId' | 'codeId' | 'what'>,
): Promise<Erasure> => {
  const { rows } = await tx.query<Erasure>({
    name: 'insert-erasure',
    text: `INSERT INTO erasures (id, workspace_id, code_id, what, step, up_to)
           VALUES ($1, $2, $3, $4, CASE $4 WHEN 'code' THEN 'history' ELSE 'events' END,
             CASE $4 WHEN 'code' THEN 'infinity' ELSE clock_timestamp() END) RETURNING ${columns}`,
    values: [id, workspaceId, codeId, what],
  });
  return rows[0]!;
};

/** A page of a workspace's erasures, the latest first. @param before the seq of the last one of the page before */
export const listErasures = async (
  db: Queryable,
  workspaceId: string,
  before: string | undefined,
  limit: number,
): Promise<Erasure[]> => {
  const { rows } = await db.query<Erasure>({
    name: 'list-erasures',
    text: `SELECT ${columns} FROM erasures WHERE workspace_id = $1 AND seq < coalesce($2, ${Number.MAX_SAFE_INTEGER})
           ORDER BY seq DESC LIMIT $3`,
    values: [workspaceId, before, limit],
  });
  return rows;
};

/** @param step undefined: nothing is left in PostgreSQL, and its scans wait for a round */
export const beginStep = async (tx: Transaction, id: string, step?: ErasureStep): Promise<void> => {
  await tx.query({
    name: 'begin-erasure-step',
    text: `UPDATE erasures SET state = 'erasing', step = $2::text,
             scans = CASE WHEN $2::text IS NULL THEN 'waiting' ELSE scans END WHERE id = $1`,
    values: [id, step ?? null],
  });
};

/**
 * Its moment does not move any more, and transactions that may not have seen it are those before this one.
 * Two statements: an open call that moves the moment is waited for by the first, and is before the second.
 */
export const markEarlier = async (db: Queryable, id: string): Promise<void> => {
  await db.query({
    name: 'begin-erasure',
    text: `UPDATE erasures SET state = 'erasing' WHERE id = $1 AND state = 'asked'`,
    values: [id],
  });
  await db.query({
    name: 'mark-erasure-events',
    text: 'UPDATE erasures SET events_xid = pg_current_xact_id() WHERE id = $1 AND events_xid IS NULL',
    values: [id],
  });
};

export const saveEventPlace = async (
  tx: Transaction,
  id: string,
  place: Pick<Erasure, 'eventAt' | 'eventId'>,
): Promise<void> => {
  await tx.query({
    name: 'save-erasure-event',
    text: `UPDATE erasures SET state = 'erasing', event_at = $2, event_id = $3 WHERE id = $1`,
    values: [id, place.eventAt, place.eventId],
  });
};

export const endErasure = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query({
    name: 'end-erasure',
    text: `UPDATE erasures SET state = 'erased', erased_at = clock_timestamp() WHERE id = $1`,
    values: [id],
  });
};
