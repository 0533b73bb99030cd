/** `POST /api/verify/serial` at the API's own origin. A redirector answers it, since only redirectors claim items. */
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { equalInConstantTime } from '#shared/signing.ts';
import { bodyLimits, rawBody } from '../../../api/http/body.ts';
import { type Operation, publicOperation, type Reply } from '../../../api/http/operation.ts';
import { verifySerialDocs } from './docs.ts';

export interface PassOnOptions {
  /** A redirector's public listener. */
  redirectorUrl: string;
  /** The lower-case name of the header in which a trusted proxy gives the country. */
  countryHeader: string | undefined;
  /** Proves to the redirector that the client's address and country can be trusted. */
  internalToken: string;
  dispatcher: Dispatcher;
}

/** Longer than a redirector waits for Redis, this plane and its disk. */
const timeoutMs = 15_000;
/** Larger than any of its answers. */
const answerBytesMax = 64 * 2 ** 10;

const passedHeaders = ['ratelimit', 'ratelimit-policy', 'retry-after'] as const;

const tokenHeader = 'x-waymark-proxy';

const unavailable = (cause: unknown): ClientError =>
  new ClientError('UNAVAILABLE', 'This code cannot be verified at the moment, which says nothing about it', {
    cause,
    retryAfterSeconds: 2,
  });

const toReply = async ({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Reply> => {
  const text = await body.text();
  if (text.length > answerBytesMax) throw new Error(`a redirector answered with ${text.length} characters`);
  return {
    status: statusCode,
    headers: Object.fromEntries(
      passedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
    ),
    body: z.looseObject({}).parse(JSON.parse(text)),
  };
};

/** The headers of a request for JSON that the redirector checks. */
const checkedHeaders = ['content-type', 'content-encoding', 'user-agent'];

/** The redirector checks the request as it was sent, and counts it against the limit of the client's address. */
export const createVerifyOperation = ({
  redirectorUrl,
  countryHeader,
  internalToken,
  dispatcher,
}: PassOnOptions): Operation =>
  publicOperation({
    method: 'post',
    path: '/api/verify/serial',
    access: 'public',
    body: rawBody,
    bodyLimit: bodyLimits.serial,
    unchecked: true,
    docs: verifySerialDocs,
    async handle({ body, search, header, proxyHeader, clientAddress }) {
      // A redirector that does not know this path has passed it on: without this check it would loop for ever. From
      // any other client the header means nothing.
      if (equalInConstantTime(header(tokenHeader), internalToken))
        throw unavailable('the redirector at REDIRECTOR_URL does not verify');
      const asSent = checkedHeaders.flatMap((name) => (header(name) === '' ? [] : [[name, header(name)]]));
      const country = countryHeader === undefined ? {} : { [countryHeader]: proxyHeader(countryHeader) };
      try {
        const answer = await request(`${redirectorUrl}/api/verify/serial?${search}`, {
          dispatcher,
          method: 'POST',
          headers: {
            ...Object.fromEntries(asSent),
            'x-forwarded-for': clientAddress(),
            [tokenHeader]: internalToken,
            ...country,
          },
          body,
          signal: AbortSignal.timeout(timeoutMs),
        });
        return await toReply(answer);
      } catch (error) {
        throw unavailable(error);
      }
    },
  });
