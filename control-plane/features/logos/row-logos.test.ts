/** Logos given by URL in rows, from real servers that answer, refuse, or stay silent. */
import type { LookupAddress, lookup } from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { logoBytesMax } from '#schemas/api/logo.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createSafeFetch, isPublicAddress } from '../../platform/outgoing/safe-fetch.ts';
import { logo } from '../../testing/control-plane.ts';
import { createRowLogos, type RowLogos } from './row-logos.ts';

const workspaceId = 'ws_1';
const png = Buffer.from(logo, 'base64');
let origin: string;
/** The same server under another name. */
let otherOrigin: string;
let asked: string[] = [];
/** Requests in progress, and their maximum. */
let open = 0;
let openMax = 0;
let logos: RowLogos;

beforeAll(async () => {
  const server = http.createServer(({ url = '' }, response) => {
    asked.push(url);
    openMax = Math.max(openMax, ++open);
    response.on('close', () => open--);
    if (url.startsWith('/silent')) return;
    if (url.startsWith('/large')) return void response.end(Buffer.concat([png, Buffer.alloc(logoBytesMax)]));
    if (url.startsWith('/page')) return void response.end('<html>');
    if (url.startsWith('/inside'))
      return void response.writeHead(302, { location: 'http://127.0.0.2/' }).end();
    response.end(png);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  otherOrigin = `http://localhost:${port}`;
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
});
beforeEach(() => {
  asked = [];
  openMax = 0;
  // Treats the local server as one on the internet, and judges all other addresses as usual.
  const fetch = createSafeFetch({
    isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
    resolve: ((_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
      setImmediate(() => done(null, [{ address: '127.0.0.1', family: 4 }]))) as unknown as typeof lookup,
  });
  afterFile(() => fetch.close());
  logos = createRowLogos(fetch);
});

const urls = (count: number, path: string): string[] =>
  Array.from({ length: count }, (_, index) => `${origin}${path}${index}.png`);

/** The logo's bytes, or the code and message of the refusal. */
const outcomes = (run: (url: string) => Promise<string>, given: readonly string[]) =>
  Promise.all(given.map((url) => run(url).catch(({ code, message }) => `${code} ${message}`)));

test('each URL is fetched once in a run, and not again in the next run', async () => {
  const [url] = urls(1, '/logo');
  const given = Array.from({ length: 50 }, () => url!);
  expect(await outcomes(logos.run(workspaceId), given)).toEqual(given.map(() => logo));
  expect(await outcomes(logos.run(workspaceId), given)).toEqual(given.map(() => logo));
  expect(asked).toHaveLength(1);
  await logos.run('ws_2')(url!);
  expect(asked).toHaveLength(2);
});

test('a URL that is too large, not a picture, or internal is refused, naming the field, and remembered', async () => {
  const given = [`${origin}/large`, `${origin}/page`, `${origin}/inside`, `${origin}/fine`];
  for (const run of [logos.run(workspaceId), logos.run(workspaceId)])
    expect(await outcomes(run, given)).toEqual([
      'UNPROCESSABLE image must not be larger than 1 MB',
      'UNPROCESSABLE image must be a PNG, JPEG, GIF, WebP or SVG picture',
      'UNPROCESSABLE image must lead to a public address',
      logo,
    ]);
  expect(asked).toHaveLength(4);
});

test('URLs that never answer cost a run a few seconds, and do not hold up logos of other servers', async () => {
  const run = logos.run(workspaceId);
  const silent = outcomes(run, urls(100, '/silent'));
  await expect.poll(() => open, { interval: 5 }).toBe(16);
  expect(await run(`${otherOrigin}/logo.png`)).toBe(logo);
  expect(open).toBeGreaterThan(0);
  const ends = await silent;
  // One server times out once for all of its logos, not once for each sixteen.
  expect(asked.filter((url) => url.startsWith('/silent'))).toHaveLength(16);
  const [refused, later] = [
    /^UNPROCESSABLE image could not be fetched within 3 seconds$/,
    /^UNAVAILABLE/,
  ].map((pattern) => ends.filter((end) => pattern.test(end)).length);
  expect(openMax).toBe(17);
  expect([refused, later]).toEqual([16, 84]);
  // From now on the fetches of the workspace get less time.
  expect(await outcomes(logos.run(workspaceId), [`${origin}/silent`])).toEqual([
    'UNPROCESSABLE image could not be fetched within 1 seconds',
  ]);
});
