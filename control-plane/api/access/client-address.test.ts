import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createClientAddress, createIsByProxy } from './client-address.ts';

const logged: { level: number; peer?: string; msg: string }[] = [];

const clientAddress = createClientAddress({
  trustedProxies: ['10.0.0.0/8', '::1', '2001:db8::/32'],
  internalToken: 'the internal token',
  logger: pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) }),
});

const requestFrom = (peer: string, headers: Record<string, string>): IncomingMessage => {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return request;
};
const addressOf = (peer: string, headers: Record<string, string>): string =>
  clientAddress(requestFrom(peer, headers));

test('only trusted proxies and redirectors are believed', () => {
  const isByProxy = createIsByProxy({ trustedProxies: ['10.0.0.0/8'], internalToken: 'the internal token' });
  expect(isByProxy(requestFrom('10.1.2.3', {}))).toBe(true);
  expect(isByProxy(requestFrom('192.0.2.1', { 'x-waymark-proxy': 'the internal token' }))).toBe(true);
  expect(isByProxy(requestFrom('192.0.2.1', { 'x-waymark-proxy': 'a guess' }))).toBe(false);
  expect(isByProxy(requestFrom('192.0.2.1', {}))).toBe(false);
});

describe('X-Forwarded-For', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };

  test('is not believed from an arbitrary client', () => {
    expect(addressOf('192.0.2.1', forwarded)).toBe('192.0.2.1');
    expect(addressOf('192.0.2.1', { ...forwarded, 'x-waymark-proxy': 'a guess' })).toBe('192.0.2.1');
  });

  test('that is not believed causes a warning once an hour, with the peer and the variable to set', () => {
    expect(logged).toMatchObject([
      { level: 40, peer: '192.0.2.0/24', msg: expect.stringContaining('TRUSTED_PROXIES') },
    ]);
  });

  test('is believed from a trusted proxy, up to the address that it has seen', () => {
    expect(addressOf('10.1.2.3', forwarded)).toBe('203.0.113.9');
    expect(addressOf('::ffff:10.1.2.3', forwarded)).toBe('203.0.113.9');
    expect(addressOf('2001:db8::5', forwarded)).toBe('203.0.113.9');
    expect(addressOf('10.1.2.3', { 'x-forwarded-for': '203.0.113.9:5678' })).toBe('203.0.113.9');
    expect(addressOf('10.1.2.3', { 'x-forwarded-for': '[2001:db9::1]:80' })).toBe('2001:db9::1');
  });

  test('is believed from a redirector', () => {
    expect(addressOf('192.0.2.1', { ...forwarded, 'x-waymark-proxy': 'the internal token' })).toBe(
      '203.0.113.9',
    );
  });

  test('is read through trusted proxies to the first untrusted address', () => {
    expect(addressOf('::1', { 'x-forwarded-for': '198.51.100.7, 203.0.113.9, 10.0.0.1, 10.9.9.9' })).toBe(
      '203.0.113.9',
    );
  });

  test('that is missing or nonsense leaves the last known address', () => {
    expect(addressOf('10.1.2.3', {})).toBe('10.1.2.3');
    expect(addressOf('10.1.2.3', { 'x-forwarded-for': 'unknown' })).toBe('10.1.2.3');
    expect(addressOf('10.1.2.3', { 'x-forwarded-for': '203.0.113.9, , 10.0.0.1' })).toBe('10.0.0.1');
  });
});
