/** Lets only redirectors through. */
import { ClientError } from '#shared/errors.ts';
import { equalInConstantTime } from '#shared/signing.ts';
import { bearerToken } from '../access/authentication.ts';
import type { Middleware } from './context.ts';

/**
 * Apply it to each route separately: as a router's middleware it would guard every route that is added after it, in any
 * router.
 * @param token as derived by `internalToken`
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
