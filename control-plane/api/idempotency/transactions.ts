/**
 * The transactions of a create call, as idempotent-calls.ts draws them: a single one or, if the preparation takes long, one
 * before and one after it.
 */
import { randomUUID } from 'node:crypto';
import { isNoChange } from '../../platform/db/actions.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction, rolledBack, type Transaction } from '../../platform/db/transaction.ts';
import { periodStart, planLimitReached, quotas } from '../access/plans.ts';
import { type Claim, claimAnswer, releaseAnswer } from './idempotent-answers.ts';
import { confirm, giveBack, type QuotaReservation, reserve } from './quota-reservations.ts';
import { keepOrFail, tookTooLong } from './replays.ts';
import type { Reply } from './reply.ts';
import {
  type AfterCommit,
  type ConsumeQuota,
  type CreateCall,
  type CreateWork,
  idempotency,
} from './request.ts';

/** Longer than any work that a request may wait for: after this, the process doing it is presumed dead. */
const holdSeconds = 60;

/** Another request has the key. */
export const taken = Symbol('taken');

/** Does the work of a call once, if the key is free. */
export type Perform = <Prepared>(
  request: CreateCall,
  claim: Claim | undefined,
  work: CreateWork<Prepared>,
  afterCommit: AfterCommit,
) => Promise<Reply | typeof taken>;

export interface Transactions {
  atOnce: Perform;
  inSteps: Perform;
  /** Does the work of a call and undoes it. */
  rehearse<Prepared>(request: CreateCall, work: CreateWork<Prepared>): Promise<Reply>;
}

export const createTransactions = (pool: Pool, consume: ConsumeQuota): Transactions => {
  /** @returns the amount used; undefined if there is no limit */
  const consumeOrRefuse = async (
    tx: Transaction,
    { principal: { subscriptionId, terms }, quota }: CreateCall,
  ): Promise<QuotaReservation | undefined> => {
    const limit = quota && terms.quotas[quota.name];
    if (!quota || limit === null || limit === undefined) return undefined;
    const { name, amount } = quota;
    const now = new Date();
    const period = { subscriptionId, capability: name, periodStart: periodStart(quotas[name].period, now) };
    const used = await consume(tx, period, amount, limit);
    if (used !== undefined) throw planLimitReached(name, limit, used, now, terms);
    return { id: randomUUID(), ...period, amount };
  };

  /** The key before the quota: a repeated answer uses none of it. */
  const begin = async (tx: Transaction, request: CreateCall, claim: Claim | undefined) => {
    const { validHours } = idempotency[request.idempotencyHeader];
    if (claim && !(await claimAnswer(tx, claim, validHours, holdSeconds))) return taken;
    return consumeOrRefuse(tx, request);
  };

  const atOnce: Perform = (request, claim, { prepare, effect }, afterCommit) =>
    inTransaction(pool, async (tx) => {
      if ((await begin(tx, request, claim)) === taken) {
        isNoChange(tx);
        return taken;
      }
      const reply = await effect(tx, await prepare(), afterCommit);
      if (claim) await keepOrFail(tx, claim, reply);
      return reply;
    });

  /** The sweep does any part that fails here. */
  const undo = async (claim: Claim | undefined, reservation: QuotaReservation | undefined): Promise<void> => {
    await Promise.allSettled([
      claim && releaseAnswer(pool, claim),
      reservation && giveBack(pool, reservation.id),
    ]);
  };

  const inSteps: Perform = async (request, claim, { prepare, effect }, afterCommit) => {
    const begun = await inTransaction(pool, async (tx) => {
      isNoChange(tx);
      const reservation = await begin(tx, request, claim);
      if (reservation !== taken && reservation) await reserve(tx, reservation, holdSeconds);
      return reservation;
    });
    if (begun === taken) return taken;
    try {
      const prepared = await prepare();
      return await inTransaction(pool, async (tx) => {
        const reply = await effect(tx, prepared, afterCommit);
        if (begun && !(await confirm(tx, begun.id))) throw tookTooLong();
        if (claim) await keepOrFail(tx, claim, reply);
        return reply;
      });
    } catch (error) {
      await undo(claim, begun);
      throw error;
    }
  };

  /** The quota is looked at first, so that a refusal costs no preparation. */
  const rehearse: Transactions['rehearse'] = async (request, { prepare, effect }) => {
    await rolledBack(pool, (tx) => consumeOrRefuse(tx, request));
    const prepared = await prepare(true);
    return rolledBack(pool, async (tx) => {
      await consumeOrRefuse(tx, request);
      return effect(tx, prepared, () => {});
    });
  };

  return { atOnce, inSteps, rehearse };
};
