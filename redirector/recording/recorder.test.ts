import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { sampleEvent } from '../testing/sample-event.ts';
import { drainRows, openTestSpool } from '../testing/spool.ts';
import { wholeRows } from '../testing/whole-rows.ts';
import { createRecorder, type PendingAnswer } from './recorder.ts';
import { createScanEncoder } from './scan-encoder.ts';
import type { Spool, SpoolOptions } from './spool.ts';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

const recorderOf = (spool: Pick<Spool, 'begin' | 'append'>, batchBytes = 2 ** 20) =>
  createRecorder(createScanEncoder([1, 2]), batchBytes, spool);

/** @param journaled whether the spool has a journal */
const openRecorder = async (
  journaled: boolean,
  { batchBytes, ...options }: Partial<SpoolOptions> & { batchBytes?: number } = {},
) => {
  const journal = path.join(await temporaryFolder(), 'journal');
  const { spool, folder } = await openTestSpool({ journal: journaled ? journal : undefined, ...options });
  return { spool, folder, journal, recorder: recorderOf(spool, batchBytes) };
};

/** The codes found in a folder's files. */
const codesIn = (folder: string, codeIds: readonly string[]): string[] => {
  const bytes = Buffer.concat(fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name))));
  return codeIds.filter((codeId) => bytes.includes(codeId));
};

const codeIds = Array.from({ length: 40 }, (_, index) => `code-${index}.`);

test('a scan is in the journal when its response is released, in the call that records it', async () => {
  const { recorder, journal } = await openRecorder(true);
  for (const codeId of codeIds) {
    let found: string[] = [];
    const release = () => {
      found = codesIn(journal, [codeId]);
    };
    recorder.record(sampleEvent({ codeId }), { aborted: false, release });
    expect(found).toEqual([codeId]);
  }
});

test('scans in the journal are on disk some 20 ms later', async () => {
  const { recorder, folder } = await openRecorder(true);
  for (const codeId of codeIds) recorder.record(sampleEvent({ codeId }), { aborted: false, release() {} });
  expect(codesIn(folder, codeIds)).toEqual([]);
  await eventually(() => expect(codesIn(folder, codeIds)).toEqual(codeIds));
});

test('under load the scans of an iteration are in the journal before the first of them is released', async () => {
  const { recorder, journal } = await openRecorder(true);
  const busy = { aborted: false, release() {} };
  for (let scan = 0; scan < 200; scan++) recorder.record(sampleEvent(), busy);
  await recorder.flush();
  let found: string[] | undefined;
  const release = () => {
    found ??= codesIn(journal, codeIds);
  };
  for (const codeId of codeIds) recorder.record(sampleEvent({ codeId }), { aborted: false, release });
  expect(found).toBeUndefined();
  await nextIteration();
  expect(found).toEqual(codeIds);
});

test.each([
  ['without a journal', false, {}],
  ['with SPOOL_SYNC=always', true, { sync: 'always' }],
] as const)('%s a response is released only when its scan is on disk', async (_, journaled, options) => {
  const { recorder, folder } = await openRecorder(journaled, options);
  const onDiskAtRelease: string[] = [];
  for (const codeId of codeIds) {
    const release = () => onDiskAtRelease.push(...codesIn(folder, [codeId]));
    recorder.record(sampleEvent({ codeId }), { aborted: false, release });
    // Some in the same iteration, some while a write is under way.
    if (Number(codeId.slice(5)) % 3 === 0) await nextIteration();
  }
  expect(onDiskAtRelease.length).toBeLessThan(40);
  await recorder.flush();
  expect(onDiskAtRelease).toEqual(codeIds);
});

test('a scan that comes while another is written to the disk is answered without a further one', async () => {
  const { recorder } = await openRecorder(false);
  const released: string[] = [];
  const record = (codeId: string) =>
    recorder.record(sampleEvent({ codeId }), { aborted: false, release: () => released.push(codeId) });
  record('first');
  await nextIteration();
  expect(released).toEqual([]);
  record('second');
  await eventually(() => expect(released).toEqual(['first', 'second']));
});

test.each([true, false])(
  'more scans than fit a batch are all stored, in order (journal: %s)',
  async (journaled) => {
    const { recorder, spool } = await openRecorder(journaled, { batchBytes: 20_000 });
    const released: number[] = [];
    for (let index = 0; index < 1000; index++) {
      recorder.record(sampleEvent({ codeId: 'x' }), { aborted: false, release: () => released.push(index) });
    }
    await recorder.flush();
    expect(released).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    await spool.rotate();
    expect(wholeRows(await drainRows(spool)).rows).toBe(1000);
  },
);

test('a scan whose connection has closed before is not recorded', async () => {
  const { recorder, spool } = await openRecorder(true);
  const told: boolean[] = [];
  const gone = { aborted: true, release: () => expect.unreachable() };
  recorder.record(sampleEvent(), gone);
  recorder.record(sampleEvent(), { ...gone, afterWrite: (stored) => told.push(stored) });
  await recorder.flush();
  expect(told).toEqual([false]);
  expect(spool.statistics.appended).toBe(0);
});

test('a scan whose connection closes while it is being stored is recorded, and not answered', async () => {
  const { recorder, spool } = await openRecorder(false);
  const answer: PendingAnswer & { aborted: boolean } = {
    aborted: false,
    release: () => expect.unreachable(),
  };
  recorder.record(sampleEvent(), answer);
  answer.aborted = true;
  await recorder.flush();
  expect(spool.statistics.appended).toBe(1);
});

test('if the journal takes no more, scans are answered once the disk has them, and each is stored once', async () => {
  const { recorder, journal, folder, spool } = await openRecorder(true);
  const released: string[] = [];
  const record = (codeId: string) =>
    recorder.record(sampleEvent({ codeId }), { aborted: false, release: () => released.push(codeId) });
  record('before');
  expect(released).toEqual(['before']);
  await recorder.flush();
  await spool.rotate();
  // A folder that is gone takes no new file.
  fs.renameSync(journal, `${journal}.gone`);
  record('during');
  expect(released).toEqual(['before']);
  await recorder.flush();
  expect(released).toEqual(['before', 'during']);
  expect(codesIn(folder, ['before', 'during'])).toEqual(released);
  fs.renameSync(`${journal}.gone`, journal);
  // It is not tried for a second.
  record('soon');
  expect(released).toEqual(['before', 'during']);
  await recorder.flush();
  await sleep(1010);
  record('after');
  expect(released).toEqual(['before', 'during', 'soon', 'after']);
  await recorder.flush();
  await spool.rotate();
  const rows = await drainRows(spool);
  expect(wholeRows(rows).rows).toBe(4);
  expect(codesIn(journal, released)).toEqual([]);
});
