import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../deploy/testing/index.ts';
import { createPool, isDatabaseUnavailable } from '../platform/db/pool.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { keepAlive } from './keep-alive.ts';

const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 2);
afterFile(() => pool.end());

/** In a transaction that PostgreSQL ends when it hears nothing for so many seconds. */
const inImpatientTransaction = (
  seconds: number,
  work: (pid: number) => Promise<unknown>,
  limits: { intervalMs: number; workMsMax: number },
) =>
  inTransaction(pool, async (tx) => {
    await tx.query(`SET LOCAL idle_in_transaction_session_timeout = '${seconds} s'`);
    const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await keepAlive(tx, () => work(rows[0]!.pid), limits);
    return (await tx.query('SELECT 7 AS seven')).rows;
  });

/** Resolves once the connection is ended. */
const isEnded = (pid: number) =>
  expect
    .poll(async () => (await pool.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount)
    .toBe(0);

test('work may take longer than PostgreSQL lets a transaction be silent', async () => {
  const limits = { intervalMs: 50, workMsMax: 60_000 };
  expect(await inImpatientTransaction(3, () => sleep(4_000), limits)).toEqual([{ seven: 7 }]);
});

test('a process that says nothing loses its transaction', async () => {
  const limits = { intervalMs: 60_000, workMsMax: 60_000 };
  await expect(inImpatientTransaction(1, isEnded, limits)).rejects.toSatisfy(isDatabaseUnavailable);
});

test('work without an end is given up', async () => {
  const limits = { intervalMs: 50, workMsMax: 200 };
  await expect(inImpatientTransaction(60, () => sleep(60_000), limits)).rejects.toThrow(
    'a slice took longer than 200 ms',
  );
});
