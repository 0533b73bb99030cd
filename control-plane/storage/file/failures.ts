/** Failures of the file system, as those of the storage; and a bound on the time of each of its calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode, messageOf } from '#shared/errors.ts';
import { type FailureReason, StorageFailure } from '../storage.ts';

/** A call that takes longer is given up: the server of a network file system is away. */
const callMsMax = 30_000;

const reasonOf = (error: unknown): FailureReason => {
  if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) return 'full';
  // A disk becomes read-only by faults of its own: that is no refusal.
  return hasCode(error, 'EACCES', 'EPERM') ? 'refused' : 'away';
};

/** @throws {StorageFailure} in place of what a call of the file system throws, and where it takes too long */
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

/** @returns undefined where there is no such file */
export const ifThere = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    const cause = error instanceof StorageFailure ? error.cause : error;
    if (hasCode(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
};
