/** Reads a visit from its request: everything it says about the visitor. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { createDisbeliefWarning } from '#shared/forwarded-for.ts';
import type { Logger } from '#shared/logger.ts';
import { isPrefetch } from '#shared/prefetch.ts';
import type { UserAgent } from '#shared/user-agent.ts';
import type { Visit } from '../scan/visit.ts';
import type { ClientAddress, ClientAddresses } from '../visitor/client-addresses.ts';
import { asCountry } from '../visitor/countries.ts';
import { referrerHost } from '../visitor/referrer.ts';
import { type Connections, createConnections } from './connections.ts';
import { createProxyProtocol, peerOf } from './proxy-protocol.ts';
import { createVisitHeaders, type ReadHeaders, type VisitHeaders } from './visit-headers.ts';

export interface VisitReaderParts {
  userAgents(header: string): UserAgent;
  clientAddresses: ClientAddresses;
  /** The header in which a trusted proxy gives the country, in lower case. */
  countryHeader: string | undefined;
  /** Whether trusted proxies name their client by the PROXY protocol. */
  proxyProtocol?: boolean;
  logger: Logger;
}

export interface VisitReader {
  /** Must be called for each connection. @returns whether it stays open */
  opened(res: HttpResponse): boolean;
  closed(): void;
  readonly connections: Connections;
  /** The headers of a request, to be read before the next request's headers are. */
  readonly headersOf: ReadHeaders;
  addressOf(res: HttpResponse, req: HttpRequest): ClientAddress;
  /** @param head whether it is a HEAD request */
  visitOf(res: HttpResponse, req: HttpRequest, head: boolean): Visit;
  /** Handles a request of this process's own listeners: its proxy headers are trusted. */
  asOwn(handle: () => void): void;
}

export const createVisitReader = (parts: VisitReaderParts): VisitReader => {
  const { userAgents, clientAddresses, logger } = parts;
  const connections = createConnections();
  const headersOf = createVisitHeaders(parts.countryHeader);
  const disbelief = createDisbeliefWarning((fields, message) => logger.warn(fields, message), {
    proxyProtocol: parts.proxyProtocol ?? false,
  });
  const proxyProtocol = parts.proxyProtocol ? createProxyProtocol(clientAddresses, logger) : undefined;
  /** The peer of this process, or the client that the proxy names by the PROXY protocol. */
  const speakerOf = proxyProtocol ? proxyProtocol.clientOf : peerOf;
  let isOwn = false;

  /** Whether the request's proxy headers are trusted. */
  const comesByProxy = (res: HttpResponse): boolean =>
    isOwn ||
    (clientAddresses.hasProxies &&
      ((connections.allTrusted && !proxyProtocol) || clientAddresses.isTrustedProxy(speakerOf(res))));

  const identify = (res: HttpResponse, { forwardedFor }: VisitHeaders, byProxy: boolean): ClientAddress => {
    const named = byProxy ? clientAddresses.ofForwardedFor(forwardedFor) : undefined;
    if (named) return named;
    const address = clientAddresses.ofConnection(speakerOf(res));
    if (!byProxy && forwardedFor !== '' && disbelief.pending) disbelief.of(address.text);
    return address;
  };

  return {
    opened(res) {
      const trusted = clientAddresses.hasProxies && clientAddresses.isTrustedProxy(peerOf(res));
      connections.opened(trusted);
      return proxyProtocol?.admit(res, trusted) ?? true;
    },
    closed: () => connections.closed(),
    connections,
    headersOf,
    addressOf: (res, req) => identify(res, headersOf(req), comesByProxy(res)),
    visitOf(res, req, head) {
      const byProxy = comesByProxy(res);
      const headers = headersOf(req);
      const address = identify(res, headers, byProxy);
      const userAgent = userAgents(headers.getHeader('user-agent'));
      return {
        atMs: Date.now(),
        userAgent,
        address,
        country: (byProxy && asCountry(headers.country)) || address.country,
        referrerHost: referrerHost(headers.getHeader('referer')),
        counts: !(head || userAgent.bot || isPrefetch(headers)),
      };
    },
    asOwn(handle) {
      isOwn = true;
      try {
        handle();
      } finally {
        isOwn = false;
      }
    },
  };
};
