/** Answers to requests with an Idempotency-Key, in PostgreSQL. */
import type { Queryable } from '../db/pool.ts';
import type { Transaction } from '../db/transaction.ts';

export interface Claim {
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

/**
 * Takes a key for this transaction. Waits for another transaction that has it, until that one ends.
 * @returns false where the key has an answer already
 */
export const claimAnswer = async (tx: Transaction, claim: Claim, validHours: number): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'claim-answer',
    text: `INSERT INTO idempotent_answers AS a (workspace_id, key_mac, request_mac) VALUES ($1, $2, $3)
           ON CONFLICT (workspace_id, key_mac)
           DO UPDATE SET request_mac = excluded.request_mac, created_at = now()
           WHERE a.created_at < now() - make_interval(hours => $4)`,
    values: [claim.workspaceId, claim.keyMac, claim.requestMac, validHours],
  });
  return rowCount === 1;
};

/** The answer of a key that could not be claimed. */
export const findAnswer = async (
  tx: Transaction,
  { workspaceId, keyMac }: Claim,
): Promise<StoredAnswer & { requestMac: Buffer }> => {
  const { rows } = await tx.query<StoredAnswer & { requestMac: Buffer }>({
    name: 'find-answer',
    text: `SELECT request_mac AS "requestMac", status, headers, body FROM idempotent_answers
           WHERE workspace_id = $1 AND key_mac = $2`,
    values: [workspaceId, keyMac],
  });
  const [answer] = rows;
  if (!answer) throw new Error('an answer was swept while it was read');
  return answer;
};

export const keepAnswer = async (tx: Transaction, claim: Claim, answer: StoredAnswer): Promise<void> => {
  await tx.query({
    name: 'keep-answer',
    text: `UPDATE idempotent_answers SET status = $3, headers = $4, body = $5
           WHERE workspace_id = $1 AND key_mac = $2`,
    values: [claim.workspaceId, claim.keyMac, answer.status, answer.headers, answer.body],
  });
};

/** At most so many at once, so that it holds nothing up; the next sweep takes the rest. */
const sweepMax = 10_000;

export const deleteAnswersOlderThan = async (db: Queryable, hours: number): Promise<void> => {
  await db.query(
    `DELETE FROM idempotent_answers WHERE (workspace_id, key_mac) IN (
       SELECT workspace_id, key_mac FROM idempotent_answers
       WHERE created_at < now() - make_interval(hours => $1) ORDER BY created_at LIMIT ${sweepMax})`,
    [hours],
  );
};
