/**
 * Waits until PostgreSQL has every verification that any process has answered up to now: those of living processes, and those in
 * the folders that processes have left.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Membership } from '../../instance/membership.ts';

export interface BarrierOptions {
  /**
   * A claim is recorded and answered within this time of its confirmation, or not answered as authentic. So what was confirmed before the
   * barrier is recorded, or told nobody anything, this long after it.
   */
  answerWithinMs: number;
  /** For a beat that Redis has kept waiting. */
  marginMs: number;
  /** How often Redis is asked meanwhile. */
  pollMs: number;
  /** A barrier that takes longer fails. */
  barrierTimeoutMs: number;
}

/** @returns throws when Redis is away, or verifications are not delivered in time */
export const createDeliveryBarrier =
  (
    { answerWithinMs, marginMs, pollMs, barrierTimeoutMs }: BarrierOptions,
    membership: Pick<Membership, 'beat'>,
  ): (() => Promise<void>) =>
  async () => {
    const deadlineMs = performance.now() + barrierTimeoutMs;
    const barrierMs = (await membership.beat()).nowMs + answerWithinMs + marginMs;
    for (;;) {
      const { complete, deliveredUntilMs } = await membership.beat();
      if (complete && deliveredUntilMs > barrierMs) return;
      if (performance.now() > deadlineMs) throw new Error('verifications are not delivered in time');
      await sleep(pollMs);
    }
  };
