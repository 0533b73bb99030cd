import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { openRequests, traceRequests, writeIds } from './requests.ts';
import { asLastRequests, requestsFor, writeRequests } from './traffic.ts';

const idFiles = async () => {
  const file = path.join(await temporaryFolder(), 'ids');
  await writeIds(file, ['a', 'b', 'c']);
  return file;
};

test('ids are asked for in turn from the given one on, each time from another address', async () => {
  const requestAt = await openRequests({ kind: 'ids', file: await idFiles(), first: 2 });
  const texts = [0, 1, 2, 3].map((request) => requestAt(request).toString());
  expect(texts.map((text) => text.split(' ')[1])).toEqual(['/r/c', '/r/a', '/r/b', '/r/c']);
  expect(new Set(texts.map((text) => /X-Forwarded-For: (\S+)/.exec(text)?.[1])).size).toBe(4);
});

test('the last request of a connection says so', async () => {
  const file = path.join(await temporaryFolder(), 'requests');
  await writeRequests(file, asLastRequests(requestsFor(['a'], '/r/').slice(0, 2)));
  const requestAt = await openRequests({ kind: 'requests', file });
  expect(requestAt(3).toString()).toMatch(/^GET \/r\/a HTTP\/1.1\r\n[\s\S]*\r\nConnection: close\r\n\r\n$/);
});

test('a bot is recognised by its user agent', async () => {
  const trace = {
    dueMs: Float64Array.of(0, 1),
    codes: Uint32Array.of(1, 0),
    visitors: Uint32Array.of(5, 5),
    isKept: Uint8Array.of(0, 0),
    isBot: Uint8Array.of(0, 1),
  };
  const requestAt = await traceRequests(trace, await idFiles());
  expect(requestAt(0).toString()).toMatch(
    /^GET \/r\/b [\s\S]*User-Agent: Mozilla\/5.0 \((iPhone|Linux|Windows)/,
  );
  expect(requestAt(1).toString()).toMatch(/^GET \/r\/a [\s\S]*User-Agent: (.*bot|facebook|WhatsApp)/i);
});
