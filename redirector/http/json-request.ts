/** Requests with a JSON body, as strict as the control plane is with the same operation. */
import type { HttpRequest } from 'uWebSockets.js';
import { ClientError } from '#shared/errors.ts';
import { quoted, shortened } from '#shared/quoted.ts';

const jsonType = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;
const charsetOf = /;\s*charset\s*=\s*"?([^";\s]*)/i;

const faultOf = (req: HttpRequest): string | undefined => {
  // Without a question mark there is no query at all: undefined, whatever its type says.
  const [parameter] = new URLSearchParams((req.getQuery() as string | undefined) ?? '').keys();
  if (parameter !== undefined)
    return `${shortened(parameter)} is not a known parameter; none is accepted here`;
  const type = req.getHeader('content-type');
  if (type !== '' && !jsonType.test(type))
    return `Content-Type must be application/json; given: ${quoted(type)}`;
  const charset = charsetOf.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return `Content-Type must be JSON in UTF-8; given: charset ${quoted(charset)}`;
  const coding = req.getHeader('content-encoding');
  if (coding !== '' && coding !== 'identity')
    return `Content-Encoding must not be set: send the body as it is; given: ${quoted(coding)}`;
  return undefined;
};

/** What is wrong with a request before its body is read: a query, a type that is not JSON in UTF-8, a coding. No type is JSON. */
export const jsonRequestFault = (req: HttpRequest): ClientError | undefined => {
  const fault = faultOf(req);
  return fault === undefined ? undefined : new ClientError('INVALID_REQUEST', fault);
};
