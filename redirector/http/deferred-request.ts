/**
 * A request that is handled later, exactly as it arrived. uWebSockets.js lends it only during its handler, so it is
 * copied, and the body that arrives meanwhile is kept.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { continueWith, copyBegun } from './durations.ts';
import type { Handler } from './handler.ts';

/** Bytes of a body that are kept before the rest must wait. */
const keptBytesMax = 64 * 2 ** 10;

type OnData = Parameters<HttpResponse['onData']>[0];

/** @returns everything that can be read of a request, valid after the handler returns */
const copyOf = (req: HttpRequest): HttpRequest => {
  const [url, query] = [req.getUrl(), req.getQuery() as string | undefined];
  // Read once: getMethod() lowercases the request's own bytes.
  const method = req.getCaseSensitiveMethod();
  const parameters = [0, 1].map((index) => req.getParameter(index));
  const headers: [name: string, value: string][] = [];
  req.forEach((name, value) => void headers.push([name, value]));
  const queryOf = (key?: string): string | undefined =>
    key === undefined ? query : (new URLSearchParams(query).get(key) ?? undefined);
  const copy: HttpRequest = {
    getHeader: (wanted) => headers.find(([name]) => name === wanted)?.[1] ?? '',
    getParameter: (index) => parameters[Number(index)],
    getUrl: () => url,
    getMethod: () => method.toLowerCase(),
    getCaseSensitiveMethod: () => method,
    getQuery: queryOf as HttpRequest['getQuery'],
    setYield: () => copy,
    forEach(visit) {
      for (const [name, value] of headers) visit(name, value);
    },
  };
  return copy;
};

/**
 * Keeps the start of a body until it is read.
 * @returns to be called once it has been read, or never will be: the rest is then dropped
 */
const keepBody = (res: HttpResponse): (() => void) => {
  let kept: { chunk: ArrayBuffer; isLast: boolean }[] = [];
  let bytes = 0;
  let isPaused = false;
  let isKeeping = true;
  let take: OnData = () => {};
  res.onData((chunk, isLast) => {
    if (!isKeeping) return take(chunk, isLast);
    kept.push({ chunk: chunk.slice(0), isLast });
    bytes += chunk.byteLength;
    if (isPaused || bytes < keptBytesMax || isLast) return;
    isPaused = true;
    res.pause();
  });
  res.onData = (handler) => {
    take = handler;
    return res;
  };
  return () => {
    isKeeping = false;
    // A paused connection sends nothing. The reader of the body may pause it again.
    if (isPaused) res.resume();
    for (const { chunk, isLast } of kept) take(chunk, isLast);
    kept = [];
  };
};

const hasBody = (req: HttpRequest): boolean =>
  req.getHeader('content-length') !== '' || req.getHeader('transfer-encoding') !== '';

/**
 * Must be called in the handler of the request.
 * @param until never rejects
 * @returns handles the request once `until` has resolved, unless the client has disconnected
 */
export const defer = <Found>(
  res: HttpResponse,
  req: HttpRequest,
  until: Promise<Found>,
  handlerOf: (found: Found) => Handler,
): void => {
  let aborted = false;
  let onAborted = () => {};
  res.onAborted(() => {
    aborted = true;
    onAborted();
  });
  res.onAborted = (handler) => {
    onAborted = handler;
    return res;
  };
  const releaseBody = hasBody(req) ? keepBody(res) : () => {};
  const copy = copyOf(req);
  const begun = copyBegun();
  void until.then((found) => {
    if (aborted) return;
    continueWith(begun);
    handlerOf(found)(res, copy);
    if (!aborted) releaseBody();
  });
};
