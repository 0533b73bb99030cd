/** For tests: bulk calls, and waiting for them to end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { z } from 'zod';
import { type BulkProgress, bulkProgress, bulkResultEntry } from '#schemas/api/bulk.ts';
import type { Answer, Call } from '../../../testing/control-plane.ts';

export const submit = (call: Call, rows: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  call('POST', '/api/qr/codes/bulk', rows, headers);

/** @returns the id of the operation */
export const submitted = async (call: Call, rows: unknown): Promise<string> => {
  const answer = await submit(call, rows);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return bulkProgress.parse(answer.body).bulkId;
};

export const progressOf = async (call: Call, bulkId: string): Promise<BulkProgress> => {
  const answer = await call('GET', `/api/qr/codes/bulk/${bulkId}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return bulkProgress.parse(answer.body);
};

export const completed = async (call: Call, bulkId: string, timeoutMs = 100_000): Promise<BulkProgress> => {
  // Not by expect.poll: concurrent tests call it, too.
  const givesUpAtMs = performance.now() + timeoutMs;
  for (;;) {
    const progress = await progressOf(call, bulkId);
    if (progress.status === 'completed') return progress;
    if (performance.now() > givesUpAtMs)
      throw new Error(`${bulkId} is ${progress.status} after ${timeoutMs} ms`);
    await sleep(25);
  }
};

export const fetchResult = (call: Call, bulkId: string): Promise<Answer> =>
  call('GET', `/api/qr/codes/bulk/${bulkId}/result`);

/** With the fields of both kinds of entries. */
export interface Entry {
  uid: string;
  status: z.output<typeof bulkResultEntry>['status'];
  id?: string;
  redirectUrl?: string;
  warnings?: string[] | undefined;
  message?: string;
  code?: string;
}

export const resultOf = async (call: Call, bulkId: string): Promise<Entry[]> => {
  await completed(call, bulkId);
  const answer = await fetchResult(call, bulkId);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return z.array(bulkResultEntry).parse(answer.body);
};

export const plainRow = (n: number) => ({ uid: `row ${n}`, data: `https://example.com/${n}` });

export const plainRows = (count: number) => Array.from({ length: count }, (_, n) => plainRow(n));
