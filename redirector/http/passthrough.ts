/**
 * Passes requests that the redirector does not answer itself through to an upstream, so that one origin serves both
 * redirects and hosted pages. Small request bodies are read whole before the upstream is asked, so a slow client holds
 * no upstream connection. Larger bodies, and answers, are streamed with limits, time-outs and back-pressure.
 */
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { DomainDocument } from '#schemas/documents.ts';
import { errorBody, errorStatus } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { type FailureCode, failures, fullText, readerOf } from '../pages/index.ts';
import { BodyTooLargeError, type Exchange, type Header } from './exchange.ts';
import { BodyLateError, type ReadLimits, readStart } from './read-start.ts';

/** The upstream could not answer; the client gets `code`. */
class PassthroughError extends Error {
  override name = 'PassthroughError';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error to log for a request refused by {@link Passthrough.admits}. */
export const noRoom: Error = new PassthroughError('UNAVAILABLE', fullText);

export interface PassthroughOptions {
  upstreamUrl: string;
  /** Proves to the upstream that the client's address comes from the redirector. */
  token: string;
  /** Concurrent requests to the upstream, one connection each; beyond that, 503. */
  concurrentMax: number;
  /** How many of these may have a body larger than `small.bytesMax`: a slow client holds their connections. */
  largeMax: number;
  /** Requests per client, from their head to the end of their answer; beyond that, 503. */
  perClientMax: number;
  /** Requests whose body is being collected, and bytes of bodies in memory; beyond either, 503. */
  collectingMax: number;
  collectedBytesMax: number;
  /** The limits of a body that is collected before the upstream is asked. */
  small: ReadLimits;
  headersTimeoutMs: number;
  /** The exchange ends if no byte of the body arrives for this long. */
  bodyTimeoutMs: number;
}

/** The workspace domain that a request is for, a space, and its workspace. Trusted only with the token. */
const domainHeader = 'waymark-domain';

/**
 * Hop-by-hop headers (RFC 9110, section 7.6.1), headers that the redirector sets itself, and `uWebSockets`, which its
 * own server adds to the answers of the HTTP/1.0 port.
 */
const notForwarded = new Set([
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
  domainHeader,
  'uwebsockets',
]);

/** Drops {@link notForwarded} and the headers named by Connection. */
const endToEnd = (headers: Header[]): Header[] => {
  const named = headers
    .filter(([name]) => name === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  return headers.filter(([name]) => !notForwarded.has(name) && !named.includes(name));
};

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /TIMEOUT/.test(String(error.code));

const responseHeaders = (headers: Record<string, string | string[] | undefined>): Header[] =>
  endToEnd(
    Object.entries(headers).flatMap(([name, value]): Header[] =>
      value === undefined ? [] : [value].flat().map((single) => [name, single]),
    ),
  );

export interface UpstreamResponse {
  status: number;
  headers: Header[];
  body: Readable;
}

/** The client of a request. */
export interface PassthroughClient {
  /** Sent to the upstream as X-Forwarded-For. */
  address: string;
  /** Counts as one client: an IPv4 address, or an IPv6 /64. Undefined: not counted per client. */
  network: string | undefined;
  /** The workspace domain that the request is for; undefined: QR_HOST. Sent to the upstream as `waymark-domain`. */
  domain?: Pick<DomainDocument, 'domain' | 'workspaceId'> | undefined;
}

export interface Passthrough {
  /**
   * Whether there is room for another request, before anything is created for it. If not, the refusal is counted, and
   * `fullAnswer` is to be sent: thousands at once must not delay scans.
   * @param network of the client
   */
  admits(network: string | undefined, hasBody: boolean): boolean;
  /** @throws {PassthroughError} */
  forward(exchange: Exchange, client: PassthroughClient): Promise<UpstreamResponse>;
  /** Requests whose response has not ended. */
  readonly underWay: number;
  /** Requests refused here, by reason. */
  readonly refused: Readonly<Record<Refusal, number>>;
}

/**
 * Too many at once: in total, per client, with large bodies, or with bodies being collected. Or a body that did not
 * arrive in time.
 */
type Refusal = 'concurrent' | 'client' | 'large' | 'collecting' | 'late';

const toPassthroughError = (error: unknown): PassthroughError => {
  if (error instanceof PassthroughError) return error;
  if (error instanceof BodyLateError)
    return new PassthroughError('REQUEST_TIMEOUT', error.message, { cause: error });
  if (error instanceof BodyTooLargeError)
    return new PassthroughError('BODY_TOO_LARGE', error.message, { cause: error });
  if (isTimeout(error))
    return new PassthroughError('GATEWAY_TIMEOUT', 'The service did not answer in time', { cause: error });
  return new PassthroughError('BAD_GATEWAY', 'The service behind this address does not answer', {
    cause: error,
  });
};

/** The requests and bytes under way, in total and per client. */
const createShares = (options: PassthroughOptions) => {
  const refused: Record<Refusal, number> = { concurrent: 0, client: 0, large: 0, collecting: 0, late: 0 };
  const used = { concurrent: 0, large: 0, collecting: 0, bytes: 0 };
  const max = {
    concurrent: options.concurrentMax,
    large: options.largeMax,
    collecting: options.collectingMax,
    bytes: options.collectedBytesMax,
  };
  const ofClients = new Map<string, number>();

  const refuse = (reason: Refusal): never => {
    refused[reason]++;
    throw noRoom;
  };

  /** Why there is no room; undefined if there is. */
  const lackFor = (network: string | undefined, hasBody: boolean): Refusal | undefined => {
    if (network !== undefined && (ofClients.get(network) ?? 0) >= options.perClientMax) return 'client';
    const place = hasBody ? 'collecting' : 'concurrent';
    return used[place] >= max[place] ? place : undefined;
  };

  return {
    refused,
    used,
    hasRoom(network: string | undefined, hasBody: boolean): boolean {
      const lack = lackFor(network, hasBody);
      if (lack !== undefined) refused[lack]++;
      return lack === undefined;
    },
    /** @returns a function that gives the share back */
    ofClient(network: string): () => void {
      const count = ofClients.get(network) ?? 0;
      if (count >= options.perClientMax) refuse('client');
      ofClients.set(network, count + 1);
      return () => {
        const left = ofClients.get(network)! - 1;
        if (left === 0) ofClients.delete(network);
        else ofClients.set(network, left);
      };
    },
    /** @returns a function that gives the share back */
    of(what: keyof typeof used, amount = 1): () => void {
      if (used[what] + amount > max[what]) refuse(what === 'bytes' ? 'collecting' : what);
      used[what] += amount;
      return () => {
        used[what] -= amount;
      };
    },
  };
};

export const createPassthrough = (dispatcher: Dispatcher, options: PassthroughOptions): Passthrough => {
  const shares = createShares(options);

  const collect = async (body: Readable, held: (() => void)[]): Promise<Buffer | Readable> => {
    const release = shares.of('collecting');
    try {
      return await readStart(body, options.small, (bytes) => held.push(shares.of('bytes', bytes)));
    } catch (error) {
      if (error instanceof BodyLateError) shares.refused.late++;
      throw error;
    } finally {
      release();
    }
  };

  const ask = (
    exchange: Exchange,
    { address, domain }: PassthroughClient,
    body: Buffer | Readable | undefined,
  ) =>
    dispatcher.request({
      origin: options.upstreamUrl,
      path: exchange.target,
      method: exchange.method as Dispatcher.HttpMethod,
      headers: [
        ...endToEnd(exchange.headers).flat(),
        'x-forwarded-for',
        address,
        'x-waymark-proxy',
        options.token,
        ...(domain === undefined ? [] : [domainHeader, `${domain.domain} ${domain.workspaceId}`]),
      ],
      body: body ?? null,
      headersTimeout: options.headersTimeoutMs,
      bodyTimeout: options.bodyTimeoutMs,
      signal: exchange.signal,
    });

  return {
    admits: shares.hasRoom,
    get underWay() {
      return shares.used.concurrent;
    },
    refused: shares.refused,
    async forward(exchange, client) {
      const held: (() => void)[] = [];
      const release = () => {
        for (const give of held.splice(0)) give();
      };
      try {
        if (client.network !== undefined) held.push(shares.ofClient(client.network));
        const body = exchange.body && (await collect(exchange.body, held));
        held.push(shares.of('concurrent'));
        if (body && !Buffer.isBuffer(body)) held.push(shares.of('large'));
        const response = await ask(exchange, client, body);
        response.body.once('close', release);
        return {
          status: response.statusCode,
          headers: responseHeaders(response.headers),
          body: response.body,
        };
      } catch (error) {
        release();
        throw toPassthroughError(error);
      }
    },
  };
};

/** Warnings that clients can trigger: one of each kind per ten seconds. */
export type PassthroughWarning = (error: unknown, target: string) => void;

/** @param logger gets warnings about late bodies without a stack: nothing here has failed */
export const createPassthroughWarning = (logger: Logger): PassthroughWarning => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  return (error, target) => {
    const { code, message } = toPassthroughError(error);
    const cause = code === 'REQUEST_TIMEOUT' ? { code, reason: message } : { err: error };
    warn(code, { ...cause, target: target.slice(0, 200) }, 'could not pass a request on');
  };
};

/** A page for browsers, JSON for programs. */
const sendFailure = (exchange: Exchange, code: FailureCode, message: string): void => {
  const status = errorStatus[code];
  const headerOf = (wanted: string): string => exchange.headers.find(([name]) => name === wanted)?.[1] ?? '';
  const reader = readerOf(headerOf('accept'), headerOf('accept-language'));
  if (reader !== 'program') {
    const { headers, body } = failures[code].page(reader);
    return exchange.send(status, headers, body);
  }
  const headers: Header[] = [
    ['content-type', 'application/json; charset=utf-8'],
    ['vary', 'Accept'],
  ];
  if (code === 'UNAVAILABLE') headers.push(['retry-after', '1']);
  exchange.send(status, headers, Buffer.from(JSON.stringify(errorBody(code, message))));
};

/** Passes an exchange through and answers it with the upstream's response, or with the error. */
export const answerThrough = async (
  passthrough: Passthrough,
  exchange: Exchange,
  client: PassthroughClient,
  warn: PassthroughWarning,
): Promise<void> => {
  try {
    const { status, headers, body } = await passthrough.forward(exchange, client);
    await exchange.stream(status, headers, body);
  } catch (error) {
    if (exchange.signal.aborted) return;
    warn(error, exchange.target);
    if (exchange.answered) return; // the response had begun, and is truncated
    // A short body is read whole before anything is sent: if the upstream aborts it, no response has begun.
    const { code, message } = error instanceof PassthroughError ? error : toPassthroughError(error);
    sendFailure(exchange, code, message);
  }
};
