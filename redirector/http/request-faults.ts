/**
 * Requests that are not HTTP, and are refused before anything is done for them. Among them are those whose end another server may find
 * elsewhere than uWebSockets.js does: behind such a server they smuggle a second request (RFC 9112, section 11.2).
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { wantsPage } from '#shared/wants-page.ts';
import { type Answer, answers, pageOf } from '../pages/index.ts';
import { defer } from './deferred-request.ts';
import type { Handler } from './handler.ts';
import { Reply } from './reply.ts';
import type { ReadHeaders } from './visit-headers.ts';

/** Whether a method is one by its form (RFC 9110, section 5.6.2). */
const isToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);

/** Whether the request target is as RFC 9112, section 3.2, allows: visible ASCII, all else percent-encoded. */
export const hasAsciiTarget = (req: HttpRequest): boolean =>
  // Without a question mark there is no query at all: undefined, whatever its type says.
  /^[\x21-\x7e]*$/.test(req.getUrl()) && /^[\x21-\x7e]*$/.test((req.getQuery() as string | undefined) ?? '');

/**
 * Answers, and ends the connection. The answer is sent after the handler has returned, when uWebSockets.js has looked at all that has
 * arrived: a further request among that ends the connection at once, and is not handled. An answer from within the handler would be
 * followed by one to that request, whatever it says of the connection.
 */
export const refuse = (res: HttpResponse, req: HttpRequest, answer: Answer): void => {
  // uWebSockets.js leaves the connection of a HEAD open, whatever it is told, if its answer is given the length of a body.
  const reply = new Reply(res, false, true);
  const whole = pageOf(answer, wantsPage(req.getHeader('accept')));
  const page = req.getCaseSensitiveMethod() === 'HEAD' ? { ...whole, body: Buffer.alloc(0) } : whole;
  setImmediate(() => reply.send(page));
};

/** Makes whatever is answered close the connection, and say so. */
const closeWithAnswer = (res: HttpResponse): void => {
  const { end, write } = res;
  let hasBegun = false;
  res.end = (body) => end.call(res, body, true);
  // uWebSockets.js leaves the connection open if an answer is given the length of a body that it does not have.
  res.endWithoutBody = () => end.call(res, undefined, true);
  res.write = (chunk) => {
    if (!hasBegun) res.writeHeader('Connection', 'close');
    hasBegun = true;
    return write.call(res, chunk);
  };
};

/**
 * Handles a request as the last of its connection: as in `refuse`, after uWebSockets.js has looked at all that has arrived. A further
 * request among that ends the connection, and neither is handled.
 */
const handleAsLast = (res: HttpResponse, req: HttpRequest, handle: Handler): void => {
  closeWithAnswer(res);
  defer(res, req, nextTurn(), () => handle);
};

/**
 * Handles only requests whose end is at one place. Chunks are not shown here, and uWebSockets.js reads some that others refuse or read
 * in another way (any two bytes for a CRLF, a blank behind a size): where they end is sure only if nothing is read behind them.
 * @param handle must not throw
 */
export const unlessAmbiguous =
  (headersOf: ReadHeaders, handle: Handler): Handler =>
  (res, req) => {
    const { isFramed, isCoded } = headersOf(req);
    if (!isFramed) refuse(res, req, answers.ambiguousLength);
    else if (isCoded) handleAsLast(res, req, handle);
    else handle(res, req);
  };

/** Handles only requests whose method has the form of one, and not CONNECT, which cannot be passed on. @param handle must not throw */
export const unlessBadMethod =
  (handle: Handler): Handler =>
  (res, req) => {
    const method = req.getCaseSensitiveMethod();
    if (method === 'CONNECT') refuse(res, req, answers.isNoProxy);
    else if (isToken(method)) handle(res, req);
    else refuse(res, req, answers.badMethod);
  };
