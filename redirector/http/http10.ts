/**
 * A listener that speaks HTTP/1.0, which the uWebSockets.js parser refuses with 505. It passes each request on as
 * HTTP/1.1 to this process's own server, so scans are handled alike over both versions. It costs connections to the
 * public port nothing.
 *
 * It serves nginx's default `proxy_pass`, HAProxy's `httpchk`, `ab`, and monitoring, and also speaks HTTP/1.1. One
 * client may have 64 requests with a body under way here; further ones are refused as soon as they are read. Scans have
 * no body and are bounded only in total, so that a proxy missing from TRUSTED_PROXIES is not refused scans as if it
 * were one phone.
 */
import type http from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorStatus } from '#shared/errors.ts';
import { createDisbeliefWarning } from '#shared/forwarded-for.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { parseAddress } from '#shared/networks.ts';
import {
  type Addressed,
  addressedIn,
  createStrictServer,
  headerLines,
  type StrictServerOptions,
} from '#shared/strict-server.ts';
import { fullAnswer, pageOf, readerOf } from '../pages/index.ts';
import type { ClientAddresses } from '../visitor/client-addresses.ts';
import { networkText } from '../visitor/client-network.ts';
import { drainedBytesMax, type Exchange, type Header } from './exchange.ts';
import { answerThrough, createPassthroughWarning, noRoom, type Passthrough } from './passthrough.ts';
import { headBytesMax, headersMax } from './request-head.ts';

export interface Http10Options {
  host: string;
  port: number;
  clientAddresses: ClientAddresses;
  /** In lower case. */
  countryHeader: string | undefined;
  /** To this process's own server. */
  passthrough: Passthrough;
  logger: Logger;
}

/** The headers added to a request that is passed on: Host, Connection, X-Forwarded-For and the token. */
const addedHeaders = 4;

/** As on the control plane's listener; a proxy closes its idle connections itself. */
const limits: StrictServerOptions = {
  maxHeaderSize: headBytesMax,
  headersMax: headersMax - addedHeaders,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

/** The size of a request's body as declared; Infinity if it is not declared, 0 without a body. */
const announcedBytes = ({ headers }: http.IncomingMessage): number =>
  'transfer-encoding' in headers ? Infinity : Number(headers['content-length'] ?? 0);

const sendWhole = (
  response: http.ServerResponse,
  status: number,
  headers: readonly Header[],
  body: Buffer,
): void => {
  response.writeHead(status, [...headers.flat(), 'content-length', String(body.length)]).end(body);
};

/** Answers that there is no room, with a prebuilt page. */
const refuse = (request: http.IncomingMessage, response: http.ServerResponse): void => {
  const { headers, body } = pageOf(
    fullAnswer,
    readerOf(request.headers.accept ?? '', request.headers['accept-language'] ?? ''),
  );
  if (announcedBytes(request) > drainedBytesMax) response.shouldKeepAlive = false;
  sendWhole(response, errorStatus.UNAVAILABLE, headers, body);
};

/** The request as an exchange; it must be answered by `send` or `stream`. */
const exchangeOf = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { target, headers }: Addressed,
): Exchange => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return {
    method: request.method ?? 'GET',
    target,
    headers,
    signal: gone.signal,
    body: announcedBytes(request) > 0 ? request : undefined,
    get answered() {
      return response.headersSent;
    },
    send: (status, answerHeaders, body) => sendWhole(response, status, answerHeaders, body),
    async stream(status: number, answerHeaders: Header[], body: Readable) {
      response.writeHead(status, answerHeaders.flat());
      await pipeline(body, response);
    },
  };
};

/** @throws if the port is taken */
export const startHttp10Listener = async (options: Http10Options): Promise<Closeable> => {
  const { host, port, clientAddresses, countryHeader, passthrough, logger } = options;
  const warn = createPassthroughWarning(logger);
  const disbelief = createDisbeliefWarning((fields, message) => logger.warn(fields, message));

  /** Whether the peer's proxy headers are trusted. */
  const isByProxy = (peer: string): boolean => {
    const address = clientAddresses.hasProxies ? parseAddress(peer) : undefined;
    return address !== undefined && clientAddresses.isTrustedProxy(new Uint8Array(address.toByteArray()));
  };

  /** The proxy chain, ending with this listener's peer; only the peer if it is not trusted. */
  const chainOf = (peer: string, byProxy: boolean, headers: Header[]): string => {
    const lines = headers.filter(([name]) => name === 'x-forwarded-for').map(([, value]) => value);
    if (!byProxy && lines.length > 0) disbelief.of(peer);
    return [...(byProxy ? lines : []), peer].join(',');
  };

  /** Counts as one client: the network of the client named by a trusted proxy, or of the peer. */
  const networkOf = (chain: string): string => {
    const client = clientAddresses.ofForwardedFor(chain);
    return client ? networkText(client.networkHigh, client.networkLow) : chain;
  };

  const handle = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const peer = request.socket.remoteAddress ?? '';
    const byProxy = isByProxy(peer);
    const sent = headerLines(request.rawHeaders);
    const chain = chainOf(peer, byProxy, sent);
    const hasBody = announcedBytes(request) > 0;
    const network = hasBody ? networkOf(chain) : undefined;
    if (!passthrough.admits(network, hasBody)) {
      warn(noRoom, request.url ?? '/');
      return refuse(request, response);
    }
    const headers = byProxy ? sent : sent.filter(([name]) => name !== countryHeader);
    const exchange = exchangeOf(request, response, addressedIn(request.url ?? '/', headers));
    void answerThrough(passthrough, exchange, { address: chain, network }, warn);
  };

  const server = createStrictServer(limits, handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
};
