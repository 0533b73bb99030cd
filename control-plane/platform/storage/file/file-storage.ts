/** Storage in a folder: of this machine, or of a network file system that several machines mount. */
import { constants } from 'node:fs';
import { access, opendir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '#shared/errors.ts';
import { checkKey, checkPrefix, isKey, type ListedFile, type Storage, StorageFailure } from '../storage.ts';
import { ifThere, within } from './failures.ts';
import { etagOf, readFile } from './file-reader.ts';
import { incomingFolder, writeFile } from './file-writer.ts';
import { requireFreeSpace } from './free-space.ts';

/**
 * A temporary file untouched for this many ms was left by a dead process: a source that takes half as long for one
 * chunk is given up long before.
 */
const leftoverMs = 3_600_000;

/** The files in a folder and its subfolders, with their times; folders are left out. */
async function* filesIn(folder: string): AsyncGenerator<{ file: string; changedAt: Date }> {
  const entries = await ifThere(within(opendir(folder, { recursive: true })));
  if (!entries) return;
  for await (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const found = await ifThere(within(stat(file)));
    if (found) yield { file, changedAt: found.mtime };
  }
}

/** Removes folders that have become empty, up to the root. */
const removeEmptyFolders = async (root: string, folder: string): Promise<void> => {
  for (let empty = folder; empty !== root; empty = path.dirname(empty)) {
    try {
      await rmdir(empty);
    } catch (error) {
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return;
      throw error;
    }
  }
};

/** Whether files can be stored in a folder; a missing one would be created. */
const checkFolder = async (folder: string): Promise<void> => {
  const found = await ifThere(within(stat(folder)));
  if (!found) return checkFolder(path.dirname(folder));
  if (!found.isDirectory()) throw new StorageFailure('refused', `${folder} is no folder`);
  await within(access(folder, constants.W_OK));
  await requireFreeSpace(folder);
};

/** @param root an absolute path; the folder is created when something is stored */
export const createFileStorage = (root: string, nowMs: () => number = Date.now): Storage => {
  const fileOf = (key: string): string => {
    checkKey(key);
    return path.join(root, key);
  };

  async function* list(prefix?: string): AsyncGenerator<ListedFile> {
    if (prefix !== undefined) checkPrefix(prefix);
    for await (const { file, changedAt } of filesIn(path.join(root, prefix ?? ''))) {
      const key = path.relative(root, file).replaceAll(path.sep, '/');
      if (isKey(key)) yield { key, storedAt: changedAt };
    }
  }

  return {
    put: (key, source) => writeFile(root, fileOf(key), source),
    async get(key) {
      const file = fileOf(key);
      const found = await ifThere(within(stat(file, { bigint: true })));
      if (!found?.isFile()) return undefined;
      const [size, etag] = [Number(found.size), etagOf(found)];
      return { size, etag, read: (range = { first: 0, last: size - 1 }) => readFile(file, etag, range) };
    },
    async remove(key) {
      const file = fileOf(key);
      await ifThere(within(rm(file, { force: true })));
      await within(removeEmptyFolders(root, path.dirname(file)));
    },
    list,
    async sweep() {
      for await (const { file, changedAt } of filesIn(path.join(root, incomingFolder)))
        if (nowMs() - changedAt.getTime() > leftoverMs) await within(rm(file, { force: true }));
    },
    check: () => checkFolder(root),
    async close() {},
  };
};
