/**
 * Answers to requests with an idempotency key, in PostgreSQL. A key is free, or held by a request in progress, or
 * answered. A request in one transaction holds the key by the row's lock; a request in steps holds it by `held_until`,
 * and is identified by `claim_id`.
 */
import type { Queryable } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export interface Claim {
  /** A UUID unique to each attempt. */
  id: string;
  workspaceId: string;
  /** Keyed hashes of the key and of the request. */
  keyMac: Buffer;
  requestMac: Buffer;
}

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, exactly as sent. */
  body: string | null;
}

/** The answer found under a taken key; no status while it is in progress. */
export type FoundAnswer = { requestMac: Buffer } & (StoredAnswer | { status: null });

/**
 * Claims a key. Waits for another transaction that holds it, until that one ends.
 * @param holdSeconds the key is held for this long after the commit
 * @returns false if another request holds it, or has been answered
 */
export const claimAnswer = async (
  tx: Transaction,
  claim: Claim,
  validHours: number,
  holdSeconds: number,
): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'claim-answer',
    text: `INSERT INTO idempotent_answers AS a (workspace_id, key_mac, request_mac, claim_id, valid_hours, held_until)
           VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
           ON CONFLICT (workspace_id, key_mac)
           DO UPDATE SET request_mac = excluded.request_mac, claim_id = excluded.claim_id, valid_hours = excluded.valid_hours,
             held_until = excluded.held_until, status = NULL, headers = NULL, body = NULL, created_at = now()
           WHERE a.created_at < now() - make_interval(hours => a.valid_hours) OR (a.status IS NULL AND a.held_until < now())`,
    values: [claim.workspaceId, claim.keyMac, claim.requestMac, claim.id, validHours, holdSeconds],
  });
  return rowCount === 1;
};

/** The answer of a taken key; undefined if the key has become free. */
export const findAnswer = async (
  db: Queryable,
  { workspaceId, keyMac }: Claim,
): Promise<FoundAnswer | undefined> => {
  const { rows } = await db.query<FoundAnswer>({
    name: 'find-answer',
    text: `SELECT request_mac AS "requestMac", status, headers, body FROM idempotent_answers
           WHERE workspace_id = $1 AND key_mac = $2`,
    values: [workspaceId, keyMac],
  });
  return rows[0];
};

/** @returns false if the claim is no longer held: it took too long, and another request has the key */
export const keepAnswer = async (tx: Transaction, claim: Claim, answer: StoredAnswer): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'keep-answer',
    text: `UPDATE idempotent_answers SET status = $4, headers = $5, body = $6
           WHERE workspace_id = $1 AND key_mac = $2 AND claim_id = $3`,
    values: [claim.workspaceId, claim.keyMac, claim.id, answer.status, answer.headers, answer.body],
  });
  return rowCount === 1;
};

/** Frees the key of a request that failed. Does nothing if it has been answered. */
export const releaseAnswer = async (db: Queryable, claim: Claim): Promise<void> => {
  await db.query({
    name: 'release-answer',
    text: `DELETE FROM idempotent_answers
           WHERE workspace_id = $1 AND key_mac = $2 AND claim_id = $3 AND status IS NULL`,
    values: [claim.workspaceId, claim.keyMac, claim.id],
  });
};

/** Maximum per statement, so that it blocks nothing. */
const sweepMax = 10_000;

/** @returns whether there may be more */
const deleteSomeExpired = async (db: Queryable): Promise<boolean> => {
  const { rowCount } = await db.query(
    `DELETE FROM idempotent_answers WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM idempotent_answers
       WHERE created_at < now() - interval '24 hours' AND created_at < now() - make_interval(hours => valid_hours)
       ORDER BY created_at LIMIT ${sweepMax}
       FOR UPDATE SKIP LOCKED))`,
  );
  return rowCount === sweepMax;
};

/** Deletes until none are left. */
export const deleteExpiredAnswers = async (db: Queryable): Promise<void> => {
  while (await deleteSomeExpired(db));
};
