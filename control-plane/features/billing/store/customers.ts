/** The lock of a customer, in PostgreSQL. */
import type { Transaction } from '../../../platform/db/transaction.ts';

/** An arbitrary number that sets it apart from other advisory locks with two keys. */
const lockClass = 7_340_021;

/**
 * Holds until the transaction ends. A customer's payment waits for a link of the customer: without the lock, a payment
 * and a link that arrive at the same time would not see each other.
 */
export const lockCustomer = async (tx: Transaction, customer: string): Promise<void> => {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lockClass, customer]);
};
