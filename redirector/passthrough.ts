/**
 * Passes on what the redirector does not answer itself, so that one origin serves redirects and hosted pages alike.
 * Bodies are streamed in both directions, with limits, time-outs and back-pressure.
 */
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Logger } from '#shared/logger.ts';
import { BodyTooLargeError, type Exchange, type Header } from './exchange.ts';

type PassthroughStatus = 413 | 502 | 503 | 504;

/** The upstream could not answer; `status` is what the client gets. */
export class PassthroughError extends Error {
  override name = 'PassthroughError';
  readonly status: PassthroughStatus;

  constructor(status: PassthroughStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export interface PassthroughOptions {
  upstreamUrl: string;
  /** Proof for the upstream that the client's address comes from us. */
  token: string;
  /** Requests under way at once; beyond it, 503. */
  concurrentMax: number;
  headersTimeoutMs: number;
  /** Without a byte of the body for so long, the exchange ends. */
  bodyTimeoutMs: number;
}

/** RFC 9110, section 7.6.1, and what is ours to say. */
const notPassedOn = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'x-forwarded-for',
  'x-waymark-proxy',
]);

/** Hop-by-hop headers are those of the standard and those that Connection names. */
const endToEnd = (headers: Header[]): Header[] => {
  const named = headers
    .filter(([name]) => name === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  return headers.filter(([name]) => !notPassedOn.has(name) && !named.includes(name));
};

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /TIMEOUT/.test(String(error.code));

const responseHeaders = (headers: Record<string, string | string[] | undefined>): Header[] =>
  endToEnd(
    Object.entries(headers).flatMap(([name, value]): Header[] =>
      value === undefined ? [] : [value].flat().map((single) => [name, single]),
    ),
  );

export interface PassedResponse {
  status: number;
  headers: Header[];
  body: Readable;
}

export interface Passthrough {
  /**
   * @param clientAddress is told to the upstream as X-Forwarded-For
   * @throws {PassthroughError}
   */
  forward(exchange: Exchange, clientAddress: string): Promise<PassedResponse>;
  /** Requests whose response has not ended. */
  readonly underWay: number;
}

const toPassthroughError = (error: unknown): PassthroughError => {
  if (error instanceof BodyTooLargeError) return new PassthroughError(413, error.message, { cause: error });
  if (isTimeout(error))
    return new PassthroughError(504, 'The service did not answer in time', { cause: error });
  return new PassthroughError(502, 'The service behind this address does not answer', { cause: error });
};

export const createPassthrough = (dispatcher: Dispatcher, options: PassthroughOptions): Passthrough => {
  let underWay = 0;
  return {
    get underWay() {
      return underWay;
    },
    async forward({ method, target, headers, body, signal }, clientAddress) {
      if (underWay >= options.concurrentMax) throw new PassthroughError(503, 'Too many requests at once');
      underWay++;
      try {
        const response = await dispatcher.request({
          origin: options.upstreamUrl,
          path: target,
          method: method as Dispatcher.HttpMethod,
          headers: [
            ...endToEnd(headers).flat(),
            'x-forwarded-for',
            clientAddress,
            'x-waymark-proxy',
            options.token,
          ],
          body: body ?? null,
          headersTimeout: options.headersTimeoutMs,
          bodyTimeout: options.bodyTimeoutMs,
          signal,
        });
        response.body.once('close', () => underWay--);
        return {
          status: response.statusCode,
          headers: responseHeaders(response.headers),
          body: response.body,
        };
      } catch (error) {
        underWay--;
        throw toPassthroughError(error);
      }
    },
  };
};

/** Passes an exchange on and answers it with what comes back, or with why nothing did. */
export const answerThrough = async (
  passthrough: Passthrough,
  exchange: Exchange,
  clientAddress: string,
  logger: Logger,
): Promise<void> => {
  try {
    const { status, headers, body } = await passthrough.forward(exchange, clientAddress);
    await exchange.stream(status, headers, body);
  } catch (error) {
    if (exchange.signal.aborted) return;
    logger.warn({ err: error, target: exchange.target }, 'passing a request on failed');
    if (exchange.answered) return; // the response had begun, and has been cut off
    // A short body is read whole before anything is sent: where the upstream breaks it off, nothing has begun.
    const { status, message } = error instanceof PassthroughError ? error : toPassthroughError(error);
    const headers: Header[] = [['content-type', 'application/json; charset=utf-8']];
    if (status === 503) headers.push(['retry-after', '1']);
    exchange.send(status, headers, Buffer.from(JSON.stringify({ error: message })));
  }
};
