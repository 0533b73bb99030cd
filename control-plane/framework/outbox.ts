/**
 * The outbox: events, handed on in the transaction that causes them. A change commits together with everything that
 * follows from it, or not at all.
 *
 *   transaction: the change ─▶ emit ─▶ each consumer adds rows to its own queue ──commit──▶ each works off its queue
 *
 * The fan-out happens on write. Each consumer's queue is a table of its own, with the states, retries and dead letters that
 * its work needs; one that lags holds up no other. A common table of events would have to be read by all of them, in an order
 * that concurrent commits do not give, and kept until the last of them is done.
 */
import { createHash } from 'node:crypto';
import type { Event, EventType, NewEvent } from '#schemas/events.ts';
import { base58OfDigest, prefixedIds } from '#shared/ids.ts';
import type { Transaction } from '../platform/db/transaction.ts';

export const eventIds = prefixedIds('evt');

/** The id of an event that may be reported again: a function of what names it. */
export const eventIdOf = (name: string): string =>
  `${eventIds.prefix}_${base58OfDigest(createHash('sha256').update(name).digest(), 16)}`;

/** Follows the events of some types. */
export interface Consumer<Type extends EventType = EventType> {
  readonly types: readonly Type[];
  /**
   * Adds what follows from the events to the consumer's queue: short, and nothing but statements.
   * @param events of {@link Consumer.types}, at least one, in the order in which they happened
   * @throws what undoes the change that causes the events
   */
  accept(tx: Transaction, events: readonly Event<Type>[]): Promise<void>;
}

export interface Outbox {
  /**
   * To be called in the transaction that causes the events. An event that no consumer takes is stored nowhere.
   * @throws what a consumer throws: then the transaction must not commit
   */
  emit(tx: Transaction, events: readonly NewEvent[]): Promise<void>;
}

export const createOutbox = (consumers: readonly Consumer[]): Outbox => {
  const takenTypes = new Set(consumers.flatMap(({ types }) => types));
  return {
    async emit(tx, events) {
      const taken = events
        .filter(({ type }) => takenTypes.has(type))
        .map((event): Event => ({ ...event, id: event.id ?? eventIds.create() }));
      const accept = (consumer: Consumer) => {
        const own = taken.filter(({ type }) => consumer.types.includes(type));
        return own.length > 0 ? consumer.accept(tx, own) : undefined;
      };
      // Side by side: their statements travel together.
      await Promise.all(consumers.map(accept));
    },
  };
};
