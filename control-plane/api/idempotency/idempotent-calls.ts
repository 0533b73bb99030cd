/**
 * Every operation that creates something counts against a quota, and is done once, however often it is sent with the
 * same idempotency key (draft-ietf-httpapi-idempotency-key-header).
 *
 *   BEGIN ─ claim the key ─ use the quota ─ prepare ─ effect ─ keep the answer ─ COMMIT
 *
 * All of it happens, or nothing: a failure uses up neither the quota nor the key. A second request with the key waits
 * for the first one at the claim, and then repeats its answer, or takes its place if it failed.
 *
 * If the preparation takes long, no transaction stays open, and no other request of the subscription waits for it:
 *
 *   BEGIN ─ claim ─ use and reserve the quota ─ COMMIT ─ prepare ─ BEGIN ─ effect ─ confirm, keep the answer ─ COMMIT
 *                                                            └─ failed ─▶ give the quota back, release the key
 *
 * A process that dies in between leaves a claim and a reservation, which expire after a minute.
 */
import { randomUUID } from 'node:crypto';
import { ClientError } from '#shared/errors.ts';
import { hmacSha256 } from '#shared/signing.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { type Claim, deleteExpiredAnswers } from './idempotent-answers.ts';
import { giveBackExpired } from './quota-reservations.ts';
import { repeatOrWait } from './replays.ts';
import type { Reply } from './reply.ts';
import type { AfterCommit, ConsumeQuota, CreateCall, CreateWork, IdempotencyHeader } from './request.ts';
import { createTransactions, taken } from './transactions.ts';

export const idempotencyKeyLengthMax = 200;
/** How long a request waits for another one with its key that is being performed in steps. */
const waitMsMax = 15_000;

export interface IdempotentCalls {
  /**
   * @throws {ClientError} PLAN_LIMIT_REACHED; INVALID_REQUEST if the key is malformed; UNPROCESSABLE or CONFLICT,
   * depending on the header, if the key was used for another request; CONFLICT if the first request with it is still
   * being performed; and the errors of the work
   */
  perform<Prepared>(request: CreateCall, work: CreateWork<Prepared>): Promise<Reply>;
  /**
   * Does the work and undoes it: nothing is stored, emitted, published or counted, and no key is used up.
   * @returns what {@link IdempotentCalls.perform} would
   * @throws {ClientError} as it
   */
  rehearse<Prepared>(request: CreateCall, work: CreateWork<Prepared>): Promise<Reply>;
  /** Deletes expired answers, and gives back reservations of processes that have died. */
  sweep(): Promise<void>;
}

/** @param macKey derived for the purpose `idempotency` */
export const createIdempotentCalls = (pool: Pool, macKey: Buffer, consume: ConsumeQuota): IdempotentCalls => {
  const transactions = createTransactions(pool, consume);

  const claimOf = ({ principal, fingerprint }: CreateCall, key: string | undefined): Claim | undefined =>
    key === undefined
      ? undefined
      : {
          id: randomUUID(),
          workspaceId: principal.workspaceId,
          keyMac: hmacSha256(macKey, `key ${key}`),
          requestMac: hmacSha256(macKey, `request ${fingerprint()}`),
        };

  const performOnce = async <Prepared>(
    request: CreateCall,
    work: CreateWork<Prepared>,
    afterCommit: AfterCommit,
  ): Promise<Reply> => {
    const { idempotencyHeader, principal, quota } = request;
    const claim = claimOf(request, checkKey(idempotencyHeader, request.idempotencyKey));
    const counted = quota !== undefined && principal.terms.quotas[quota.name] !== null;
    if (!claim && !counted) {
      const prepared = await work.prepare();
      return inTransaction(pool, (tx) => work.effect(tx, prepared, afterCommit));
    }
    const perform = work.isLong ? transactions.inSteps : transactions.atOnce;
    const givesUpAtMs = performance.now() + waitMsMax;
    for (;;) {
      const reply = await perform(request, claim, work, afterCommit);
      if (reply !== taken) return reply;
      const repeated = await repeatOrWait(pool, idempotencyHeader, claim!);
      if (repeated) return repeated;
      if (performance.now() > givesUpAtMs) throw stillPerformed(idempotencyHeader);
    }
  };

  return {
    async perform(request, work) {
      const later: (() => Promise<void>)[] = [];
      const reply = await performOnce(request, work, (then) => later.push(then));
      for (const then of later) await then();
      return reply;
    },
    async rehearse(request, work) {
      checkKey(request.idempotencyHeader, request.idempotencyKey);
      return transactions.rehearse(request, work);
    },
    async sweep() {
      await giveBackExpired(pool);
      await deleteExpiredAnswers(pool);
    },
  };
};

const stillPerformed = (header: IdempotencyHeader): ClientError =>
  new ClientError('CONFLICT', `The first request with this ${header} is still being performed; try again`, {
    retryAfterSeconds: 1,
  });

const checkKey = (header: IdempotencyHeader, key: string | undefined): string | undefined => {
  if (key === undefined || (key.length > 0 && key.length <= idempotencyKeyLengthMax)) return key;
  throw new ClientError(
    'INVALID_REQUEST',
    `${header} must have 1 to ${idempotencyKeyLengthMax} characters; given: ${key.length}`,
  );
};
