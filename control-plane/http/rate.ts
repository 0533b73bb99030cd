/** What a limit on requests decides, and how the answer says so (draft-ietf-httpapi-ratelimit-headers-07). */
import { ClientError } from '#shared/errors.ts';
import type { Context } from './context.ts';

export interface RateDecision {
  allowed: boolean;
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/** @throws {ClientError} RATE_LIMITED where the decision is a refusal */
export const applyRate = (ctx: Context, decision: RateDecision): void => {
  const { allowed, limit, windowSeconds, remaining, resetSeconds } = decision;
  ctx.set('ratelimit', `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`);
  ctx.set('ratelimit-policy', `${limit};w=${windowSeconds}`);
  if (allowed) return;
  throw new ClientError('RATE_LIMITED', `More than ${limit} requests in ${spell(windowSeconds)}`, {
    retryAfterSeconds: resetSeconds,
  });
};

const spell = (seconds: number): string => {
  if (seconds === 1) return 'a second';
  return seconds % 60 === 0 && seconds <= 3_600 ? `${seconds / 60} min` : `${seconds} s`;
};
