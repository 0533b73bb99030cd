/**
 * Sends files of known size: whole, in part, or not at all if the client has them. Interrupted downloads can be
 * resumed.
 */
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { ByteRange, FileBody } from '../idempotency/file-body.ts';
import { answerFor } from './byte-range.ts';
import type { Context } from './context.ts';
import type { StreamHead, Streams } from './streams.ts';

/** @throws {ClientError} if the client asks for another version, or for bytes outside the file */
const chooseAnswer = (ctx: Context, { size, etag }: FileBody): ByteRange | 'whole' | 'not-modified' => {
  const answer = answerFor({ size, etag, method: ctx.method, header: (name) => ctx.get(name) });
  if (answer === 'precondition-failed')
    throw new ClientError(
      'PRECONDITION_FAILED',
      `If-Match must name ${etag}; given: ${quoted(ctx.get('if-match'))}`,
    );
  if (answer === 'not-satisfiable')
    throw new ClientError(
      'RANGE_NOT_SATISFIABLE',
      `Range must begin before the end of the file, which has ${size} bytes; given: ${quoted(ctx.get('range'))}`,
      { headers: { 'content-range': `bytes */${size}` } },
    );
  return answer;
};

/** The headers of the file that a 304 repeats (RFC 9110, 15.4.5). */
const keptHeaders = (headers: Record<string, string> = {}): Record<string, string> => {
  const kept = headers['cache-control'];
  return kept === undefined ? {} : { 'cache-control': kept };
};

/** @param owner whose streams are counted @throws {ClientError} and what the file's `read` throws */
export const sendFile = async (
  ctx: Context,
  streams: Streams,
  owner: string,
  headers: Record<string, string> | undefined,
  file: FileBody,
): Promise<void> => {
  const { size, etag } = file;
  const answer = chooseAnswer(ctx, file);
  const common = { ...headers, etag, 'accept-ranges': 'bytes' };
  if (answer === 'not-modified') {
    ctx.status = 304;
    ctx.set({ ...keptHeaders(headers), etag });
    return;
  }
  const range = answer === 'whole' ? undefined : answer;
  const head: StreamHead = {
    status: range ? 206 : 200,
    headers: {
      ...common,
      'content-length': String(range ? range.last + 1 - range.first : size),
      ...(range && { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
    },
  };
  if (ctx.method === 'HEAD') {
    ctx.status = head.status;
    ctx.set({ ...head.headers });
    return;
  }
  const body = await file.read(range);
  if (!Buffer.isBuffer(body)) return streams.send(ctx, owner, head, body);
  ctx.status = head.status;
  ctx.set({ ...head.headers });
  ctx.body = body;
};
