/** The outbox with a real PostgreSQL: a change and all that follows from it commit together, or not at all. */

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Event, NewEvent } from '#schemas/events.ts';
import { createLogger } from '#shared/logger.ts';
import { createTestDatabase } from '../../deploy/testing/index.ts';
import { createPool } from '../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../platform/db/transaction.ts';
import { type Consumer, createOutbox } from './outbox.ts';

const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'));
afterAll(() => pool.end());
await pool.query(
  'CREATE TABLE things (id text); CREATE TABLE queue (number serial, consumer text, event json)',
);
beforeEach(async () => {
  await pool.query('DELETE FROM things; DELETE FROM queue');
});

const about = {
  workspaceId: 'ws_1',
  subject: { id: 'abcdefghi', version: 1 },
  occurredAt: new Date(),
  labels: { tagIds: [], folderId: null },
};
const created: NewEvent = { type: 'qr.created', ...about, data: { dataType: 'url', secure: [] } };
const updated: NewEvent = { type: 'qr.updated', ...about, data: { changedKeys: ['name'] } };

/** Keeps each event in a row of its own. */
const queueing = (name: string, types: Consumer['types']): Consumer => ({
  types,
  async accept(tx, events) {
    for (const event of events)
      await tx.query('INSERT INTO queue (consumer, event) VALUES ($1, $2)', [name, event]);
  },
});

const queued = async (): Promise<{ consumer: string; event: Event }[]> =>
  (await pool.query('SELECT consumer, event FROM queue ORDER BY number')).rows;

const change = (work: (tx: Transaction) => Promise<void>) =>
  inTransaction(pool, async (tx) => {
    await tx.query(`INSERT INTO things (id) VALUES ('a')`);
    await work(tx);
  });

const things = async () => (await pool.query('SELECT id FROM things')).rowCount;

describe('an event', () => {
  test('reaches every consumer that takes its type, and no other', async () => {
    const outbox = createOutbox([
      queueing('both', ['qr.created', 'qr.updated']),
      queueing('updates', ['qr.updated']),
      queueing('deletes', ['qr.deleted']),
    ]);
    await change((tx) => outbox.emit(tx, [created, updated]));
    const found = await queued();
    const typesOf = (name: string) =>
      found.filter(({ consumer }) => consumer === name).map(({ event }) => event.type);
    expect(found).toHaveLength(3);
    expect([typesOf('both'), typesOf('updates')]).toEqual([['qr.created', 'qr.updated'], ['qr.updated']]);
  });

  test('has one id for all consumers, and different events have different ids', async () => {
    const outbox = createOutbox([
      queueing('one', ['qr.created', 'qr.updated']),
      queueing('two', ['qr.updated']),
    ]);
    await change((tx) => outbox.emit(tx, [created, updated]));
    const [first, second, again] = (await queued()).map(({ event }) => event);
    expect(first!.id).toMatch(/^evt_[1-9A-HJ-NP-Za-km-z]{16}$/);
    expect(second!.id).not.toBe(first!.id);
    expect(again).toEqual(second);
  });

  test('that no consumer takes is stored nowhere', async () => {
    await change((tx) => createOutbox([queueing('deletes', ['qr.deleted'])]).emit(tx, [created, updated]));
    expect(await queued()).toEqual([]);
  });
});

test('a transaction that is rolled back leaves no row of any queue', async () => {
  const outbox = createOutbox([queueing('one', ['qr.updated']), queueing('two', ['qr.updated'])]);
  const failing = change(async (tx) => {
    await outbox.emit(tx, [updated]);
    expect((await tx.query('SELECT FROM queue')).rowCount).toBe(2);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await queued()).toEqual([]);
  expect(await things()).toBe(0);
});

test('a consumer that fails undoes the change, and what other consumers made of it', async () => {
  const outbox = createOutbox([
    queueing('one', ['qr.updated']),
    {
      types: ['qr.updated'],
      async accept(tx) {
        await tx.query('INSERT INTO no_such_table VALUES (1)');
      },
    },
  ]);
  await expect(change((tx) => outbox.emit(tx, [updated]))).rejects.toThrow('no_such_table');
  expect(await queued()).toEqual([]);
  expect(await things()).toBe(0);
});
