/** What a job waits for, and how long. */
import { ClientError } from '#shared/errors.ts';
import { isDatabaseUnavailable } from '../platform/db/pool.ts';
import { StorageFailure } from '../platform/storage/storage.ts';
import type { Job } from './kind.ts';

/** A job that can do nothing is tried again for this long. Time in which it waits behind others does not count. */
export const heldUpMsMax = 3_600_000;

export const isOverdue = ({ heldUpSince }: Pick<Job, 'heldUpSince'>): boolean =>
  heldUpSince !== null && Date.now() - heldUpSince.getTime() >= heldUpMsMax;

/** Whether a later attempt may succeed: something is down, or has too much to do now. */
export const isForLater = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  error instanceof StorageFailure ||
  (error instanceof ClientError && (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE'));
