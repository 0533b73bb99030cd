/** For tests: bulk-generate calls, and the contents of their zips. */
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { z } from 'zod';
import { type BulkProgress, bulkProgress } from '#schemas/api/bulk.ts';
import type { Answer, Call } from '../../../testing/control-plane.ts';

export const generate = (call: Call, rows: unknown): Promise<Answer> =>
  call('POST', '/api/qr/bulk-generate', rows);

/** @returns the id of the operation */
export const generated = async (call: Call, rows: unknown): Promise<string> => {
  const answer = await generate(call, rows);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return bulkProgress.parse(answer.body).bulkId;
};

export const progressOf = async (call: Call, bulkId: string): Promise<BulkProgress> => {
  const answer = await call('GET', `/api/qr/bulk-generate/${bulkId}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return bulkProgress.parse(answer.body);
};

export const completed = async (call: Call, bulkId: string): Promise<BulkProgress> => {
  const status = async () => (await progressOf(call, bulkId)).status;
  await expect.poll(status, { timeout: 100_000, interval: 25 }).toBe('completed');
  return progressOf(call, bulkId);
};

export const fetchZip = (call: Call, bulkId: string, headers?: Record<string, string>): Promise<Answer> =>
  call('GET', `/api/qr/bulk-generate/${bulkId}/result`, undefined, headers);

const manifest = z.array(
  z.strictObject({
    uid: z.string(),
    status: z.enum(['created', 'failed']),
    file: z.string().optional(),
    warnings: z.array(z.string()).optional(),
    message: z.string().optional(),
    code: z.string().optional(),
  }),
);

export interface Unzipped {
  /** By name. */
  files: Map<string, Buffer>;
  manifest: z.output<typeof manifest>;
}

/** Reads a zip as strictly as its library does: sizes and checksums must be right, and names safe. */
export const unzip = async (zip: Buffer): Promise<Unzipped> => {
  const archive = await fromBufferPromise(zip, { strictFileNames: true, lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    expect(files.has(entry.fileName)).toBe(false);
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  }
  const results = files.get('results.json');
  if (!results) throw new Error('the zip has no results.json');
  files.delete('results.json');
  return { files, manifest: manifest.parse(JSON.parse(results.toString())) };
};

/** The zip of an operation, once it is completed. */
export const zipOf = async (call: Call, bulkId: string): Promise<Unzipped> => {
  await completed(call, bulkId);
  const answer = await fetchZip(call, bulkId);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBe(200);
  return unzip(answer.body as Buffer);
};

export const textRow = (n: number) => ({
  uid: `row ${n}`,
  dataType: 'text',
  data: `TEXT-${n}`,
  returnType: 'svg',
});

export const textRows = (count: number) => Array.from({ length: count }, (_, n) => textRow(n));
