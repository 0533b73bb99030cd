import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool, isDatabaseUnavailable } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { keepAlive } from './keep-alive.ts';

const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 2);
afterFile(() => pool.end());

/** In a transaction that PostgreSQL ends when it hears nothing for a second. */
const inImpatientTransaction = (workMs: number, limits: { intervalMs: number; workMsMax: number }) =>
  inTransaction(pool, async (tx) => {
    await tx.query(`SET LOCAL idle_in_transaction_session_timeout = '1 s'`);
    await keepAlive(tx, () => sleep(workMs), limits);
    return (await tx.query('SELECT 7 AS seven')).rows;
  });

test('work may take longer than PostgreSQL lets a transaction be silent', async () => {
  expect(await inImpatientTransaction(2_000, { intervalMs: 50, workMsMax: 10_000 })).toEqual([{ seven: 7 }]);
});

test('a process that says nothing loses its transaction', async () => {
  await expect(inImpatientTransaction(2_000, { intervalMs: 10_000, workMsMax: 10_000 })).rejects.toSatisfy(
    isDatabaseUnavailable,
  );
});

test('work without an end is given up', async () => {
  await expect(inImpatientTransaction(60_000, { intervalMs: 50, workMsMax: 200 })).rejects.toThrow(
    'a slice took longer than 200 ms',
  );
});
