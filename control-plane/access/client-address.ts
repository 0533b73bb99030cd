/** The address of the client, also where its request came through proxies. */
import type { IncomingMessage } from 'node:http';
import { createDisbeliefWarning, nearestUntrusted } from '#shared/forwarded-for.ts';
import type { Logger } from '#shared/logger.ts';
import { type Address, isInNetwork, parseAddress, parseNetwork } from '#shared/networks.ts';
import { equalInConstantTime } from '#shared/signing.ts';

export interface ClientAddressOptions {
  /** CIDRs or single addresses. */
  trustedProxies: readonly string[];
  /** With it in `x-waymark-proxy` a redirector shows that it passes a request on. */
  internalToken: string;
  logger: Logger;
}

export type ClientAddressOf = (request: IncomingMessage) => string;

/** X-Forwarded-For is believed only from a trusted proxy or a redirector. */
export const createClientAddress = ({
  trustedProxies,
  internalToken,
  logger,
}: ClientAddressOptions): ClientAddressOf => {
  const networks = trustedProxies.map(parseNetwork);
  const isTrusted = (address: Address): boolean => networks.some((network) => isInNetwork(address, network));
  const disbelief = createDisbeliefWarning((fields, message) => logger.warn(fields, message));

  const isFromRedirector = (request: IncomingMessage): boolean => {
    const token = request.headers['x-waymark-proxy'];
    return typeof token === 'string' && equalInConstantTime(token, internalToken);
  };

  return (request) => {
    const peer = parseAddress(request.socket.remoteAddress ?? '');
    // Node joins the lines of this header by commas.
    const forwardedFor = request.headers['x-forwarded-for'];
    const believed = (peer !== undefined && isTrusted(peer)) || isFromRedirector(request);
    const named =
      believed && forwardedFor
        ? nearestUntrusted(String(forwardedFor), { read: parseAddress, isTrusted })
        : undefined;
    const client = (named ?? peer)?.toString() ?? 'unknown';
    if (!believed && forwardedFor !== undefined) disbelief.of(client);
    return client;
  };
};
