/** Checks that DATA_DIR exists, is writable and has room. */
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { StartError } from '../child/part.ts';

/** PostgreSQL and Redis need about this much for a first start, with enough left to write that the disk is full. */
const freeBytesMin = 200 * 2 ** 20;

/** @throws {StartError} naming the folder and the remedy */
export const prepareDataDir = async (dataDir: string): Promise<void> => {
  try {
    // 711: the system user that runs PostgreSQL for root passes through; every file with a secret has its own mode.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be written (${reason}): change its owner, or set another`,
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < freeBytesMin) {
    const free = Math.floor((bavail * bsize) / 2 ** 20);
    throw new StartError(
      `the disk of DATA_DIR ${dataDir} is full (${free} MB left, ${freeBytesMin / 2 ** 20} needed): free some space, or set another`,
    );
  }
};
