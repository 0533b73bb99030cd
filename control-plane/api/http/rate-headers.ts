/** Response headers that report a rate limit's decision (draft-ietf-httpapi-ratelimit-headers-07). */
import { ClientError } from '#shared/errors.ts';
import type { RateDecision, Sender } from '../access/rate-decision.ts';
import type { Context } from './context.ts';

interface Allowance {
  requests: number;
  /** In the singular. */
  noun: string;
  windowSeconds: number;
}

export const showRate = (
  ctx: Context,
  { limit, windowSeconds, remaining, resetSeconds }: RateDecision,
): void => {
  ctx.set('ratelimit', `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`);
  ctx.set('ratelimit-policy', `${limit};w=${windowSeconds}`);
};

/** @throws {ClientError} RATE_LIMITED if the decision is a refusal */
export const applyRate = (ctx: Context, decision: RateDecision): void => {
  const { allowed, limit, resetSeconds } = decision;
  showRate(ctx, decision);
  if (allowed) return;
  throw new ClientError(
    'RATE_LIMITED',
    `${tooMany({ ...decision, requests: limit })}; try again in ${spell(resetSeconds)}`,
    { retryAfterSeconds: resetSeconds },
  );
};

/** A limit in words: `5 bulk calls in a minute`. */
export const allowance = ({ requests, noun, windowSeconds }: Allowance): string =>
  `${requests} ${noun}${requests === 1 ? '' : 's'} in ${spell(windowSeconds)}`;

/** Names the exceeded limit. */
export const tooMany = (limit: Allowance & { sender: Sender | undefined }): string =>
  `More than ${allowance(limit)}${limit.sender ? senders[limit.sender] : ''}`;

const senders: Readonly<Record<Sender, string>> = {
  address: ' from one address',
  subscription: ' of one subscription',
};

/** In the largest unit that gives at least two, rounded up. */
const spell = (seconds: number): string => {
  if (seconds === 1) return 'a second';
  if (seconds < 120) return seconds === 60 ? 'a minute' : `${seconds} seconds`;
  if (seconds < 7_200) return seconds === 3_600 ? 'an hour' : `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
};
