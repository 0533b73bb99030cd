/** The share of a disk that the storage leaves free. The databases may be on the same disk, and stop if it is full. */
import { statfs } from 'node:fs/promises';
import { StorageFailure } from '../storage.ts';
import { within } from './failures.ts';

const reservedShare = 0.05;
const reservedBytesMax = 2 * 2 ** 30;

const megabytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MB`;

/** @throws {StorageFailure} `full` if a folder's disk has less free space than is reserved */
export const requireFreeSpace = async (folder: string): Promise<void> => {
  const { bsize, blocks, bavail } = await within(statfs(folder));
  const [free, reserved] = [bavail * bsize, Math.min(blocks * bsize * reservedShare, reservedBytesMax)];
  if (free < reserved)
    throw new StorageFailure(
      'full',
      `the disk of ${folder} has ${megabytes(free)} left, less than the ${megabytes(reserved)} that are reserved`,
    );
};
