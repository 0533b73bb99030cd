/**
 * What every operation that creates something has in common: it is counted against a quota, and it is done once however
 * often it is sent with the same idempotency key (draft-ietf-httpapi-idempotency-key-header).
 *
 *   BEGIN ─ claim the key ─ use the quota ─ prepare ─ effect ─ keep the answer ─ COMMIT
 *
 * All of it happens or none: a quota is not used up by what failed, and a key is not spent by it. A second request with
 * the key waits for the first one at the claim, and then repeats its answer, or takes its place where it failed.
 *
 * Where the preparation takes long, no transaction stays open for it, and no other request of the subscription waits for it:
 *
 *   BEGIN ─ claim ─ use and reserve the quota ─ COMMIT ─ prepare ─ BEGIN ─ effect ─ settle, keep the answer ─ COMMIT
 *                                                            └─ failed ─▶ give the quota back, release the key
 *
 * A process that ends in between leaves a claim and a reservation, which end by themselves after a minute.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QuotaName } from '#schemas/api/plans.ts';
import { ClientError } from '#shared/errors.ts';
import { hmacSha256 } from '#shared/signing.ts';
import type { Principal } from '../access/authentication.ts';
import { periodStart, planLimitReached, quotas } from '../access/plans.ts';
import type { Pool } from '../db/pool.ts';
import { inTransaction, type Transaction } from '../db/transaction.ts';
import {
  type Claim,
  claimAnswer,
  deleteAnswersOlderThan,
  findAnswer,
  keepAnswer,
  releaseAnswer,
  type StoredAnswer,
} from './idempotent-answers.ts';
import { giveBack, giveBackExpired, type Reservation, reserve, settle } from './quota-reservations.ts';
import type { Reply } from './reply.ts';

export const idempotencyKeyLengthMax = 200;
export const idempotentForHours = 24;

/**
 * The standard's header, for operations that are specified with it; and ours, by which a client opts in elsewhere: where the
 * specification says that every call creates, the standard one is ignored.
 */
export type IdempotencyHeader = 'Idempotency-Key' | 'Waymark-Idempotency-Key';

/** Longer than any work that a request may wait for: then the process that does it is taken for dead. */
const holdSeconds = 60;
/** How long a request waits for another one with its key that is being performed in steps, and how often it looks. */
const waitMsMax = 15_000;
const waitStepMs = 50;

export type AfterCommit = (work: () => Promise<void>) => void;

/** What an operation does to create something. */
export interface Making<Prepared> {
  /** Whether the preparation takes more than a moment: then no transaction is open meanwhile. */
  isLong?: boolean;
  /** Checks what time may have changed, and does what costs something. The key is claimed and the quota taken by then. */
  prepare(): Promise<Prepared>;
  /**
   * The part that is done in a transaction: short, and nothing but statements.
   * @param tx for all of them
   * @param afterCommit takes what depends on the commit; that must not fail
   */
  effect(tx: Transaction, prepared: Prepared, afterCommit: AfterCommit): Promise<Reply>;
}

/** Performs it, once; or repeats the answer that the idempotency key has already had. */
export type Create = <Prepared>(making: Making<Prepared>) => Promise<Reply>;

export interface CreationRequest {
  principal: Principal;
  /** Undefined where the header is not there. */
  idempotencyKey: string | undefined;
  idempotencyHeader: IdempotencyHeader;
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
   *   was used for another request; CONFLICT where the first request with it is still being performed; and what the making
   *   throws
   */
  perform<Prepared>(request: CreationRequest, making: Making<Prepared>): Promise<Reply>;
  /** Forgets answers that are older than a day, and gives back what was reserved by processes that have ended. */
  sweep(): Promise<void>;
}

/** Somebody else has the key; what stands under it is to be looked at. */
const taken = Symbol('taken');

/** @param macKey derived for the purpose `idempotency` */
export const createCreations = (pool: Pool, macKey: Buffer, consume: ConsumeQuota): Creations => {
  const claimOf = (
    { principal, fingerprint }: CreationRequest,
    key: string | undefined,
  ): Claim | undefined =>
    key === undefined
      ? undefined
      : {
          id: randomUUID(),
          workspaceId: principal.workspaceId,
          keyMac: hmacSha256(macKey, `key ${key}`),
          requestMac: hmacSha256(macKey, `request ${fingerprint()}`),
        };

  /** @returns what was used; undefined where there is no limit */
  const consumeOrRefuse = async (
    tx: Transaction,
    { principal: { subscriptionId, terms }, quota }: CreationRequest,
  ): Promise<Reservation | undefined> => {
    const limit = quota && terms.quotas[quota.name];
    if (!quota || limit === null || limit === undefined) return undefined;
    const { name, amount } = quota;
    const now = new Date();
    const period = { subscriptionId, capability: name, periodStart: periodStart(quotas[name].period, now) };
    const used = await consume(tx, period, amount, limit);
    if (used !== undefined) throw planLimitReached(name, limit, used, now);
    return { id: randomUUID(), ...period, amount };
  };

  /** The key before the quota: an answer that is repeated uses nothing of it. */
  const begin = async (tx: Transaction, request: CreationRequest, claim: Claim | undefined) => {
    if (claim && !(await claimAnswer(tx, claim, idempotentForHours, holdSeconds))) return taken;
    return consumeOrRefuse(tx, request);
  };

  const performAtOnce = <Prepared>(
    request: CreationRequest,
    claim: Claim | undefined,
    { prepare, effect }: Making<Prepared>,
    afterCommit: AfterCommit,
  ): Promise<Reply | typeof taken> =>
    inTransaction(pool, async (tx) => {
      if ((await begin(tx, request, claim)) === taken) return taken;
      const reply = await effect(tx, await prepare(), afterCommit);
      if (claim) await keepOrFail(tx, claim, reply);
      return reply;
    });

  /** Whatever of it fails, the sweep does. */
  const undo = async (claim: Claim | undefined, reservation: Reservation | undefined): Promise<void> => {
    await Promise.allSettled([
      claim && releaseAnswer(pool, claim),
      reservation && giveBack(pool, reservation.id),
    ]);
  };

  const performInSteps = async <Prepared>(
    request: CreationRequest,
    claim: Claim | undefined,
    { prepare, effect }: Making<Prepared>,
    afterCommit: AfterCommit,
  ): Promise<Reply | typeof taken> => {
    const begun = await inTransaction(pool, async (tx) => {
      const reservation = await begin(tx, request, claim);
      if (reservation !== taken && reservation) await reserve(tx, reservation, holdSeconds);
      return reservation;
    });
    if (begun === taken) return taken;
    try {
      const prepared = await prepare();
      return await inTransaction(pool, async (tx) => {
        const reply = await effect(tx, prepared, afterCommit);
        if (begun && !(await settle(tx, begun.id))) throw tookTooLong();
        if (claim) await keepOrFail(tx, claim, reply);
        return reply;
      });
    } catch (error) {
      await undo(claim, begun);
      throw error;
    }
  };

  const performOnce = async <Prepared>(
    request: CreationRequest,
    making: Making<Prepared>,
    afterCommit: AfterCommit,
  ): Promise<Reply> => {
    const { idempotencyHeader, principal, quota } = request;
    const claim = claimOf(request, checkKey(idempotencyHeader, request.idempotencyKey));
    const counted = quota !== undefined && principal.terms.quotas[quota.name] !== null;
    if (!claim && !counted) {
      const prepared = await making.prepare();
      return inTransaction(pool, (tx) => making.effect(tx, prepared, afterCommit));
    }
    const perform = making.isLong ? performInSteps : performAtOnce;
    const givesUpAtMs = performance.now() + waitMsMax;
    for (;;) {
      const reply = await perform(request, claim, making, afterCommit);
      if (reply !== taken) return reply;
      const repeated = await repeatOrWait(idempotencyHeader, claim!);
      if (repeated) return repeated;
      if (performance.now() > givesUpAtMs) throw stillPerformed(idempotencyHeader);
    }
  };

  /** @returns undefined where the key has become free, or may have: then it is to be claimed again */
  const repeatOrWait = async (header: IdempotencyHeader, claim: Claim): Promise<Reply | undefined> => {
    const answer = await findAnswer(pool, claim);
    if (!answer) return undefined;
    if (!answer.requestMac.equals(claim.requestMac)) {
      throw new ClientError('UNPROCESSABLE', `${header} was used before, for a different request`);
    }
    if (answer.status !== null) return replay(answer);
    await sleep(waitStepMs);
    return undefined;
  };

  return {
    async perform(request, making) {
      const later: (() => Promise<void>)[] = [];
      const reply = await performOnce(request, making, (then) => later.push(then));
      for (const then of later) await then();
      return reply;
    },
    async sweep() {
      await giveBackExpired(pool);
      await deleteAnswersOlderThan(pool, idempotentForHours);
    },
  };
};

const keepOrFail = async (tx: Transaction, claim: Claim, reply: Reply): Promise<void> => {
  if (!(await keepAnswer(tx, claim, toStored(reply)))) throw tookTooLong();
};

const tookTooLong = (): ClientError =>
  new ClientError('UNAVAILABLE', 'The request took too long; nothing was created. Try again');

const stillPerformed = (header: IdempotencyHeader): ClientError =>
  new ClientError('CONFLICT', `The first request with this ${header} is still being performed; try again`, {
    retryAfterSeconds: 1,
  });

const checkKey = (header: IdempotencyHeader, key: string | undefined): string | undefined => {
  if (key === undefined || (key.length > 0 && key.length <= idempotencyKeyLengthMax)) return key;
  throw new ClientError('INVALID_REQUEST', `${header} must have 1 to ${idempotencyKeyLengthMax} characters`);
};

const toStored = ({ status = 200, headers = {}, body }: Reply): StoredAnswer => {
  if (Buffer.isBuffer(body)) throw new Error('only JSON can be kept and repeated');
  return { status, headers, body: body === undefined ? null : JSON.stringify(body) };
};

const replay = ({ status, headers, body }: StoredAnswer): Reply => ({
  status,
  headers: { ...headers, 'idempotency-replayed': 'true' },
  ...(body !== null && { body: JSON.parse(body) }),
});
