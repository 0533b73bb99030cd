/** When a code ends. */
import { ClientError } from '#shared/errors.ts';

/**
 * @param field how the client calls it
 * @throws {ClientError} UNPROCESSABLE naming the field, for an instant that is over
 */
export const requireFuture = (field: string, instant: Date | null | undefined, now: Date): void => {
  if (instant && instant <= now) throw new ClientError('UNPROCESSABLE', `${field} must be in the future`);
};
