/** Sends a body that is in several buffers. Answers may share them: none is copied, however slowly a client reads. */
import type { Reply } from '../creation/reply.ts';
import type { Context } from './context.ts';

type Answer = Required<Pick<Reply, 'status'>> & Pick<Reply, 'headers'>;

export const sendParts = (ctx: Context, { status, headers = {} }: Answer, parts: readonly Buffer[]): void => {
  const { res } = ctx;
  ctx.status = status;
  ctx.set(headers);
  ctx.length = parts.reduce((bytes, part) => bytes + part.length, 0);
  if (ctx.method === 'HEAD') return;
  ctx.respond = false;
  if (res.destroyed || !ctx.writable) return;
  res.cork();
  for (const part of parts) res.write(part);
  res.end();
};
