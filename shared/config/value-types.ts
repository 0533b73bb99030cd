/** The types of variables' values. Each message says what is accepted; config.ts adds what was given. */
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const number = (message: string, min: number, max: number) =>
  z.coerce.number(message).int(message).min(min, message).max(max, message);

export const portNumber = number('must be a port number, 1 to 65535', 1, 65_535);

export const wholeNumber = (fallback: number, min: number, max: number) =>
  number(`must be a whole number from ${min} to ${max}`, min, max).default(fallback);

/** One of two or more words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/** Default: false. */
const switchThatIs = (preset: 'true' | 'false') =>
  oneOf(['true', 'false'])
    .default(preset)
    .transform((text) => text === 'true');

export const trueOrFalse = switchThatIs('false');

export const trueUnlessFalse = switchThatIs('true');

export const textOf = (lengthMin: number) =>
  z.string().min(lengthMin, `must have at least ${lengthMin} characters`);

/** Scheme, host and port, as RFC 6454 writes an origin. */
export const origin = () =>
  z
    .url({
      protocol: /^https?$/,
      error: 'must be an origin such as https://qr.example.com',
      // The checks below parse the text as a URL, and would throw.
      abort: true,
    })
    .refine((value) => /^\/?$/.test(new URL(value).pathname + new URL(value).search), {
      error: 'must be an origin without a path, such as https://qr.example.com',
    })
    .transform((value) => new URL(value).origin)
    .optional();

/** @param example starts with one of the protocols */
export const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be a URL such as ${example}` }).optional();

/** Listeners take IPv6 without the brackets used in URLs. */
export const listenAddress = (fallback: string) =>
  z
    .string()
    .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
    .refine((text) => isIP(text) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text), {
      error: 'must be an IP address or the name of this host, such as 0.0.0.0, :: or 127.0.0.1',
    })
    .default(fallback);

/** Longer than any path that Linux opens (PATH_MAX). */
const pathLengthMax = 4096;

const pathWanted = 'must be the path of a file, not what the file contains';

/** A folder that is created if it is missing. */
export const folderPath = z
  .string()
  .min(1, 'must be a folder')
  .max(pathLengthMax, 'must be the path of a folder');

/** A file that is read at start. */
export const filePath = z
  .string()
  .max(pathLengthMax, { error: pathWanted, abort: true })
  .regex(/^(?!.*-----BEGIN)[^\r\n]+$/, pathWanted);

const isCidrOrAddress = (text: string): boolean => ipaddr.isValidCIDR(text) || ipaddr.isValid(text);

/** In the form that `dns.setServers` accepts. */
const isDnsServer = (text: string): boolean => {
  const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress = v6 === undefined ? isIP(v4 ?? text) !== 0 : isIPv6(v6);
  return isAddress && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
};

export const dnsServers = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((parts) => parts.every(isDnsServer), {
    error: 'must be addresses of resolvers separated by commas, such as 9.9.9.9,127.0.0.1:5353',
  });

export const networks = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((parts) => parts.every(isCidrOrAddress), {
    error: 'must be CIDRs separated by commas, such as 10.0.0.0/8,::1/128',
  });
