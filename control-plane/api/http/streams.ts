/**
 * Sends streamed responses at the client's pace: nothing is read from a source ahead of its client.
 *
 *   the source fails before its first byte   an ordinary error response
 *   the source fails later, or is shorter    the connection is reset, also in HTTP/1.0, where a mere close would be the
 *   or longer than its Content-Length        end of the body: no client takes a part for the whole
 *   the client disconnects                   the source is destroyed at once
 *   the client takes nothing for a minute    the source is destroyed, and the connection is reset
 *   HEAD                                     the source is destroyed unread, and takes no place
 *   the listener closes                      waits for the response like any other, then resets the connection
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Context } from './context.ts';
import type { Piece } from './pieces.ts';
import { createStreamPlaces, type StreamPlacesOptions } from './stream-places.ts';
import { createStreamShares, type StreamShares } from './stream-shares.ts';

/** How a response that began has ended. */
export const streamEnds = ['sent', 'client_gone', 'client_stalled', 'source_failed'] as const;
export type StreamEnd = (typeof streamEnds)[number];

/** The limits of a process. Each stream holds about two of the source's chunks. */
export const streamLimits = { ownerMax: 8, max: 64, stallTimeoutMs: 60_000 };

/** A longer text of a piece is encoded piece by piece. */
const textLengthMax = 256 * 1024;

/** A larger chunk is written in pieces, so that a slow client is seen to read some of it. */
const pieceBytesMax = 64 * 1024;

export interface StreamsOptions extends StreamPlacesOptions {
  /** A client that takes no piece of up to 64 KB for this long is given up. */
  stallTimeoutMs: number;
  onEnded(how: StreamEnd): void;
}

export interface StreamHead {
  status: number;
  headers?: Record<string, string> | undefined;
}

export interface Streams {
  /**
   * Resolves when the response has ended, whatever the outcome.
   * @param owner whose places are counted
   * @throws {ClientError} RATE_LIMITED or UNAVAILABLE if there is no place
   * @throws the source's error; the client has got either nothing or a reset connection
   */
  send(ctx: Context, owner: string, head: StreamHead, source: Readable): Promise<void>;
  /** Pieces as a stream: each is done in the share of its owner, once the previous one has been taken. */
  written(owner: string, pieces: AsyncGenerator<Piece>): Readable;
  /** Responses in progress. */
  open(): number;
}

export const createStreams = (options: StreamsOptions): Streams => {
  const { stallTimeoutMs, onEnded } = options;
  const places = createStreamPlaces(options);
  const shares = createStreamShares(options);

  const pour = async (ctx: Context, head: StreamHead, source: Readable): Promise<void> => {
    const { res } = ctx;
    const chunks: AsyncIterator<Buffer | string> = source[Symbol.asyncIterator]();
    let next = await chunks.next();
    begin(ctx, head);
    const length = checkLength(ctx);
    for (; !next.done; next = await chunks.next()) {
      for (const piece of piecesOf(next.value)) {
        length.add(piece.length);
        if (!res.write(piece)) await reached(res, 'drain', stallTimeoutMs);
      }
    }
    length.end();
    // Listened for before the end: the response to a tool (api/mcp/call-tool.ts) finishes in the same step.
    const finished = reached(res, 'finish', stallTimeoutMs);
    res.end();
    await finished;
  };

  const pourOrReset = async (ctx: Context, head: StreamHead, source: Readable): Promise<void> => {
    const { res } = ctx;
    const isGone = () => res.destroyed || res.socket === null || res.socket.destroyed;
    const giveUp = () => source.destroy();
    res.once('close', giveUp);
    try {
      if (isGone()) giveUp();
      await pour(ctx, head, source);
      onEnded('sent');
    } catch (error) {
      const how = endBy(error, isGone());
      if (how === 'client_gone') leave(ctx, head);
      // An error before the first byte interrupts nothing: it is answered.
      if (how !== 'source_failed' || res.headersSent) onEnded(how);
      if (res.headersSent) reset(res);
      if (how === 'source_failed') throw error;
    } finally {
      res.off('close', giveUp);
    }
  };

  return {
    async send(ctx, owner, head, source) {
      // Errors of a destroyed source are irrelevant, and must not end the process.
      source.on('error', () => undefined);
      try {
        if (ctx.method === 'HEAD') return setHead(ctx, head);
        const free = places.take(owner);
        await pourOrReset(ctx, head, source).finally(free);
      } finally {
        source.destroy();
      }
    },
    written: (owner, pieces) =>
      Readable.from(bytesOf(pieces, shares, owner), { objectMode: false, highWaterMark: 1 }),
    open: places.taken,
  };
};

async function* bytesOf(
  pieces: AsyncGenerator<Piece>,
  shares: StreamShares,
  owner: string,
): AsyncGenerator<Buffer | string> {
  for await (const piece of pieces) {
    const text = await shares.take(owner, piece);
    if (text.length > textLengthMax)
      for (const part of partsOf(text)) yield await shares.take(owner, () => Buffer.from(part));
    else if (text !== '') yield text;
  }
}

/** Never splits a character. */
function* partsOf(text: string): Generator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + textLengthMax, text.length);
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end--;
    yield text.slice(at, end);
  }
}

const setHead = (ctx: Context, { status, headers = {} }: StreamHead): void => {
  ctx.status = status;
  ctx.set(headers);
};

/** From here on Koa leaves the response alone, and an error resets the connection. */
const begin = (ctx: Context, head: StreamHead): void => {
  setHead(ctx, head);
  ctx.respond = false;
  ctx.res.writeHead(head.status);
};

/** The response to a tool has no connection that could be reset. */
const reset = (res: ServerResponse): void => {
  if (res.socket instanceof Socket) res.socket.resetAndDestroy();
  else res.destroy();
};

/** Holds the body to its Content-Length, if it has one. */
const checkLength = ({ res }: Context) => {
  const declared = res.getHeader('content-length');
  let bytes = 0;
  const refuse = (relation: string): never => {
    throw new Error(`the body has ${relation} the ${declared} bytes of its Content-Length`);
  };
  return {
    /** @throws {Error} before a byte too many is sent */
    add(more: number): void {
      bytes += more;
      if (declared !== undefined && bytes > Number(declared)) refuse('more than');
    },
    /** @throws {Error} if bytes are missing */
    end(): void {
      if (declared !== undefined && bytes < Number(declared)) refuse('less than');
    },
  };
};

/** The client is gone; the status that it would have got is set for the metrics. */
const leave = (ctx: Context, { status }: StreamHead): void => {
  ctx.respond = false;
  if (!ctx.headerSent) ctx.status = status;
};

function* piecesOf(chunk: Buffer | string): Generator<Buffer> {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  for (let at = 0; at < bytes.length; at += pieceBytesMax) yield bytes.subarray(at, at + pieceBytesMax);
}

class ClientStalled extends Error {}

/** @throws {ClientStalled}, or an AbortError if the connection closes first */
const reached = async (res: ServerResponse, event: 'drain' | 'finish', timeoutMs: number): Promise<void> => {
  const ended = new AbortController();
  const close = () => ended.abort();
  const timer = setTimeout(() => ended.abort(new ClientStalled()), timeoutMs);
  res.once('close', close);
  try {
    if (res.destroyed) close();
    await once(res, event, { signal: ended.signal });
  } catch (error) {
    throw ended.signal.reason instanceof ClientStalled ? ended.signal.reason : error;
  } finally {
    clearTimeout(timer);
    res.off('close', close);
  }
};

const endBy = (error: unknown, isGone: boolean): StreamEnd => {
  if (error instanceof ClientStalled) return 'client_stalled';
  return isGone ? 'client_gone' : 'source_failed';
};
