import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Clients, createClients, ipv4AsInt32 } from './clients.ts';
import { rateLimitKey } from './rate-limit.ts';

const clientsOf = (trustedProxies: string[]) =>
  createClients({
    trustedProxies,
    capacity: 100,
    countryOf: (address) => (address === '203.0.113.7' ? 'DE' : ''),
    bucketOf: (address) => ({
      key: rateLimitKey(address),
      window: 0,
      count: 0,
      settled: 0,
      others: 0,
      watched: false,
    }),
  });
/** As the server does it: the header counts where the peer is trusted. */
const identify = (clients: Clients, connection: string, header: string) =>
  (clients.isTrustedProxy(connection) && clients.ofForwardedFor(header)) || clients.ofConnection(connection);
const direct = clientsOf([]);
const proxied = clientsOf(['10.0.0.0/8', '127.0.0.1', 'fd00::/8']);

test.each([
  ['203.0.113.7', '', '203.0.113.7'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['::ffff:203.0.113.7', '', '203.0.113.7'],
  ['2001:db8:0:0::1', '', '2001:db8::1'],
])('without trusted proxies the connection %s (X-Forwarded-For: %s) is %s', (connection, header, address) => {
  expect(identify(direct, connection, header).address).toBe(address);
});

test.each([
  ['10.1.2.3', '203.0.113.7', '203.0.113.7'],
  ['127.0.0.1', '203.0.113.7, 10.9.9.9', '203.0.113.7'],
  ['fd00::1', '198.51.100.1,203.0.113.7', '203.0.113.7'],
  ['10.1.2.3', '', '10.1.2.3'],
  ['10.1.2.3', '10.4.4.4', '10.4.4.4'],
  ['10.1.2.3', 'unknown, 10.4.4.4', '10.4.4.4'],
  ['10.1.2.3', ',,,', '10.1.2.3'],
  ['10.1.2.3', '2001:db8::5', '2001:db8::5'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
])('with trusted proxies the connection %s with X-Forwarded-For %s is %s', (connection, header, address) => {
  expect(identify(proxied, connection, header).address).toBe(address);
});

test('an address is 128 bits, IPv4 mapped into IPv6', () => {
  expect(identify(direct, '1.2.3.4', '').words).toEqual([0, 0, 0xffff0000, 0x04030201]);
  expect(identify(direct, '::ffff:1.2.3.4', '').words).toEqual([0, 0, 0xffff0000, 0x04030201]);
});

test('what is known of an address comes with it', () => {
  expect(identify(direct, '203.0.113.7', '')).toMatchObject({
    country: 'DE',
    bucket: { key: '203.0.113.7' },
  });
  expect(identify(direct, '203.0.113.7', '')).toBe(identify(direct, '203.0.113.7', ''));
});

test('a text that is no address is one unknown client, however long', () => {
  const { address } = identify(proxied, 'x'.repeat(4000), '');
  expect(address).toBe('0.0.0.0');
});

test('only a plain dotted address is taken for IPv4 at once', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
      expect(ipv4AsInt32(address)).toBe((a << 24) | (b << 16) | (c << 8) | d);
    }),
  );
  for (const text of [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.',
    '.1.2.3',
    '01.2.3.4',
    '1.2.3.256',
    '1.2.3.4 ',
    '::1',
    '1..2.3',
    'x',
  ]) {
    expect(ipv4AsInt32(text)).toBe(2 ** 32);
  }
});
