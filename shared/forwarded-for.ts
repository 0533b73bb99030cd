/**
 * X-Forwarded-For: the addresses seen by a chain of proxies. Each proxy appends its peer's address, as an element or a
 * line; RFC 9110, section 5.3, makes them one list. Elements appended by trusted proxies are true, and all before them
 * may be forged: so the list is read from its end.
 */

import { loggedAddress } from './networks.ts';

/** Characters that are read, from the end: more than the longest chain of CDN, load balancers and ingress needs. */
export const forwardedForLengthMax = 1024;
/** Elements that are read, from the end. */
export const forwardedForHopsMax = 16;

/** How a caller represents an address. */
export interface HopReader<Hop> {
  /** @returns undefined for a text that is not an IP address */
  read(text: string): Hop | undefined;
  isTrusted(hop: Hop): boolean;
}

const withoutQuotes = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;

/** `[2001:db8::1]`, with or without a port; IIS and Azure write one. */
const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/;
/** IPv4 with a port. A text with more than one colon is IPv6, which has a port only in brackets. */
const withPort = /^([^:]*):\d{1,5}$/;

/** The address in an element, without quotes, brackets and port. */
const addressOf = (element: string): string => {
  const text = withoutQuotes(element.trim());
  return (bracketed.exec(text) ?? withPort.exec(text))?.[1] ?? text;
};

/**
 * The client: the last address that is not a trusted proxy's. If the chain ends (at an invalid element, a limit or the
 * beginning), it is the last trusted proxy read.
 * @param header the lines of the header in their order, joined by commas; the peer that sent them is trusted
 * @returns undefined if not even the last element is an address
 */
export const nearestUntrusted = <Hop>(
  header: string,
  { read, isTrusted }: HopReader<Hop>,
): Hop | undefined => {
  let nearest: Hop | undefined;
  const isCut = header.length > forwardedForLengthMax;
  // One more character, which is a comma if the first element is whole: a cut element could be read as another address.
  const tail = isCut ? header.slice(-forwardedForLengthMax - 1) : header;
  let end = tail.length;
  for (let hops = 0; hops < forwardedForHopsMax && end >= 0; hops++) {
    const comma = end === 0 ? -1 : tail.lastIndexOf(',', end - 1);
    if (comma === -1 && isCut) break;
    const hop = read(addressOf(tail.slice(comma + 1, end)));
    if (hop === undefined) break;
    nearest = hop;
    if (isTrusted(hop)) end = comma;
    else break;
  }
  return nearest;
};

const warningIntervalMs = 3_600_000;

const ofPeer = (peer: string): string =>
  `X-Forwarded-For from ${peer} is not believed, and all requests through it count as one client's: if it is your proxy, name its address in TRUSTED_PROXIES; any client can send the header`;

const ofNamedClient =
  'X-Forwarded-For is not believed from clients that the PROXY protocol names, since such a proxy passes on what they send: if one of them is your proxy, name it in TRUSTED_PROXIES, but never the address of a client';

/**
 * Warns about the header from an untrusted peer: a proxy missing from TRUSTED_PROXIES, or a stranger. Repeats hourly,
 * so that a stranger's header does not hide a proxy's for good.
 * @param options proxyProtocol: whether peers are clients named by the PROXY protocol
 */
export const createDisbeliefWarning = (
  warn: (fields: object, message: string) => void,
  { proxyProtocol = false } = {},
) => {
  let pending = true;
  return {
    /** Whether the next header triggers a warning. */
    get pending() {
      return pending;
    },
    /** @param address of the peer that sent the header */
    of(address: string): void {
      if (!pending) return;
      pending = false;
      setTimeout(() => {
        pending = true;
      }, warningIntervalMs).unref();
      if (proxyProtocol) return warn({}, ofNamedClient);
      const peer = loggedAddress(address);
      warn({ peer }, ofPeer(peer));
    },
  };
};
