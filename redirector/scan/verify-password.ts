/** Asks the control plane whether a password opens a code: only it knows the hash, and it counts the attempts. */
import { type Dispatcher, request } from 'undici';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';

export type PasswordVerdict =
  | { answer: 'right' }
  | { answer: 'wrong' }
  | { answer: 'too_many_attempts'; retryAfterS: number }
  | { answer: 'unavailable' };

export type VerifyPassword = (id: string, password: string, address: string) => Promise<PasswordVerdict>;

/** @param timeoutMs per request: the control plane computes a hash for tens of milliseconds */
export const createVerifyPassword = (
  internalUrl: string,
  token: string,
  timeoutMs: number,
  dispatcher: Dispatcher,
  logger: Logger,
): VerifyPassword => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  return async (id, password, address) => {
    try {
      const { statusCode, headers, body } = await request(`${internalUrl}/internal/codes/${id}/unlock`, {
        dispatcher,
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ password, address }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      await body.dump();
      if (statusCode === 204) return { answer: 'right' };
      if (statusCode === 401) return { answer: 'wrong' };
      if (statusCode === 429)
        return { answer: 'too_many_attempts', retryAfterS: Number(headers['retry-after'] ?? 60) };
      warn(String(statusCode), { id, statusCode }, 'password cannot be checked');
    } catch (error) {
      warn('no answer', { err: error, id }, 'password cannot be checked');
    }
    // The phone is asked to try again, whatever is wrong with the control plane.
    return { answer: 'unavailable' };
  };
};
