/**
 * Fetches the URL of a client, only from the public internet. Addresses are checked when they are connected to, so that
 * a name which resolves differently the second time gains nothing; literal addresses, which are never resolved, are
 * checked before. Redirects are followed by hand, each checked like the first URL.
 */
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { ClientError, hasCode } from '#shared/errors.ts';
import { createResolve, type Resolve } from './resolve.ts';

/**
 * The block that IANA has assigned to the internet at large (RFC 4291 §2.4); the rest of IPv6 is special in some way.
 */
const globalUnicastV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an address is public: not private, loopback, link-local, shared (CGNAT), multicast or reserved, nor an IPv6
 * address that embeds such an IPv4 address (mapped, 6to4, Teredo, NAT64).
 */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  // `process` converts a mapped IPv4 address to IPv4.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicastV6);
};

/** `localhost` and its subdomains are this machine, whichever resolver is used (RFC 6761, section 6.3). */
const isLoopbackName = (host: string): boolean => /(?:^|\.)localhost\.?$/.test(host);

/**
 * Whether a URL names a forbidden address, or a name that stands for one by definition. Other names are checked when
 * they are resolved.
 */
export const isForbiddenTarget = (url: URL, isAllowed = isPublicAddress): boolean => {
  // The URL parser has turned 0x7f.1, 2130706433 and the like into four numbers, and names into lower case.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLoopbackName(host)) return !isAllowed('127.0.0.1');
  return ipaddr.isValid(host) && !isAllowed(host);
};

export interface FetchLimits {
  /** The field that holds the URL; messages begin with its name. */
  field: string;
  bytesMax: number;
  /** For the whole fetch, redirects included. */
  timeoutMs: number;
  redirectsMax: number;
  /** For the Accept header. */
  accept: string;
}

/** The URL's server failed this time; a later attempt may succeed. */
export class FetchFailed extends ClientError {}

export interface SafeFetch {
  /**
   * The bytes behind an http or https URL.
   * @throws {ClientError} UNPROCESSABLE, naming the field and the fault; {@link FetchFailed} if the server is to blame
   */
  get(url: string, limits: FetchLimits): Promise<Buffer>;
  /**
   * The status of the answer after redirects; nothing of its body is read.
   * @throws as {@link SafeFetch.get}
   */
  status(method: 'HEAD' | 'GET', url: string, limits: Omit<FetchLimits, 'bytesMax'>): Promise<number>;
  close(): Promise<void>;
}

type Limits = Omit<FetchLimits, 'bytesMax'>;

export interface SafeFetchOptions {
  /** Default: {@link isPublicAddress}. */
  isAllowed?: (address: string) => boolean;
  /** Default: only name servers; see resolve.ts. */
  resolve?: Resolve;
}

/** The reason for not connecting. */
const forbidden = 'must lead to a public address';

/** undici passes on a lookup's error; this code distinguishes it from DNS errors. */
export const forbiddenCode = 'EADDRFORBIDDEN';

/**
 * Resolves a name when it is connected to, and fails with {@link forbiddenCode} if any of its addresses is forbidden.
 */
export const createLookup =
  (isAllowed: (address: string) => boolean, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      // One bad address among good ones is a trick, not a mistake.
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return callback(Object.assign(new Error(forbidden), { code: forbiddenCode }), []);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Connects only to allowed addresses. It never sees literal ones: {@link isForbiddenTarget} checks those. */
const createSafeAgent = ({
  isAllowed = isPublicAddress,
  resolve = createResolve(),
}: SafeFetchOptions = {}): Agent =>
  new Agent({
    connect: { lookup: createLookup(isAllowed, resolve) },
    // A kept connection may have been checked long ago, under another DNS answer.
    pipelining: 0,
    maxHeaderSize: 16_384,
  });

export const createSafeFetch = (options: SafeFetchOptions = {}): SafeFetch => {
  const { isAllowed = isPublicAddress } = options;
  const agent = createSafeAgent(options);

  const refuse = ({ field }: Limits, why: string, cause?: unknown): never => {
    throw new ClientError('UNPROCESSABLE', `${field} ${why}`, { cause });
  };

  const fail = ({ field }: Limits, why: string, cause?: unknown): never => {
    throw new FetchFailed('UNPROCESSABLE', `${field} could not be fetched${why}`, { cause });
  };

  const checkTarget = (url: URL, limits: Limits): void => {
    if (!/^https?:$/.test(url.protocol) || url.username || url.password)
      refuse(limits, 'must lead to http and https URLs without user names only');
    if (isForbiddenTarget(url, isAllowed)) refuse(limits, forbidden);
  };

  const readBody = async (
    body: AsyncIterable<Buffer>,
    announced: unknown,
    limits: FetchLimits,
  ): Promise<Buffer> => {
    const tooLarge = `must not be larger than ${Math.floor(limits.bytesMax / 2 ** 20)} MB`;
    if (Number(announced) > limits.bytesMax) refuse(limits, tooLarge);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > limits.bytesMax) refuse(limits, tooLarge);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };

  type Answer = Awaited<ReturnType<typeof request>>;
  /** What is wanted of the answer that is no redirect. */
  type Read<Wanted> = (answer: Answer) => Promise<Wanted>;

  /** @returns what is wanted, or the URL of a redirect */
  const step = async <Wanted>(
    method: 'GET' | 'HEAD',
    url: URL,
    limits: Limits,
    signal: AbortSignal,
    read: Read<Wanted>,
  ): Promise<{ wanted: Wanted } | { next: URL }> => {
    checkTarget(url, limits);
    const answer = await request(url, {
      method,
      dispatcher: agent,
      signal,
      headers: { accept: limits.accept, 'accept-encoding': 'identity', 'user-agent': 'Waymark' },
    });
    try {
      const { location } = answer.headers;
      if (!isRedirect(answer.statusCode) || typeof location !== 'string')
        return { wanted: await read(answer) };
      return { next: URL.parse(location, url.href) ?? refuse(limits, 'leads to a redirect that is no URL') };
    } finally {
      // The rest of the body is of no use, and neither its end nor its interruption matters.
      answer.body.on('error', () => {}).destroy();
    }
  };

  const follow = async <Wanted>(
    method: 'GET' | 'HEAD',
    text: string,
    limits: Limits,
    read: Read<Wanted>,
  ): Promise<Wanted> => {
    let next = URL.parse(text) ?? refuse(limits, 'must be an absolute http or https URL');
    const signal = AbortSignal.timeout(limits.timeoutMs);
    try {
      for (let redirects = 0; redirects <= limits.redirectsMax; redirects++) {
        const found = await step(method, next, limits, signal, read);
        if ('wanted' in found) return found.wanted;
        next = found.next;
      }
    } catch (error) {
      if (error instanceof ClientError) throw error;
      if (signal.aborted) return fail(limits, ` within ${limits.timeoutMs / 1000} seconds`, error);
      if (hasCode(error, forbiddenCode)) return refuse(limits, forbidden, error);
      return fail(limits, ': its server does not answer', error);
    }
    return refuse(limits, `must not redirect more than ${limits.redirectsMax} times`);
  };

  return {
    get: (text, limits) =>
      follow('GET', text, limits, async ({ statusCode, headers, body }) =>
        statusCode === 200
          ? readBody(body, headers['content-length'], limits)
          : fail(limits, `: its server answered ${statusCode}`),
      ),
    status: (method, text, limits) => follow(method, text, limits, async ({ statusCode }) => statusCode),
    close: () => agent.destroy(),
  };
};
