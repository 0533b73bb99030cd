import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { afterFile, temporaryFolder } from '../deploy/testing/index.ts';
import { keepSnapshot, readSnapshot } from './snapshot.ts';

const logger = pino({ level: 'silent' });
const record = (id: string): CodeRecord => ({
  id,
  workspaceId: 'ws_1',
  version: 3,
  active: true,
  destination: 'https://example.com/',
});

test('what is written is read back, the most recently scanned first, up to the bound', async () => {
  const folder = await temporaryFolder();
  const records = Array.from({ length: 2000 }, (_, index) => record(`code${index}`));
  const snapshot = keepSnapshot({ folder, codesMax: 1200, everyMs: 60_000 }, () => records, logger);
  await snapshot.close();
  expect(await readSnapshot(folder, logger)).toEqual(records.slice(0, 1200));
});

test('without a snapshot there is nothing, and a broken line costs only itself', async () => {
  const folder = await temporaryFolder();
  expect(await readSnapshot(folder, logger)).toEqual([]);
  await keepSnapshot(
    { folder, codesMax: 9, everyMs: 60_000 },
    () => [record('a'), record('b')],
    logger,
  ).close();
  const file = path.join(folder, 'snapshot');
  fs.writeFileSync(file, `not a record\n${fs.readFileSync(file, 'utf8').slice(0, -20)}`);
  expect(await readSnapshot(folder, logger)).toEqual([record('a')]);
});

test('a snapshot that cannot be written is told, and ends nothing', async () => {
  const folder = path.join(await temporaryFolder(), 'missing');
  await keepSnapshot({ folder, codesMax: 9, everyMs: 60_000 }, () => [record('a')], logger).close();
  expect(fs.existsSync(folder)).toBe(false);
});

test('a snapshot is written again and again while the process runs: a process that is killed has one', async () => {
  const folder = await temporaryFolder();
  let records = [record('first')];
  const snapshot = keepSnapshot({ folder, codesMax: 9, everyMs: 20 }, () => records, logger);
  afterFile(() => snapshot.close());
  await vi.waitFor(async () => expect(await readSnapshot(folder, logger)).toEqual([record('first')]));
  records = [record('second')];
  await vi.waitFor(async () => expect(await readSnapshot(folder, logger)).toEqual([record('second')]));
});
