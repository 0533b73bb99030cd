/**
 * A listener that speaks HTTP/1.0, which the parser of uWebSockets.js refuses with 505. It passes each request on, as HTTP/1.1,
 * to the server of the same process, so that a scan over either version is handled alike. Connections to the public port
 * cost nothing for it.
 *
 * It serves nginx's default `proxy_pass`, HAProxy's `httpchk`, `ab`, and monitoring, and speaks HTTP/1.1 as well.
 */
import http from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorBody } from '#shared/errors.ts';
import { createDisbeliefWarning } from '#shared/forwarded-for.ts';
import { isHost } from '#shared/host.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { parseAddress } from '#shared/networks.ts';
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
const limits: http.ServerOptions = {
  maxHeaderSize: headBytesMax,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

const pairs = (rawHeaders: readonly string[]): Header[] =>
  rawHeaders.flatMap((name, index): Header[] =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1]!]] : [],
  );

interface Addressed {
  target: string;
  headers: Header[];
}

/**
 * A target in absolute form (`GET http://host/path`) in the usual form: the host that it names counts, and not the header
 * (RFC 9112, section 3.2.2).
 */
const addressedIn = (url: string, headers: Header[]): Addressed => {
  const [, host, target = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (host === undefined) return { target: url, headers };
  const others = headers.filter(([name]) => name !== 'host');
  return { target: target.startsWith('/') ? target : `/${target}`, headers: [['host', host], ...others] };
};

/** What is wrong with a request that Node takes and the next server does not. */
const faultOf = ({ target, headers }: Addressed): string | undefined => {
  const hosts = headers.filter(([name]) => name === 'host');
  if (hosts.length > 1) return 'A request must have one Host';
  if (!isHost(hosts[0]?.[1] ?? '')) return 'Host must be a name or an address, with a port or without';
  return target.startsWith('/') ? undefined : 'The target must be a path, or a URL with http or https';
};

const refuse = (exchange: Exchange, fault: string): void =>
  exchange.send(
    400,
    [
      ['content-type', 'application/json; charset=utf-8'],
      ['connection', 'close'],
    ],
    Buffer.from(JSON.stringify(errorBody('INVALID_REQUEST', fault))),
  );

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
    const sent = pairs(request.rawHeaders);
    const headers = byProxy ? sent : sent.filter(([name]) => name !== countryHeader);
    const addressed = addressedIn(request.url ?? '/', headers);
    const exchange = exchangeOf(request, response, addressed);
    const fault = faultOf(addressed);
    if (fault !== undefined) return refuse(exchange, fault);
    const chain = chainOf(peer, byProxy, sent);
    // The server that gets the request tells a proxy's clients apart.
    void answerThrough(passthrough, exchange, { address: chain, network: chain }, warn);
  };

  const server = http.createServer(limits, handle);
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
