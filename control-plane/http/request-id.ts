/** Every answer carries a `request-id`, so that a client's report and our log meet. */
import { randomUUID } from 'node:crypto';
import type { Middleware } from './context.ts';

/** A caller's own id is taken over only if it can do no harm in a log or a header. */
const sanePattern = /^[A-Za-z0-9._-]{8,64}$/;

export const requestIds = (): Middleware => async (ctx, next) => {
  const given = ctx.get('request-id');
  ctx.state.requestId = sanePattern.test(given) ? given : randomUUID();
  ctx.set('request-id', ctx.state.requestId);
  await next();
};
