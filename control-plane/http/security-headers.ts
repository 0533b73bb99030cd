/** Headers that tell a browser what an answer of this API is not: a page, a script, something to keep or to frame. */
import type { Middleware } from './context.ts';

/** @param secure whether the world reaches the API over https */
export const securityHeaders = (secure: boolean): Middleware => {
  const headers = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(secure && { 'strict-transport-security': 'max-age=31536000' }),
  };
  return async (ctx, next) => {
    ctx.set(headers);
    await next();
  };
};
