/**
 * An HTTP exchange that is answered after the handler has returned. uWebSockets.js lends the request only during the
 * handler, and ends the process if an aborted response is touched. An exchange copies the request and guards the
 * response.
 */

import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { copyBegun, end } from './durations.ts';
import { endHead } from './end-head.ts';

/** Bodies up to this size are sent with their length; longer ones in chunks as they arrive. */
const wholeBodyBytesMax = 64 * 2 ** 10;

export type Header = readonly [name: string, value: string];

export interface Exchange {
  readonly method: string;
  /** Path and query, as received. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Header[];
  /** Aborted if the client disconnects; no answer can be sent then. */
  readonly signal: AbortSignal;
  /** Whether an answer has begun. */
  readonly answered: boolean;
  /**
   * The request's body as a stream with back-pressure; undefined without one. It fails if it is too large or the
   * client disconnects.
   */
  readonly body: Readable | undefined;
  /** Answers with a whole body. */
  send(status: number, headers: readonly Header[], body: Buffer): void;
  /** Answers with a stream, at the client's pace. If the stream fails, the client sees a truncated response. */
  stream(status: number, headers: Header[], body: Readable): Promise<void>;
}

export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
}

/** Path and query, as received. */
export const targetOf = (req: HttpRequest): string => {
  // Without a question mark the query is undefined, despite its type.
  const query = req.getQuery() as string | undefined;
  return query === undefined ? req.getUrl() : `${req.getUrl()}?${query}`;
};

const readHeaders = (req: HttpRequest): Header[] => {
  const headers: Header[] = [];
  req.forEach((name, value) => {
    headers.push([name, value]);
  });
  return headers;
};

/**
 * If at most this many bytes of a request's body are missing when the answer is sent, they are read and dropped;
 * otherwise the connection is closed.
 */
export const drainedBytesMax = 2 ** 20;

interface ReceivedBody {
  readonly stream: Readable;
  /**
   * The response is about to end, and uWebSockets.js drops the rest of the body.
   * @returns whether to wait for the rest
   */
  finish(): boolean;
}

const receiveBody = (
  res: HttpResponse,
  signal: AbortSignal,
  bytesMax: number,
  length: number | undefined,
): ReceivedBody => {
  let bytes = 0;
  let finished = false;
  let isWhole = false;
  let isPaused = false;
  // Only if it is paused: with uWebSockets.js 20.51 the tests of late bodies hang if a socket that is not paused is
  // resumed.
  const resume = () => {
    if (!isPaused || signal.aborted || finished) return;
    isPaused = false;
    res.resume();
  };
  const body = new Readable({
    read: resume,
    // A paused connection sends nothing, so an unread body is received and dropped.
    destroy(error, done) {
      resume();
      done(error);
    },
  });
  signal.addEventListener('abort', () => body.destroy(new Error('the client has disconnected')));
  // The reader handles the error; without a listener it would end the process.
  body.on('error', () => {});
  res.onData((chunk, isLast) => {
    isWhole = isLast;
    bytes += chunk.byteLength;
    if (body.destroyed) return;
    if (bytes > bytesMax) {
      body.destroy(new BodyTooLargeError(`the body is larger than ${bytesMax} bytes`));
      return;
    }
    // Copied: the chunk is lent only during this call.
    const wantsMore = chunk.byteLength === 0 || body.push(Buffer.from(new Uint8Array(chunk)));
    if (isLast) body.push(null);
    else if (!wantsMore) {
      isPaused = true;
      res.pause();
    }
  });
  return {
    stream: body,
    finish() {
      resume();
      finished = true;
      if (!isWhole) body.destroy();
      return isWhole || (length ?? Infinity) - bytes <= drainedBytesMax;
    },
  };
};

const hasBody = (headers: Header[]): boolean =>
  headers.some(
    ([name, value]) => name === 'transfer-encoding' || (name === 'content-length' && value !== '0'),
  );

/** The size of a request's body as declared; Infinity if it is not declared, 0 without a body. */
export const announcedBytes = (req: HttpRequest): number =>
  req.getHeader('transfer-encoding') === '' ? Number(req.getHeader('content-length')) : Infinity;

/** Headers that uWebSockets.js writes itself. */
const writtenByServer = new Set(['content-length', 'date']);

const writeHead = (res: HttpResponse, status: number, headers: readonly Header[]): void => {
  res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
  for (const [name, value] of headers) if (!writtenByServer.has(name)) res.writeHeader(name, value);
};

const lengthOf = (headers: readonly Header[]): number | undefined => {
  const length = headers.find(([name]) => name === 'content-length')?.[1];
  return length === undefined ? undefined : Number(length);
};

/** Reads a whole stream that is known to be small. */
const collect = async (body: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Sends chunks as they arrive; waits for a slow client. */
const sendChunks = async (res: HttpResponse, signal: AbortSignal, body: Readable): Promise<void> => {
  let wake = () => {};
  res.onWritable(() => {
    wake();
    return true;
  });
  signal.addEventListener('abort', () => wake());
  for await (const chunk of body) {
    if (signal.aborted) return;
    let taken = true;
    res.cork(() => {
      taken = res.write(chunk);
    });
    if (!taken) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
};

/**
 * Reads a small body. Must be called in the handler, by a caller that listens for the abort.
 * @param onBody gets the body, or undefined if it is larger than `bytesMax`; never called if the client disconnects
 */
export const readSmallBody = (
  res: HttpResponse,
  bytesMax: number,
  onBody: (body: Buffer | undefined) => void,
): void => {
  let chunks: Buffer[] | undefined = [];
  let bytes = 0;
  res.onData((chunk, isLast) => {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) chunks = undefined;
    chunks?.push(Buffer.from(Buffer.from(chunk)));
    if (isLast) onBody(chunks && Buffer.concat(chunks));
  });
};

/**
 * Takes a request over from its handler. Must be called in the handler.
 * @param bodyBytesMax of the request's body
 * @param last whether the connection is closed after the answer, with `Connection: close`; called when the answer is
 * sent
 */
export const openExchange = (
  res: HttpResponse,
  req: HttpRequest,
  bodyBytesMax: number,
  last: () => boolean,
): Exchange => {
  const gone = new AbortController();
  const { signal } = gone;
  res.onAborted(() => gone.abort());
  let answered = false;
  const { startedMs, route } = copyBegun();
  const method = req.getCaseSensitiveMethod();
  const headers = readHeaders(req);
  const body = hasBody(headers) ? receiveBody(res, signal, bodyBytesMax, lengthOf(headers)) : undefined;
  /** Called right before the response ends. @returns whether the connection is closed with it */
  const isLast = (): boolean => {
    const isDrained = body?.finish() ?? true;
    return last() || !isDrained;
  };

  const send = (status: number, answerHeaders: readonly Header[], content: Buffer): void => {
    if (signal.aborted || answered) return;
    answered = true;
    end(startedMs, route, status);
    const closes = isLast();
    res.cork(() => {
      writeHead(res, status, answerHeaders);
      if (method === 'HEAD') {
        endHead(res, lengthOf(answerHeaders) ?? content.length, closes);
      } else if (status === 204 || status === 304) {
        // Called without arguments: given undefined, it announces a length of 2^63, and the connection sends nothing
        // further.
        if (closes) res.writeHeader('Connection', 'close');
        res.endWithoutBody();
      } else res.end(content, closes);
    });
  };

  return {
    method,
    target: targetOf(req),
    headers,
    signal,
    get answered() {
      return answered;
    },
    body: body?.stream,
    send,
    async stream(status, answerHeaders, content) {
      const length = lengthOf(answerHeaders);
      const bodyless = method === 'HEAD' || status === 204 || status === 304;
      if (bodyless || (length !== undefined && length <= wholeBodyBytesMax)) {
        return send(status, answerHeaders, await collect(content));
      }
      if (signal.aborted || answered) return;
      answered = true;
      end(startedMs, route, status);
      res.cork(() => writeHead(res, status, answerHeaders));
      try {
        await sendChunks(res, signal, content);
      } catch (error) {
        // A truncated response must not look complete.
        if (!signal.aborted) res.close();
        throw error;
      }
      if (signal.aborted) return;
      const closes = isLast();
      res.cork(() => res.end(undefined, closes));
    },
  };
};
