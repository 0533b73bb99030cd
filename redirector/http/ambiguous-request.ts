/**
 * Requests whose end another server may find elsewhere than uWebSockets.js does: behind such a server they smuggle a second
 * request (RFC 9112, section 11.2). uWebSockets.js takes the first of two lengths, and any Transfer-Encoding for chunked.
 */
import type { HttpRequest } from 'uWebSockets.js';

/** Whether the length of the body can be read in two ways, or a header has no name. */
export const isAmbiguous = (req: HttpRequest): boolean => {
  let lengths = 0;
  let ambiguous = false;
  req.forEach((name, value) => {
    if (name === 'content-length') lengths++;
    else if (name === 'transfer-encoding') {
      lengths++;
      if (value.trim().toLowerCase() !== 'chunked') ambiguous = true;
    } else if (name === '') ambiguous = true;
  });
  return ambiguous || lengths > 1;
};

/** Whether the request target is as RFC 9112, section 3.2, allows: visible ASCII, all else percent-encoded. */
export const hasAsciiTarget = (req: HttpRequest): boolean =>
  // Without a question mark there is no query at all: undefined, whatever its type says.
  /^[\x21-\x7e]*$/.test(req.getUrl()) && /^[\x21-\x7e]*$/.test((req.getQuery() as string | undefined) ?? '');
