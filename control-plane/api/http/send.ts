/** Sends an operation's response. */
import { Readable } from 'node:stream';
import type { Reply } from '../idempotency/reply.ts';
import type { Context } from './context.ts';
import { deliveryOf } from './delivery.ts';
import { sendFile } from './files.ts';
import type { Streams } from './streams.ts';

type Answer = Required<Pick<Reply, 'status'>> & Pick<Reply, 'headers'>;

/** Sends a body that is in several buffers. Responses may share them: none is copied, however slowly a client reads. */
const sendParts = (ctx: Context, { status, headers = {} }: Answer, parts: readonly Buffer[]): void => {
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

/** @param owner a streamed response counts towards this workspace or address */
export const send = async (
  ctx: Context,
  streams: Streams,
  owner: () => string,
  { status = 200, headers, body, pieces, parts, file, onEnd }: Reply,
): Promise<void> => {
  if (parts) return sendParts(ctx, { status, headers }, parts);
  if (file) return sendFile(ctx, streams, owner(), headers, file);
  if (pieces) return streams.send(ctx, owner(), { status, headers }, streams.written(owner(), pieces));
  if (body instanceof Readable) return streams.send(ctx, owner(), { status, headers }, body);
  if (onEnd) void deliveryOf(ctx).then(onEnd);
  ctx.status = status;
  if (headers) ctx.set(headers);
  if (body) {
    ctx.body = body;
    return;
  }
  // If the body is unset, Koa sends the status text.
  ctx.body = '';
  ctx.remove('content-type');
};
