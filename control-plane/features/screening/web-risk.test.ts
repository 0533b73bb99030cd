/** How much a write asks the web-risk service, and what others notice of it. */
import { hash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createSafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { createWebRisk } from './web-risk.ts';

let asked: number[];
let prefixes: Set<string>;
let answerMs = 0;

const fetch = createSafeFetch({ isAllowed: () => true });
const server = http.createServer(async (request, response) => {
  const given = new URL(request.url!, 'http://stub').searchParams.getAll('hashPrefixes');
  asked.push(given.length);
  for (const each of given) prefixes.add(Buffer.from(each, 'base64').toString('hex'));
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
  prefixes = new Set();
  answerMs = 0;
});

const urlsOf = (count: number, name = 'page') =>
  Array.from({ length: count }, (_, n) => ({
    field: `urls[${n}]`,
    url: new URL(`https://a.b.c.${name}${n}.example/d/e/f/g?h`),
  }));

const outcomes: string[] = [];
const newWebRisk = () =>
  createWebRisk({
    url: `http://127.0.0.1:${port}/v5/hashes:search`,
    fetch,
    onOutcome: (outcome) => outcomes.push(outcome),
  });

const isAskedFor = (expression: string): boolean =>
  prefixes.has(hash('sha256', expression, 'hex').slice(0, 8));

test('a write asks for at most a thousand prefixes, if its URLs and their hosts are no more', async () => {
  await newWebRisk().quickly(urlsOf(400), 'own');
  expect(asked).toEqual([200, 200, 200, 200, 200]);
});

test('a write asks for each URL and each host, however many URLs come before', async () => {
  const url = new URL('https://www.phish.example/a/b/c/kit');
  await newWebRisk().quickly([...urlsOf(1_500), { field: 'last', url }], 'own');
  expect(isAskedFor('www.phish.example/a/b/c/kit')).toBe(true);
  expect(isAskedFor('www.phish.example/')).toBe(true);
  expect(asked.reduce((sum, count) => sum + count, 0)).toBe(3_002);
});

test('the last of the links of an entry is asked for in as many ways as those before it', async () => {
  const url = new URL('https://phish.example/login/now');
  await newWebRisk().quickly([...urlsOf(60), { field: 'last', url }], 'own');
  for (const way of ['phish.example/login/now', 'phish.example/login/', 'phish.example/'])
    expect(isAskedFor(way)).toBe(true);
  expect(asked.reduce((sum, count) => sum + count, 0)).toBe(1_000);
});

test('a write that asks for more than its time allows leaves the next one its answer', async () => {
  const webRisk = newWebRisk();
  answerMs = 600;
  await webRisk.quickly(urlsOf(900), 'own');
  answerMs = 0;
  asked = [];
  await webRisk.quickly(urlsOf(1, 'other'), 'own');
  expect(asked).toHaveLength(1);
});

test('a workspace is asked for while another one has more writes under way than ask at once', async () => {
  const webRisk = newWebRisk();
  answerMs = 500;
  const many = Array.from({ length: 30 }, (_, n) => webRisk.quickly(urlsOf(1, `many${n}-`), 'many'));
  await expect.poll(() => asked.length).toBe(16);
  const url = new URL('https://one.example/');
  await webRisk.quickly([{ field: 'url', url }], 'one');
  expect(isAskedFor('one.example/')).toBe(true);
  await Promise.all(many);
});

test('a write of which all is known asks for nothing, and waits for none', async () => {
  const webRisk = newWebRisk();
  const known = urlsOf(1, 'known');
  await webRisk.quickly(known, 'own');
  answerMs = 500;
  const many = Array.from({ length: 16 }, (_, n) => webRisk.quickly(urlsOf(1, `more${n}-`), 'many'));
  outcomes.length = 0;
  await webRisk.quickly(known, 'own');
  expect(outcomes).toEqual([]);
  await Promise.all(many);
});

test('the nightly screening asks for all', async () => {
  await newWebRisk().patiently(urlsOf(400));
  expect(asked.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5_000);
});
