/** Sends an operation's answer. */
import type { Reply } from '../creation/reply.ts';
import type { Context } from './context.ts';

export const send = (ctx: Context, { status = 200, headers, body }: Reply): void => {
  ctx.status = status;
  if (headers) ctx.set(headers);
  if (body) {
    ctx.body = body;
    return;
  }
  // Where nothing is set, Koa sends the name of the status.
  ctx.body = '';
  ctx.remove('content-type');
};
