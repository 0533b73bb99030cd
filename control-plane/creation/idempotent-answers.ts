/**
 * Answers to requests with an idempotency key, in PostgreSQL. A key is free, or held by a request that is being performed,
 * or answered. A request in one transaction holds the key by the row's lock; one in steps holds it by `held_until`, and is known
 * by `claim_id`.
 */
import type { Queryable } from '../db/pool.ts';
import type { Transaction } from '../db/transaction.ts';

export interface Claim {
  /** A UUID of its own for each attempt. */
  id: string;
  workspaceId: string;
  /** Keyed hashes of the key and of the request. */
  keyMac: Buffer;
  requestMac: Buffer;
}

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, exactly as it was sent. */
  body: string | null;
}

/** The answer found under a key that is taken; no status while it is being made. */
export type FoundAnswer = { requestMac: Buffer } & (StoredAnswer | { status: null });

/**
 * Takes a key. Waits for another transaction that has it, until that one ends.
 * @param holdSeconds after the commit the key is held for so long
 * @returns false where another request holds it, or has been answered
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

/** The answer of a key that is taken; undefined where it has become free. */
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

/** @returns false where the claim is not held any more: it took too long, and somebody else has the key */
export const keepAnswer = async (tx: Transaction, claim: Claim, answer: StoredAnswer): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'keep-answer',
    text: `UPDATE idempotent_answers SET status = $4, headers = $5, body = $6
           WHERE workspace_id = $1 AND key_mac = $2 AND claim_id = $3`,
    values: [claim.workspaceId, claim.keyMac, claim.id, answer.status, answer.headers, answer.body],
  });
  return rowCount === 1;
};

/** Nothing has come of the request: the key is free again. Where it has been answered, nothing happens. */
export const releaseAnswer = async (db: Queryable, claim: Claim): Promise<void> => {
  await db.query({
    name: 'release-answer',
    text: `DELETE FROM idempotent_answers
           WHERE workspace_id = $1 AND key_mac = $2 AND claim_id = $3 AND status IS NULL`,
    values: [claim.workspaceId, claim.keyMac, claim.id],
  });
};

/** At most so many by one statement, so that it holds nothing up. */
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

/** Until there are none left. */
export const deleteExpiredAnswers = async (db: Queryable): Promise<void> => {
  while (await deleteSomeExpired(db));
};
