/** Rows in memory that are written to their file while their segment is sent. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { createDiskQueue } from '../instance/disk-queue.ts';
import { logger } from '../testing/redirector.ts';
import { createDiskRetries } from './disk-retries.ts';
import { createMemoryRowsWriter } from './memory-rows.ts';
import type { SegmentContents } from './segment.ts';

/** A segment with two rows in memory; `finishes`: it is sent while they are written. */
const written = async (finishes: boolean) => {
  const file = path.join(await temporaryFolder(), 'segment');
  const chunks = [1, 2].map((n) => ({ rows: 1, frames: Buffer.from(`row ${n}`) }));
  const contents: SegmentContents = {
    name: 'a-1',
    rows: 2,
    openedAtMs: 1,
    file,
    fileTried: false,
    fileBytes: 0,
    chunks,
    memoryRows: 2,
    memoryBytes: 10,
    closed: true,
    finished: false,
  };
  const moved: number[] = [];
  const emptied: string[] = [];
  const stored = Promise.withResolvers<void>();
  const files = {
    async store(to: string, frame: Uint8Array) {
      await fs.writeFile(to, frame);
      contents.finished = finishes;
      stored.resolve();
    },
  };
  const retries = createDiskRetries(logger);
  const writer = createMemoryRowsWriter(
    {
      files,
      isHanging: () => false,
      onMoved: (_, bytes) => moved.push(bytes),
      onEmptied: ({ name }) => emptied.push(name),
    },
    retries,
    createDiskQueue(10_000),
  );
  writer.add(contents);
  await stored.promise;
  await retries.idle();
  return { moved, emptied, memoryBytes: contents.memoryBytes };
};

test('rows move from memory to the file once', async () => {
  expect(await written(false)).toEqual({ moved: [10], emptied: ['a-1'], memoryBytes: 0 });
});

test('rows of a segment that is sent meanwhile are counted as they were: as rows in memory', async () => {
  expect(await written(true)).toEqual({ moved: [], emptied: [], memoryBytes: 10 });
});
