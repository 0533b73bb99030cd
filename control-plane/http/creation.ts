/**
 * What every operation that creates something has in common: it is counted against a quota, and it is done once however
 * often it is sent with the same Idempotency-Key (draft-ietf-httpapi-idempotency-key-header).
 *
 *   BEGIN ─ claim the key ─ use the quota ─ the operation's own work ─ keep the answer ─ COMMIT
 *
 * All of it happens or none: a quota is not used up by what failed, and a key is not spent by it. A second request with
 * the key waits for the first one at the claim, and then repeats its answer, or takes its place where it failed.
 */
import type { QuotaName } from '#schemas/api/plans.ts';
import { ClientError } from '#shared/errors.ts';
import { hmacSha256 } from '#shared/signing.ts';
import type { Pool, Queryable } from '../db/pool.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import type { Principal } from './auth.ts';
import {
  claimAnswer,
  deleteAnswersOlderThan,
  findAnswer,
  keepAnswer,
  type StoredAnswer,
} from './idempotent-answers.ts';
import { periodStart, planLimitReached, quotas } from './plans.ts';
import type { Reply } from './reply.ts';

export const idempotencyKeyLengthMax = 200;
export const idempotentForHours = 24;

/**
 * The part of an operation's work that is done in the transaction: short, and nothing but statements.
 * @param db for all of them
 * @param afterCommit takes what depends on the commit; that must not fail
 */
export type Effect = (db: Queryable, afterCommit: (work: () => Promise<void>) => void) => Promise<Reply>;

/** Performs the effect, once; or repeats the answer that the Idempotency-Key has already had. */
export type Create = (effect: Effect) => Promise<Reply>;

export interface CreationRequest {
  principal: Principal;
  /** The header; undefined where there is none. */
  idempotencyKey: string | undefined;
  /** What makes the request this one: method, path and body. Read only where there is a key. */
  fingerprint(): string;
  quota?: { name: QuotaName; amount: number } | undefined;
}

/** Uses some of a quota in a transaction. @returns undefined, or where it is too much, what has been used so far */
export type ConsumeQuota = (
  tx: Transaction,
  period: { subscriptionId: string; capability: QuotaName; periodStart: string },
  amount: number,
  limit: number,
) => Promise<number | undefined>;

export interface Creations {
  /**
   * @throws {ClientError} PLAN_LIMIT_REACHED; INVALID_REQUEST for a key that is none; UNPROCESSABLE for one that
   *   was used for another request; and what the effect throws
   */
  perform(request: CreationRequest, effect: Effect): Promise<Reply>;
  /** Forgets answers that are older than a day. */
  sweep(): Promise<void>;
}

/** @param macKey derived for the purpose `idempotency` */
export const createCreations = (pool: Pool, macKey: Buffer, consume: ConsumeQuota): Creations => {
  const consumeOrRefuse = async (
    tx: Transaction,
    { subscriptionId, terms }: Principal,
    name: QuotaName,
    amount: number,
  ): Promise<void> => {
    const limit = terms.quotas[name];
    if (limit === null) return;
    const now = new Date();
    const period = { subscriptionId, capability: name, periodStart: periodStart(quotas[name].period, now) };
    const used = await consume(tx, period, amount, limit);
    if (used !== undefined) throw planLimitReached(name, limit, used, now);
  };

  const performInTransaction = (
    { principal, quota, fingerprint }: CreationRequest,
    key: string | undefined,
    effect: (db: Queryable) => Promise<Reply>,
  ): Promise<Reply> =>
    inTransaction(pool, async (tx) => {
      const claim = key && {
        workspaceId: principal.workspaceId,
        keyMac: hmacSha256(macKey, `key ${key}`),
        requestMac: hmacSha256(macKey, `request ${fingerprint()}`),
      };
      // Before the quota: an answer that is repeated uses nothing of it.
      if (claim && !(await claimAnswer(tx, claim, idempotentForHours))) {
        return replay(await findAnswer(tx, claim), claim.requestMac);
      }
      if (quota) await consumeOrRefuse(tx, principal, quota.name, quota.amount);
      const reply = await effect(tx);
      if (claim) await keepAnswer(tx, claim, toStored(reply));
      return reply;
    });

  return {
    async perform(request, effect) {
      const { principal, quota } = request;
      const key = checkKey(request.idempotencyKey);
      const counted = quota !== undefined && principal.terms.quotas[quota.name] !== null;
      const later: (() => Promise<void>)[] = [];
      const work = (db: Queryable) => effect(db, (then) => later.push(then));
      // Where there is neither, a single statement is a transaction of its own.
      const reply = await (counted || key !== undefined
        ? performInTransaction(request, key, work)
        : work(pool));
      for (const then of later) await then();
      return reply;
    },
    sweep: () => deleteAnswersOlderThan(pool, idempotentForHours),
  };
};

const checkKey = (key: string | undefined): string | undefined => {
  if (key === undefined || (key.length > 0 && key.length <= idempotencyKeyLengthMax)) return key;
  throw new ClientError(
    'INVALID_REQUEST',
    `Idempotency-Key must have 1 to ${idempotencyKeyLengthMax} characters`,
  );
};

const toStored = ({ status = 200, headers = {}, body }: Reply): StoredAnswer => {
  if (Buffer.isBuffer(body)) throw new Error('only JSON can be kept and repeated');
  return { status, headers, body: body === undefined ? null : JSON.stringify(body) };
};

const replay = (
  { status, headers, body, requestMac }: StoredAnswer & { requestMac: Buffer },
  asked: Buffer,
): Reply => {
  if (!requestMac.equals(asked)) {
    throw new ClientError('UNPROCESSABLE', 'Idempotency-Key was used before, for a different request');
  }
  return {
    status,
    headers: { ...headers, 'idempotency-replayed': 'true' },
    ...(body !== null && { body: JSON.parse(body) }),
  };
};
