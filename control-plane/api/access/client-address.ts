/** The address of the client, even behind proxies. */
import type { IncomingMessage } from 'node:http';
import { createDisbeliefWarning, nearestUntrusted } from '#shared/forwarded-for.ts';
import type { Logger } from '#shared/logger.ts';
import { type Address, isInNetwork, parseAddress, parseNetwork } from '#shared/networks.ts';
import { equalInConstantTime } from '#shared/signing.ts';

export interface ClientAddressOptions {
  /** CIDRs or single addresses. */
  trustedProxies: readonly string[];
  /** A redirector sends it in `x-waymark-proxy` to show that it passes a request on. */
  internalToken: string;
  logger: Logger;
}

export type ClientAddressOf = (request: IncomingMessage) => string;
/** Whether a request comes from a trusted proxy or a redirector, whose statement about the client is believed. */
export type IsByProxy = (request: IncomingMessage) => boolean;

const peerOf = (request: IncomingMessage): Address | undefined =>
  parseAddress(request.socket.remoteAddress ?? '');

const createIsTrusted = (trustedProxies: readonly string[]) => {
  const networks = trustedProxies.map(parseNetwork);
  return (address: Address): boolean => networks.some((network) => isInNetwork(address, network));
};

/** Whether a request comes from a redirector. */
export const createIsByRedirector =
  ({ internalToken }: Pick<ClientAddressOptions, 'internalToken'>): IsByProxy =>
  ({ headers }) => {
    const token = headers['x-waymark-proxy'];
    return typeof token === 'string' && equalInConstantTime(token, internalToken);
  };

export const createIsByProxy = ({
  trustedProxies,
  internalToken,
}: Pick<ClientAddressOptions, 'trustedProxies' | 'internalToken'>): IsByProxy => {
  const isTrusted = createIsTrusted(trustedProxies);
  const isByRedirector = createIsByRedirector({ internalToken });
  return (request) => {
    const peer = peerOf(request);
    return (peer !== undefined && isTrusted(peer)) || isByRedirector(request);
  };
};

/** X-Forwarded-For is believed only from a trusted proxy or a redirector. */
export const createClientAddress = (options: ClientAddressOptions): ClientAddressOf => {
  const isTrusted = createIsTrusted(options.trustedProxies);
  const isByProxy = createIsByProxy(options);
  const disbelief = createDisbeliefWarning((fields, message) => options.logger.warn(fields, message));

  return (request) => {
    const peer = peerOf(request);
    // Node joins multiple lines of this header with commas.
    const forwardedFor = request.headers['x-forwarded-for'];
    const believed = isByProxy(request);
    const named =
      believed && forwardedFor
        ? nearestUntrusted(String(forwardedFor), { read: parseAddress, isTrusted })
        : undefined;
    const client = (named ?? peer)?.toString() ?? 'unknown';
    if (!believed && forwardedFor !== undefined) disbelief.of(client);
    return client;
  };
};
