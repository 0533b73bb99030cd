/** Lets redirectors through, and nobody else. */
import { ClientError } from '#shared/errors.ts';
import { equalInConstantTime } from '#shared/signing.ts';
import { bearerToken } from '../access/authentication.ts';
import type { Middleware } from './context.ts';

/**
 * For each route by itself: as a middleware of a router it would guard every route that is added after it, in any router.
 * @param token as `internalToken` derives it
 * @param refusal for a request without it
 */
export const internalOnly =
  (token: string, refusal: 'UNAUTHENTICATED' | 'FORBIDDEN'): Middleware =>
  async (ctx, next) => {
    if (!equalInConstantTime(bearerToken(ctx.get('authorization')) ?? '', token)) {
      throw new ClientError(refusal, 'The internal token is required');
    }
    await next();
  };
