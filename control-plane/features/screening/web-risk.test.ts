/** How much a write asks the web-risk service, and what others notice of it. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createSafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { createWebRisk } from './web-risk.ts';

let asked: number[];
let answerMs = 0;

const fetch = createSafeFetch({ isAllowed: () => true });
const server = http.createServer(async (request, response) => {
  asked.push(new URL(request.url!, 'http://stub').searchParams.getAll('hashPrefixes').length);
  await sleep(answerMs);
  response.end('{}');
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address() as AddressInfo;
afterFile(async () => {
  await fetch.close();
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  asked = [];
  answerMs = 0;
});

const urlsOf = (count: number, name = 'page') =>
  Array.from({ length: count }, (_, n) => ({
    field: `urls[${n}]`,
    url: new URL(`https://a.b.c.${name}${n}.example/d/e/f/g?h`),
  }));

const newWebRisk = () =>
  createWebRisk({ url: `http://127.0.0.1:${port}/v5/hashes:search`, fetch, onOutcome: () => {} });

test('a write asks for at most a thousand prefixes, however many URLs it has', async () => {
  await newWebRisk().quickly(urlsOf(400));
  expect(asked).toEqual([200, 200, 200, 200, 200]);
});

test('a write that asks for more than its time allows leaves the next one its answer', async () => {
  const webRisk = newWebRisk();
  answerMs = 600;
  await webRisk.quickly(urlsOf(400));
  answerMs = 0;
  asked = [];
  await webRisk.quickly(urlsOf(1, 'other'));
  expect(asked).toHaveLength(1);
});

test('the nightly screening asks for all', async () => {
  await newWebRisk().patiently(urlsOf(400));
  expect(asked.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5_000);
});
