import type dns from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { afterFile } from '../../../deploy/testing/local.ts';
import { createSafeFetch, isPublicAddress, type SafeFetch } from './safe-fetch.ts';

const limits = { field: 'logoUrl', bytesMax: 2 ** 20, timeoutMs: 60_000, redirectsMax: 3, accept: 'image/*' };

let port: number;
let reached: string[] = [];
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
let strict: SafeFetch;
/** The addresses of a name; literal addresses are not resolved. */
let names: Record<string, string[]>;

const resolve = ((
  name: string,
  _: object,
  done: (error: Error | null, found: dns.LookupAddress[]) => void,
) => {
  const found = (names[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  setImmediate(() => done(found.length > 0 ? null : new Error('ENOTFOUND'), found));
}) as unknown as typeof dns.lookup;

/** Treats the local server as an internet server; all other addresses are checked as usual. */
const createOpen = (allowed: string) =>
  createSafeFetch({ resolve, isAllowed: (address) => address === allowed || isPublicAddress(address) });

beforeAll(async () => {
  const server = http.createServer((request, response) => {
    reached.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '0.0.0.0', listening));
  port = (server.address() as AddressInfo).port;
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  strict = createSafeFetch({ resolve });
  afterFile(() => strict.close());
});

beforeEach(() => {
  reached = [];
  names = {};
  answer = (_, response) => response.end('picture');
});

describe('no private, loopback, link-local, shared or reserved address is connected to', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '017700000001',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
  ])('%s as it stands', async (host) => {
    await expect(strict.get(`http://${host}:${port}/`, limits)).rejects.toThrow(
      /^logoUrl must lead to a public address/,
    );
    expect(reached).toEqual([]);
  });

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['10.1.2.3']],
    [['fd00::1']],
    [['100.100.0.1']],
    [['93.184.215.14', '127.0.0.1']],
  ])('a name that resolves to %j', async (addresses) => {
    names['logo.example'] = addresses;
    await expect(strict.get(`http://logo.example:${port}/`, limits)).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      message: 'logoUrl must lead to a public address',
    });
    expect(reached).toEqual([]);
  });

  test('a name that resolves to another address the second time', async () => {
    const open = createOpen('127.0.0.1');
    names['logo.example'] = ['127.0.0.1'];
    const url = `http://logo.example:${port}/`;
    expect(String(await open.get(url, limits))).toBe('picture');
    names['logo.example'] = ['127.0.0.2'];
    await expect(open.get(url, limits)).rejects.toThrow('must lead to a public address');
    expect(reached).toHaveLength(1);
    await open.close();
  });

  test.each([
    'http://127.0.0.2',
    'http://[::1]',
    'http://inside.example',
    'file:///etc/passwd',
    'ftp://a.example',
  ])('a redirect to %s', async (target) => {
    const open = createOpen('127.0.0.1');
    names['inside.example'] = ['127.0.0.2'];
    answer = (request, response) => {
      if (request.url !== '/begin') return response.end('secret');
      response.writeHead(302, { location: target.startsWith('http') ? `${target}:${port}/secret` : target });
      return response.end();
    };
    await expect(open.get(`http://127.0.0.1:${port}/begin`, limits)).rejects.toThrow('must');
    expect(reached).toEqual(['/begin']);
    await open.close();
  });

  test.each(['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('the answer of a server', () => {
  let open: SafeFetch;
  beforeAll(() => {
    open = createOpen('127.0.0.1');
    afterFile(() => open.close());
  });
  const get = (timeoutMs = limits.timeoutMs) =>
    open.get(`http://127.0.0.1:${port}/0`, { ...limits, timeoutMs });

  test('redirects are followed three times, but not a fourth time', async () => {
    const redirectTimes = (times: number) => {
      answer = (request, response) => {
        const step = Number(request.url?.slice(1));
        if (step < times) response.writeHead(307, { location: `/${step + 1}` });
        response.end('picture');
      };
    };
    redirectTimes(3);
    expect(String(await get())).toBe('picture');
    redirectTimes(4);
    await expect(get()).rejects.toThrow('logoUrl must not redirect more than 3 times');
  });

  test('more than 1 MB is refused, announced or not', async () => {
    answer = (_, response) => response.end(Buffer.alloc(2 ** 20));
    expect(await get()).toHaveLength(2 ** 20);
    answer = (_, response) => response.end(Buffer.alloc(2 ** 20 + 1));
    await expect(get()).rejects.toThrow('logoUrl must not be larger than 1 MB');
    answer = (_, response) => {
      response.write(Buffer.alloc(2 ** 20));
      response.write('x');
      response.end();
    };
    await expect(get()).rejects.toThrow('logoUrl must not be larger than 1 MB');
  });

  test('nothing takes longer than the timeout, not even a trickle', async () => {
    answer = () => {};
    await expect(get(200)).rejects.toThrow('logoUrl could not be fetched within 0.2 seconds');
    answer = (_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    await expect(get(200)).rejects.toThrow('logoUrl could not be fetched within 0.2 seconds');
  });

  test('any other answer is refused', async () => {
    answer = (_, response) => response.writeHead(404).end();
    await expect(get()).rejects.toThrow('logoUrl could not be fetched: its server answered 404');
    answer = (request) => request.socket.destroy();
    await expect(get()).rejects.toThrow('logoUrl could not be fetched: its server does not answer');
    await expect(open.get('http://unknown.example/', limits)).rejects.toThrow('could not be fetched');
    await expect(open.get('http://a:b@127.0.0.1/', limits)).rejects.toThrow('without user names');
  });
});
