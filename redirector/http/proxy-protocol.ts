/**
 * The PROXY protocol, version 2 (https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt): a proxy sends its
 * client's address ahead of the client's bytes.
 *
 * uWebSockets.js reads such a header from any peer, before the first request of a connection, and cannot be stopped
 * from doing so. The result is used only if PROXY_PROTOCOL is set; otherwise a header changes nothing. If it is set:
 *
 * - connections from anything but a trusted proxy are closed when they open,
 * - every connection is closed after its first answer: a client whose bytes are passed on unchanged could put a header
 *   of its own before its next request.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Logger } from '#shared/logger.ts';
import { loggedAddress } from '#shared/networks.ts';
import type { ClientAddresses } from '../visitor/client-addresses.ts';

export interface ProxyProtocol {
  /**
   * Closes a connection that does not come from a trusted proxy. Called when it opens.
   * @returns whether it stays open
   */
  admit(res: HttpResponse, trusted: boolean): boolean;
  /**
   * The address of the proxy's client, as 4 or 16 bytes; the proxy's own if its header has none, as in its own checks
   * (command LOCAL), or if it sends no header.
   */
  clientOf(res: HttpResponse): Uint8Array;
}

/** 4 or 16 bytes; none once the connection is closed. */
export const peerOf = (res: HttpResponse): Uint8Array => new Uint8Array(res.getRemoteAddress());

/** @param clientAddresses has at least one trusted proxy */
export const createProxyProtocol = (clientAddresses: ClientAddresses, logger: Logger): ProxyProtocol => {
  let [strangerWarned, headerWarned] = [false, false];

  const textOf = (peer: Uint8Array): string => clientAddresses.ofConnection(peer).text;

  return {
    admit(res, trusted) {
      if (trusted) return true;
      if (!strangerWarned) {
        const peer = loggedAddress(textOf(peerOf(res)));
        logger.warn(
          { peer },
          `a connection from ${peer} is closed: with PROXY_PROTOCOL set, only proxies in TRUSTED_PROXIES may connect`,
        );
      }
      strangerWarned = true;
      res.close();
      return false;
    },
    clientOf(res) {
      const named = new Uint8Array(res.getProxiedRemoteAddress());
      if (named.length > 0) return named;
      const peer = peerOf(res);
      if (!headerWarned) {
        logger.warn(
          { peer: textOf(peer) },
          `${textOf(peer)} has sent no PROXY header of version 2 with an address: its clients count as one`,
        );
      }
      headerWarned = true;
      return peer;
    },
  };
};
