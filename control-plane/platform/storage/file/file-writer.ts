/**
 * Writes a file that becomes visible only once it is complete: into a separate folder, forced to the disk, then
 * renamed.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '#shared/errors.ts';
import { StorageFailure } from '../storage.ts';
import { within } from './failures.ts';
import { requireFreeSpace } from './free-space.ts';

/** The folder of incomplete files. No key begins with a dot. */
export const incomingFolder = '.incoming';

/** Bytes written between two checks of the free space. */
const writtenUnseenMax = 8 * 2 ** 20;

const writeAll = async (
  handle: FileHandle,
  folder: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> => {
  await requireFreeSpace(folder);
  let unseen = 0;
  for await (const chunk of source) {
    await within(handle.writeFile(chunk));
    unseen += chunk.length;
    if (unseen < writtenUnseenMax) continue;
    await requireFreeSpace(folder);
    unseen = 0;
  }
  await within(handle.sync());
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await within(open(folder, 'r'));
  try {
    await within(handle.sync());
  } finally {
    await within(handle.close());
  }
};

/** A file's target folder is empty until the move, so it may be removed at any moment. */
const movesMax = 5;

const moveTo = async (target: string, file: string): Promise<void> => {
  const folder = path.dirname(target);
  for (let moves = 1; ; moves++) {
    // The topmost folder that was missing.
    const made = await within(mkdir(folder, { recursive: true }));
    try {
      await within(rename(file, target));
    } catch (error) {
      const isFolderGone = error instanceof StorageFailure && hasCode(error.cause, 'ENOENT');
      if (isFolderGone && moves < movesMax) continue;
      throw error;
    }
    await syncFolder(folder);
    if (made !== undefined) await syncFolder(path.dirname(made));
    return;
  }
};

/**
 * @param root the folder of the storage
 * @throws {StorageFailure}, or the source's error; no half file is left
 */
export const writeFile = async (
  root: string,
  target: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const incoming = path.join(root, incomingFolder);
  const file = path.join(incoming, randomUUID());
  await within(mkdir(incoming, { recursive: true }));
  const handle = await within(open(file, 'wx'));
  try {
    try {
      await writeAll(handle, incoming, source);
    } finally {
      await within(handle.close());
    }
    await moveTo(target, file);
  } catch (error) {
    // If the disk is down this fails, too; the sweep removes the file later.
    await rm(file, { force: true }).catch(() => undefined);
    throw error;
  }
};
