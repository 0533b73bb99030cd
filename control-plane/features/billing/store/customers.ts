/** The lock of a customer, in PostgreSQL. */
import type { Transaction } from '../../../db/transaction.ts';

/** Any number, so that other advisory locks with two keys are other ones. */
const lockClass = 7_340_021;

/**
 * Until the transaction ends. What a customer has paid waits for a link of the customer: without it, a payment and a link that come at
 * the same time would not see each other.
 */
export const lockCustomer = async (tx: Transaction, customer: string): Promise<void> => {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lockClass, customer]);
};
