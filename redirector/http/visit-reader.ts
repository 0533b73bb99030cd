/** Reads a visit from its request: what it tells of the visitor. */
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
import { createProxyHeaders, type ProxyHeaders } from './visit-headers.ts';

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
  addressOf(res: HttpResponse, req: HttpRequest): ClientAddress;
  /** @param head whether it is a HEAD request */
  visitOf(res: HttpResponse, req: HttpRequest, head: boolean): Visit;
  /** Handles a request of this process's own listeners: its proxy headers are trusted. */
  asOwn(handle: () => void): void;
}

export const createVisitReader = (parts: VisitReaderParts): VisitReader => {
  const { userAgents, clientAddresses, logger } = parts;
  const connections = createConnections();
  const readProxyHeaders = createProxyHeaders(parts.countryHeader);
  const disbelief = createDisbeliefWarning((fields, message) => logger.warn(fields, message), {
    proxyProtocol: parts.proxyProtocol ?? false,
  });
  const proxyProtocol = parts.proxyProtocol ? createProxyProtocol(clientAddresses, logger) : undefined;
  /** Who speaks to this process, or to the proxy that names it by the PROXY protocol. */
  const speakerOf = proxyProtocol ? proxyProtocol.clientOf : peerOf;
  let isOwn = false;

  /** Whether the request's proxy headers are trusted. */
  const comesByProxy = (res: HttpResponse): boolean =>
    isOwn ||
    (clientAddresses.hasProxies &&
      ((connections.allTrusted && !proxyProtocol) || clientAddresses.isTrustedProxy(speakerOf(res))));

  const proxyHeadersOf = (res: HttpResponse, req: HttpRequest): ProxyHeaders | undefined =>
    comesByProxy(res) ? readProxyHeaders(req) : undefined;

  const identify = (
    headers: ProxyHeaders | undefined,
    res: HttpResponse,
    req: HttpRequest,
  ): ClientAddress => {
    const named = headers && clientAddresses.ofForwardedFor(headers.forwardedFor);
    if (named) return named;
    const address = clientAddresses.ofConnection(speakerOf(res));
    if (!headers && disbelief.pending && req.getHeader('x-forwarded-for') !== '') disbelief.of(address.text);
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
    addressOf: (res, req) => identify(proxyHeadersOf(res, req), res, req),
    visitOf(res, req, head) {
      const byProxy = proxyHeadersOf(res, req);
      const headers = byProxy ?? req;
      const address = identify(byProxy, res, req);
      const userAgent = userAgents(headers.getHeader('user-agent'));
      return {
        atMs: Date.now(),
        userAgent,
        address,
        country: (byProxy && asCountry(byProxy.country)) || address.country,
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
