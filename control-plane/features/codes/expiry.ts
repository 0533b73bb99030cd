/** Ends of codes. */
import { ClientError } from '#shared/errors.ts';

/**
 * @param field the client's name of it
 * @throws {ClientError} UNPROCESSABLE naming the field, for an instant in the past
 */
export const requireFuture = (field: string, instant: Date | null | undefined, now: Date): void => {
  if (instant && instant <= now)
    throw new ClientError('UNPROCESSABLE', `${field} must be in the future; given: ${instant.toISOString()}`);
};
