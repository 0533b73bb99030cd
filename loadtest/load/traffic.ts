/**
 * The requests that every server gets, the same bytes for all: 60,000 of them, each from another client address, over
 * 10,000 codes and 200 user agents. The load generators read them from a file, in which a NUL byte separates them: no
 * generator formats requests during a round.
 *
 * With 60,000 addresses a load of up to 600,000 requests a second stays below 600 a minute for each.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { CodeIds } from '#shared/ids.ts';

export const codeCount = 10_000;
const addressCount = 60_000;
export const separator = '\0';

const iphone = (n: number): string =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${15 + (n % 4)}_${n % 7} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${15 + (n % 4)}.${n} Mobile/15E148 Safari/604.1`;
const android = (n: number): string =>
  `Mozilla/5.0 (Linux; Android ${10 + (n % 5)}; SM-A${100 + n}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (n % 26)}.0.0.0 Mobile Safari/537.36`;
const desktop = (n: number): string =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${90 + n}.0.0.0 Safari/537.36`;

/** 80 iPhones, 90 Android phones, 30 desktops. */
const userAgents = [
  ...Array.from({ length: 80 }, (_, n) => iphone(n)),
  ...Array.from({ length: 90 }, (_, n) => android(n)),
  ...Array.from({ length: 30 }, (_, n) => desktop(n)),
];

export const newIds = (codeIds: CodeIds, count: number): string[] =>
  Array.from({ length: count }, () => codeIds.create());

/** Crawlers and link previews. */
export const bots = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
];

const userAgentAt = (index: number): string =>
  // 7 and 200 have no common divisor, so that neither codes nor addresses keep meeting the same user agent.
  userAgents[(index * 7 + Math.floor(index / codeCount)) % userAgents.length]!;

/** @param index of the client: its address, and, by default, its user agent */
export const requestOf = (path: string, index: number, userAgent = userAgentAt(index)): string => {
  const address = `10.${index >>> 16}.${(index >>> 8) & 255}.${index & 255}`;
  return (
    `GET ${path} HTTP/1.1\r\nHost: qr.example\r\nX-Forwarded-For: ${address}\r\n` +
    `User-Agent: ${userAgent}\r\nReferer: https://t.co/abc\r\n\r\n`
  );
};

/** The same requests, each of which asks for the end of its connection. */
export const asLastRequests = (requests: readonly string[]): string[] =>
  requests.map((request) => request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));

/** The codes come one after the other, so that a cache that is too small for them misses every time. */
export const requestsFor = (ids: readonly string[], pathPrefix: string): string[] =>
  Array.from({ length: addressCount }, (_, index) =>
    requestOf(`${pathPrefix}${ids[index % ids.length]}`, index),
  );

export const writeRequests = (file: string, requests: readonly string[]): Promise<void> =>
  writeFile(file, requests.join(separator));

export const readRequests = async (file: string): Promise<string[]> =>
  (await readFile(file, 'latin1')).split(separator);
