/** Applies an event of the provider once, however often and to however many processes it is sent. */
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { applyEvent, type Billing } from './apply-event.ts';
import type { Reading } from './provider-event.ts';
import { insertEvent, insertUnreadable, noteOutcome, type Outcome } from './store/events.ts';

export const eventOutcomes = [
  'applied',
  'noted',
  'stale',
  'waiting',
  'unreadable',
  'repeated',
  'ignored',
] as const;

export type EventOutcome = (typeof eventOutcomes)[number];

export interface Taken {
  outcome: EventOutcome;
  /** For the operator. */
  problem?: string;
}

export const takeEvent = async (pool: Pool, billing: Billing, reading: Reading): Promise<Taken> => {
  if (reading.kind === 'ignored') return { outcome: 'ignored' };
  if (reading.kind === 'unreadable') {
    const isNew = await insertUnreadable(pool, reading.unreadable);
    return isNew ? { outcome: 'unreadable', problem: reading.unreadable.problem } : { outcome: 'repeated' };
  }
  const { event } = reading;
  return inTransaction<Taken>(pool, async (tx) => {
    if (!(await insertEvent(tx, event))) return { outcome: 'repeated' };
    const outcome: Outcome = await applyEvent(tx, billing, event);
    await noteOutcome(tx, event.id, outcome);
    return outcome;
  });
};
