/**
 * The PROXY protocol, version 2 (https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt): a proxy sends the address of its
 * client ahead of what the client sends.
 *
 * uWebSockets.js reads such a header from any peer, before any request of a connection, and has no switch for that. What it has
 * read is asked for only where PROXY_PROTOCOL is set; elsewhere a header changes nothing. Where it is set,
 *
 *   - a connection that is not a trusted proxy's is closed when it opens,
 *   - every connection is closed after its first answer: a client whose bytes are passed on as they are could put a header of
 *     its own before its next request.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { Logger } from '#shared/logger.ts';
import { loggedAddress } from '#shared/networks.ts';
import type { ClientAddresses } from '../visitor/client-addresses.ts';

export interface ProxyProtocol {
  /** Closes a connection that is not a trusted proxy's. Called when it opens. @returns whether it stays open */
  admit(res: HttpResponse, trusted: boolean): boolean;
  /**
   * The address of whoever speaks to the proxy, as 4 or 16 bytes; the proxy's own where its header has none, as in its own
   * checks (command LOCAL), or where it sends no header.
   */
  clientOf(res: HttpResponse): Uint8Array;
}

/** 4 bytes or 16; none once the connection is closed. */
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
          `a connection from ${peer} is closed, as all are that TRUSTED_PROXIES does not name while PROXY_PROTOCOL is set`,
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
