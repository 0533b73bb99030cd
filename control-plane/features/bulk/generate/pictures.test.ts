/** The pictures of a slice, drawn by the tests themselves, in a storage on disk. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../deploy/testing/local.ts';
import { createFileStorage } from '../../../platform/storage/file/file-storage.ts';
import { createPictures } from './pictures.ts';
import { createRoom } from './room.ts';

const operation = {
  id: 'blk_1',
  workspaceId: 'ws_1',
  subscriptionId: 'sub_1',
  kind: 'generate',
  total: 8,
  options: {},
  createdAt: new Date(),
} as const;
const room = createRoom({ pictureBytes: 0, kept: { bytes: 0, freeAt: undefined }, keptBytesMax: 2 ** 30 });
const rows = Array.from({ length: 8 }, (_, position) => ({ position, uid: `${position}`, body: position }));

/** @returns the outcome of each row, and how many pictures were in progress when each was begun */
const drawn = async (drawingMsMax: number) => {
  let underWay = 0;
  const atOnce: number[] = [];
  const draw = createPictures({
    storage: createFileStorage(await temporaryFolder()),
    drawingMsMax,
    openSlice: async () => async (row) => {
      atOnce.push(++underWay);
      await sleep(5);
      underWay--;
      return { bytes: Buffer.from(`picture ${row}`), format: 'svg', warnings: [] };
    },
  });
  const outcomes = await draw(operation, rows, room);
  return {
    atOnce,
    ends: outcomes.map((outcome) => ('value' in outcome ? outcome.value.bytes : outcome.error.code)),
  };
};

test('rows that get no place in time are left for later, and pictures drawn by then are stored', async () => {
  expect(await drawn(0)).toEqual({ atOnce: [1], ends: [9, ...Array(7).fill('UNAVAILABLE')] });
});

test('the first picture is drawn alone, then three at once', async () => {
  const { atOnce, ends } = await drawn(60_000);
  expect(atOnce.slice(0, 4)).toEqual([1, 1, 2, 3]);
  expect(Math.max(...atOnce)).toBe(3);
  expect(ends).toEqual(rows.map(() => 9));
});
