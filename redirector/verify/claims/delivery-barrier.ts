/**
 * Waits until PostgreSQL has every verification that any process has answered up to now, from live processes and from
 * folders left by dead ones.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Membership } from '../../instance/membership.ts';

export interface BarrierOptions {
  /**
   * A claim is recorded and answered within this time after its confirmation, or is not answered as authentic. So this
   * long after the barrier, a claim confirmed before it is either recorded or was never answered.
   */
  answerWithinMs: number;
  /** For a beat that Redis delayed. */
  marginMs: number;
  /** How often Redis is polled. */
  pollMs: number;
  /** A barrier that takes longer fails. */
  barrierTimeoutMs: number;
}

/** @returns a function that throws if Redis is down or verifications are not delivered in time */
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
