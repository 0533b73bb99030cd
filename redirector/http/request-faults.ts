/**
 * Requests that are not HTTP, refused before anything is done for them. Among them are requests whose end another
 * server may find elsewhere than uWebSockets.js does: behind such a server they smuggle a second request (RFC 9112,
 * section 11.2).
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { type Answer, answers } from '../pages/index.ts';
import { limitChunks } from './chunk-limit.ts';
import { defer } from './deferred-request.ts';
import { noteClosing } from './end-head.ts';
import type { Handler } from './handler.ts';
import { lastPageOf, Reply } from './reply.ts';
import type { ReadHeaders } from './visit-headers.ts';

/** Whether a method is well-formed (RFC 9110, section 5.6.2). */
const isToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);

/**
 * Whether the request target is as RFC 9112, section 3.2, allows: visible ASCII without a fragment, everything else
 * percent-encoded.
 */
export const hasAsciiTarget = (req: HttpRequest): boolean =>
  isTargetText(req.getUrl()) &&
  // Without a question mark the query is undefined, despite its type.
  isTargetText((req.getQuery() as string | undefined) ?? '');

const isTargetText = (text: string): boolean => /^[\x21\x22\x24-\x7e]*$/.test(text);

/**
 * Answers and closes the connection. The answer is sent after the handler has returned, when uWebSockets.js has parsed
 * everything that has arrived: if that includes a further request, the connection closes at once and the request is not
 * handled. If the handler answered directly, uWebSockets.js would answer that request too, even if the answer closes
 * the connection.
 */
export const refuse = (res: HttpResponse, req: HttpRequest, answer: Answer): void => {
  const reply = new Reply(res, false, true);
  const page = lastPageOf(req, answer);
  setImmediate(() => reply.send(page));
};

/** Makes any answer close the connection, with `Connection: close`. */
const closeWithAnswer = (res: HttpResponse): void => {
  const { end, write } = res;
  noteClosing(res);
  let hasBegun = false;
  res.end = (body) => end.call(res, body, true);
  // It cannot be asked to close the connection.
  res.tryEnd = (body) => {
    res.end(body);
    return [true, true];
  };
  // uWebSockets.js leaves the connection open if an answer is given the length of a body that it does not have.
  res.endWithoutBody = () => res.end();
  res.write = (chunk) => {
    if (!hasBegun) res.writeHeader('Connection', 'close');
    hasBegun = true;
    return write.call(res, chunk);
  };
};

/**
 * Handles a request as the last of its connection: as in `refuse`, after uWebSockets.js has looked at all that has arrived. A further
 * request among that ends the connection, and neither is handled. The only bodies that come in chunks are those of such requests.
 */
const handleAsLast = (res: HttpResponse, req: HttpRequest, handle: Handler): void => {
  closeWithAnswer(res);
  limitChunks(res, req);
  defer(res, req, nextIteration(), () => handle);
};

/**
 * Handles only requests with an unambiguous end. Chunks are not visible here, and uWebSockets.js reads some that others
 * refuse or read differently (any two bytes for a CRLF, a blank after a size): their end is certain only if nothing is
 * read after them.
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

/**
 * Handles only requests with a well-formed method other than CONNECT, which cannot be passed on.
 * @param handle must not throw
 */
export const unlessBadMethod =
  (handle: Handler): Handler =>
  (res, req) => {
    const method = req.getCaseSensitiveMethod();
    if (method === 'CONNECT') refuse(res, req, answers.isNoProxy);
    else if (isToken(method)) handle(res, req);
    else refuse(res, req, answers.badMethod);
  };
