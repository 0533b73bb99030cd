import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sampleEvent } from '../testing/sample-event.ts';
import { drainRows, openTestSpool } from '../testing/spool.ts';
import { wholeRows } from '../testing/whole-rows.ts';
import { createRecorder, type PendingAnswer } from './recorder.ts';
import { createRowWriter } from './row-writer.ts';
import type { Spool } from './spool.ts';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

const openRecorder = async (bufferBytes = 2 ** 20) => {
  const { spool, folder } = await openTestSpool();
  return { spool, folder, recorder: createRecorder(createRowWriter(bufferBytes, [1, 2]), spool) };
};

/** The codes found in the spool's files. */
const codesOnDisk = (folder: string, codeIds: readonly string[]): string[] => {
  const bytes = Buffer.concat(fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name))));
  return codeIds.filter((codeId) => bytes.includes(codeId));
};

test('a response is released only when its scan is on disk', async () => {
  const { recorder, folder } = await openRecorder();
  const codeIds = Array.from({ length: 40 }, (_, index) => `code-${index}.`);
  const onDiskAtRelease: string[] = [];
  for (const codeId of codeIds) {
    const release = () => onDiskAtRelease.push(...codesOnDisk(folder, [codeId]));
    recorder.record(sampleEvent({ codeId }), { aborted: false, release });
    // Some in the same iteration, some while a write is under way.
    if (Number(codeId.slice(5)) % 3 === 0) await nextIteration();
  }
  expect(onDiskAtRelease.length).toBeLessThan(40);
  await recorder.flush();
  expect(onDiskAtRelease).toEqual(codeIds);
});

test('a single scan is written at the end of its iteration; several scans wait for the next iteration', async () => {
  const written: number[] = [];
  const append: Spool['append'] = (batch, onStored) => {
    written.push(batch.rows);
    onStored(true, true);
  };
  const recorder = createRecorder(createRowWriter(20_000, [1, 2]), { append });
  const record = () => recorder.record(sampleEvent(), { aborted: false, release() {} });
  record();
  await nextIteration();
  expect(written).toEqual([1]);
  for (let scan = 0; scan < 8; scan++) record();
  await nextIteration();
  expect(written).toEqual([1]);
  await recorder.flush();
  expect(written).toEqual([1, 8]);
});

test('more scans than fit a buffer are all stored, in order', async () => {
  const { recorder, spool } = await openRecorder(20_000);
  const released: number[] = [];
  for (let index = 0; index < 1000; index++) {
    recorder.record(sampleEvent({ codeId: 'x' }), { aborted: false, release: () => released.push(index) });
  }
  await recorder.flush();
  expect(released).toEqual(Array.from({ length: 1000 }, (_, index) => index));
  await spool.rotate();
  expect(wholeRows(await drainRows(spool)).rows).toBe(1000);
});

test('a scan whose connection closes before it is stored is not recorded', async () => {
  const { recorder, spool } = await openRecorder();
  const released: string[] = [];
  const codeIds = ['first', 'gone-one', 'second', 'gone-two', 'third'];
  for (const codeId of codeIds) {
    const answer = { aborted: false, release: () => released.push(codeId) };
    recorder.record(sampleEvent({ codeId }), answer);
    answer.aborted = codeId.startsWith('gone');
  }
  await recorder.flush();
  expect(released).toEqual(['first', 'second', 'third']);
  await spool.rotate();
  const rows = await drainRows(spool);
  expect(wholeRows(rows)).toEqual({ rows: 3, length: rows.length });
  expect(codeIds.filter((codeId) => rows.includes(codeId))).toEqual(released);
  expect(recorder.statistics).toEqual({ withdrawn: 2, unanswered: 0 });
});

test('a scan whose connection closes while it is being stored is recorded, and counted as unanswered', async () => {
  const { recorder, spool } = await openRecorder();
  const answer: PendingAnswer & { aborted: boolean } = {
    aborted: false,
    release: () => expect.unreachable(),
  };
  recorder.record(sampleEvent(), answer);
  const stored = recorder.flush();
  answer.aborted = true;
  await stored;
  expect(recorder.statistics).toEqual({ withdrawn: 0, unanswered: 1 });
  expect(spool.statistics.appended).toBe(1);
});
