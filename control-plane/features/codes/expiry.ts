/** Checks of expiry times. */
import { ClientError } from '#shared/errors.ts';

/**
 * @param field its name in the API
 * @throws {ClientError} UNPROCESSABLE naming the field, if the instant is in the past
 */
export const requireFuture = (field: string, instant: Date | null | undefined, now: Date): void => {
  if (instant && instant <= now)
    throw new ClientError('UNPROCESSABLE', `${field} must be in the future; given: ${instant.toISOString()}`);
};
