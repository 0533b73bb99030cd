import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createRecorder, type LogRow, type RowEnd } from './recorder.ts';

const rowOf = (workspaceId: string, n: number, body = ''): LogRow => ({
  workspace_id: workspaceId,
  at: 1_780_000_000_000 + n,
  seq: String(n),
  request_id: `request-${n}`,
  method: 'GET',
  route: '/api/qr/codes',
  path: '/api/qr/codes',
  status: 200,
  error_code: '',
  error_param: '',
  error_message: '',
  duration_ms: 1,
  key_id: 'key_1',
  network: '',
  idempotency_key: false,
  body,
});

class Refusal extends Error {}

interface Batch {
  name: string;
  rows: readonly LogRow[];
}

/** @param insert what the storage does with a batch */
const open = (insert: (batch: Batch) => Promise<void> = async () => undefined) => {
  const batches: Batch[] = [];
  const ends: Record<RowEnd, number> = { written: 0, dropped: 0 };
  const logged: object[] = [];
  const logger = createLogger('test', 'silent');
  logger.info = (fields: object) => logged.push({ level: 'info', ...fields });
  logger.warn = (fields: object) => logged.push({ level: 'warn', ...fields });
  const recorder = createRecorder({
    async insert(name, rows) {
      batches.push({ name, rows });
      await insert({ name, rows });
    },
    isRefusal: (error) => error instanceof Refusal,
    onEnded: (how, rows) => {
      ends[how] += rows;
    },
    logger,
    flushIntervalMs: 10,
  });
  afterFile(() => recorder.close());
  return { recorder, batches, ends, logged };
};

/** Workspaces enough that none reaches its own bound. */
const manyWorkspaces = (n: number) => `ws_${n % 50}`;

test('rows are written in the background, in their order, in batches of at most 1,000 rows or a megabyte', async () => {
  const { recorder, batches, ends } = open();
  for (let n = 0; n < 2_500; n++) recorder.add(rowOf(manyWorkspaces(n), n));
  expect(batches).toEqual([]);
  await expect.poll(() => ends.written).toBe(2_500);
  expect(batches.map(({ rows }) => rows.length)).toEqual([1_000, 1_000, 500]);
  expect(batches.flatMap(({ rows }) => rows.map(({ seq }) => seq))).toEqual(
    Array.from({ length: 2_500 }, (_, n) => `${n}`),
  );
  for (let n = 0; n < 400; n++) recorder.add(rowOf(manyWorkspaces(n), n, 'x'.repeat(8_000)));
  await expect.poll(() => ends.written).toBe(2_900);
  for (const { rows } of batches.slice(3)) expect(rows.length).toBeLessThan(140);
});

test('a batch that failed is sent again under its name, and later rows wait behind it', async () => {
  let failures = 3;
  const { recorder, batches, ends } = open(async () => {
    if (failures-- > 0) throw new Error('away');
  });
  recorder.add(rowOf('ws_1', 1));
  await expect.poll(() => batches.length).toBeGreaterThan(1);
  recorder.add(rowOf('ws_1', 2));
  await expect.poll(() => ends.written).toBe(2);
  expect(new Set(batches.slice(0, 4).map(({ name }) => name)).size).toBe(1);
  expect(batches.map(({ rows }) => rows.map(({ seq }) => seq).join())).toEqual(['1', '1', '1', '1', '2']);
});

test('a batch that the storage refuses five times is dropped and counted, and the rows behind it are written', async () => {
  const { recorder, batches, ends } = open(async ({ rows }) => {
    if (rows[0]!.seq === '1') throw new Refusal('no such value');
  });
  recorder.add(rowOf('ws_1', 1));
  await expect.poll(() => batches.length).toBeGreaterThan(0);
  recorder.add(rowOf('ws_1', 2));
  await expect.poll(() => ends).toEqual({ written: 1, dropped: 1 });
  expect(batches.map(({ rows }) => rows.map(({ seq }) => seq).join())).toEqual([
    '1',
    '1',
    '1',
    '1',
    '1',
    '2',
  ]);
});

test('while the storage is away, at most 10,000 rows wait; further ones are dropped and counted', async () => {
  const { recorder, ends } = open(() => Promise.reject(new Error('away')));
  for (let n = 0; n < 12_345; n++) recorder.add(rowOf(manyWorkspaces(n), n));
  expect(recorder.waiting()).toBe(10_000);
  expect(ends).toEqual({ written: 0, dropped: 2_345 });
});

test('a workspace that sends thousands of requests at once loses its own rows only', async () => {
  const { recorder, ends, batches } = open();
  for (let n = 0; n < 5_000; n++) recorder.add(rowOf('ws_loud', n));
  recorder.add(rowOf('ws_quiet', 0));
  await expect.poll(() => ends).toEqual({ written: 1_001, dropped: 4_000 });
  expect(batches.flatMap(({ rows }) => rows).filter((row) => row.workspace_id === 'ws_quiet')).toHaveLength(
    1,
  );
});

test('a stop writes what is held, and says how much it was', async () => {
  const { recorder, ends, logged } = open();
  recorder.add(rowOf('ws_1', 1));
  recorder.add(rowOf('ws_1', 2));
  await recorder.close();
  expect(ends).toEqual({ written: 2, dropped: 0 });
  expect(logged).toEqual([{ level: 'info', held: 2, written: 2, lost: 0 }]);
});

test('a stop without its storage says and counts what is lost, and does not wait for long', async () => {
  const { recorder, ends, logged } = open(() => Promise.reject(new Error('away')));
  recorder.add(rowOf('ws_1', 1));
  await recorder.close();
  expect(ends).toEqual({ written: 0, dropped: 1 });
  expect(logged.at(-1)).toEqual({ level: 'warn', held: 1, written: 0, lost: 1 });
});
