/** The host of a Referer header, which is all that is kept of it. */

const hostPattern = /^https?:\/\/(?:[^/?#@]*@)?([a-z0-9.-]{1,253})(?=[:/?#]|$)/i;

/** Lower case, without port; empty where there is none or it is not a DNS name or IPv4 address. */
export const referrerHost = (referer: string): string =>
  referer === '' ? '' : (hostPattern.exec(referer)?.[1]?.toLowerCase() ?? '');
