/**
 * A request that is handled later, as it came. uWebSockets.js lends it for the length of its handler: it is copied, and what comes of
 * its body meanwhile is kept.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { Handler } from './handler.ts';

/** Of a body, before the rest has to wait. */
const keptBytesMax = 64 * 2 ** 10;

type OnData = Parameters<HttpResponse['onData']>[0];

/** @returns what can be read of a request, for ever */
const copyOf = (req: HttpRequest): HttpRequest => {
  const [url, query] = [req.getUrl(), req.getQuery() as string | undefined];
  // Read once: getMethod() turns the request's own bytes to lower case.
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
 * Keeps what comes of a body until somebody asks for it.
 * @returns to be called once it has been asked for, or never will be: then the rest is dropped
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
    // A paused connection answers nothing. Who takes the body may pause it again.
    if (isPaused) res.resume();
    for (const { chunk, isLast } of kept) take(chunk, isLast);
    kept = [];
  };
};

const hasBody = (req: HttpRequest): boolean =>
  req.getHeader('content-length') !== '' || req.getHeader('transfer-encoding') !== '';

/**
 * Must be called in the handler of the request.
 * @param until never fails
 * @returns handles the request once `until` has resolved, unless the client has gone
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
  void until.then((found) => {
    if (aborted) return;
    handlerOf(found)(res, copy);
    if (!aborted) releaseBody();
  });
};
