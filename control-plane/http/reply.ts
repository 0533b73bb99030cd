/** What an operation answers. */
import type { Context } from './context.ts';

export interface Reply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a Buffer as it is. */
  body?: object | Buffer;
}

export const send = (ctx: Context, { status = 200, headers, body }: Reply): void => {
  ctx.status = status;
  if (headers) ctx.set(headers);
  if (body) ctx.body = body;
};
