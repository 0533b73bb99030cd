/** Headers that tell a browser not to sniff, frame, run or store this API's responses. */
import type { Middleware } from './context.ts';

/** @param secure whether the API is reached over https */
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
