/** Changes that are prepared without a lock, since that takes a while, and start over if another change was faster. */
import { ClientError } from '#shared/errors.ts';

const attemptsMax = 5;

/** The resource has changed since the change was prepared. */
export class OvertakenError extends Error {
  override name = 'OvertakenError';
}

/**
 * @param resource its noun in the refusal
 * @param attempt prepares the change and stores it; throws {@link OvertakenError} to start over
 * @throws {ClientError} CONFLICT if five attempts were overtaken
 */
export const retryWhenOvertaken = async <Result>(
  resource: string,
  attempt: () => Promise<Result>,
): Promise<Result> => {
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
    }
  }
  throw new ClientError('CONFLICT', `The ${resource} is being changed by others; try again`);
};
