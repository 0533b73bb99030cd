/**
 * A listener that speaks HTTP/1.0, which the parser of uWebSockets.js refuses with 505. It passes each request on, as HTTP/1.1,
 * to the server of the same process, so that a scan over either version is handled alike. Connections to the public port
 * cost nothing for it.
 *
 * It serves nginx's default `proxy_pass`, HAProxy's `httpchk`, `ab`, and monitoring, and speaks HTTP/1.1 as well.
 */
import type http from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
import type { ClientAddresses } from '../visitor/client-addresses.ts';
import type { Exchange, Header } from './exchange.ts';
import { answerThrough, createPassthroughWarning, type Passthrough } from './passthrough.ts';
import { headBytesMax } from './request-head.ts';

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

/** As of the control plane's listener; a proxy closes its idle connections itself. */
const limits: StrictServerOptions = {
  maxHeaderSize: headBytesMax,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

/** The request as an exchange; it must be answered by `send` or `stream`. */
const exchangeOf = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { target, headers }: Addressed,
): Exchange => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const hasBody =
    'transfer-encoding' in request.headers || (request.headers['content-length'] ?? '0') !== '0';
  return {
    method: request.method ?? 'GET',
    target,
    headers,
    signal: gone.signal,
    body: hasBody ? request : undefined,
    get answered() {
      return response.headersSent;
    },
    send(status: number, answerHeaders: Header[], body: Buffer) {
      response.writeHead(status, answerHeaders.flat()).end(body);
    },
    async stream(status: number, answerHeaders: Header[], body: Readable) {
      response.writeHead(status, answerHeaders.flat());
      await pipeline(body, response);
    },
  };
};

/** @throws when the port is taken */
export const startHttp10Listener = async (options: Http10Options): Promise<Closeable> => {
  const { host, port, clientAddresses, countryHeader, passthrough, logger } = options;
  const warn = createPassthroughWarning(logger);
  const disbelief = createDisbeliefWarning((fields, message) => logger.warn(fields, message));

  /** Whether the peer's proxy headers are trusted. */
  const isByProxy = (peer: string): boolean => {
    const address = parseAddress(peer);
    return address !== undefined && clientAddresses.isTrustedProxy(new Uint8Array(address.toByteArray()));
  };

  /** The chain of proxies, with this listener's peer as its end; from a stranger, the peer alone. */
  const chainOf = (peer: string, byProxy: boolean, headers: Header[]): string => {
    const lines = headers.filter(([name]) => name === 'x-forwarded-for').map(([, value]) => value);
    if (!byProxy && lines.length > 0) disbelief.of(peer);
    return [...(byProxy ? lines : []), peer].join(',');
  };

  const handle = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const peer = request.socket.remoteAddress ?? '';
    const byProxy = isByProxy(peer);
    const sent = headerLines(request.rawHeaders);
    const headers = byProxy ? sent : sent.filter(([name]) => name !== countryHeader);
    const addressed = addressedIn(request.url ?? '/', headers);
    const exchange = exchangeOf(request, response, addressed);
    const chain = chainOf(peer, byProxy, sent);
    // The server that gets the request tells a proxy's clients apart.
    void answerThrough(passthrough, exchange, { address: chain, network: chain }, warn);
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
