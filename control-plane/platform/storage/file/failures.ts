/** File system failures as storage failures, and a time limit for each call. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode, messageOf } from '#shared/errors.ts';
import { type FailureReason, StorageFailure } from '../storage.ts';

/** A call that takes longer is given up: the server of a network file system is down. */
const callMsMax = 30_000;

const reasonOf = (error: unknown): FailureReason => {
  if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) return 'full';
  // A disk becomes read-only through its own faults: that is not a refusal.
  return hasCode(error, 'EACCES', 'EPERM') ? 'refused' : 'away';
};

/** @throws {StorageFailure} instead of the file system's error, and if the call takes too long */
export const within = async <T>(call: Promise<T>): Promise<T> => {
  const over = new AbortController();
  const late = sleep(callMsMax, undefined, { signal: over.signal }).then(
    () => {
      throw new StorageFailure('away', `the disk did not answer within ${callMsMax / 1000} seconds`);
    },
    () => call,
  );
  try {
    return await Promise.race([call, late]);
  } catch (error) {
    if (error instanceof StorageFailure) throw error;
    throw new StorageFailure(reasonOf(error), messageOf(error), { cause: error });
  } finally {
    over.abort();
  }
};

/** @returns undefined if there is no such file */
export const ifThere = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    const cause = error instanceof StorageFailure ? error.cause : error;
    if (hasCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
};
