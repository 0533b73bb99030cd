import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { type ClientAddresses, createClientAddresses } from './client-addresses.ts';
import { networkText } from './client-network.ts';
import { int32AsIpv4 } from './ip-addresses.ts';

const addressesOf = (trustedProxies: string[]) =>
  createClientAddresses({
    trustedProxies,
    capacity: 100,
    countries: {
      ofIpv4: (address) => (int32AsIpv4(address) === '203.0.113.7' ? 'DE' : ''),
      ofText: () => 'FR',
    },
  });
/** As the server does it: the header counts if the peer is trusted. */
const identify = (addresses: ClientAddresses, connection: string, header: string) => {
  const peer = new Uint8Array(ipaddr.parse(connection).toByteArray());
  return (addresses.isTrustedProxy(peer) && addresses.ofForwardedFor(header)) || addresses.ofConnection(peer);
};
const direct = addressesOf([]);
const proxied = addressesOf(['10.0.0.0/8', '127.0.0.1', 'fd00::/8']);

test.each([
  ['203.0.113.7', '', '203.0.113.7'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['::ffff:203.0.113.7', '', '203.0.113.7'],
  ['2001:db8:0:0::1', '', '2001:db8::1'],
])('without trusted proxies the connection %s (X-Forwarded-For: %s) is %s', (connection, header, address) => {
  expect(identify(direct, connection, header).text).toBe(address);
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
  expect(identify(proxied, connection, header).text).toBe(address);
});

test('an address is 128 bits, IPv4 mapped into IPv6', () => {
  for (const address of ['1.2.3.4', '::ffff:1.2.3.4']) {
    expect(identify(direct, address, '')).toMatchObject({
      word0: 0,
      word1: 0,
      word2: 0xffff,
      word3: 0x01020304,
    });
  }
  expect(identify(direct, '2001:db8::1', '')).toMatchObject({ word0: 0x20010db8, word3: 1 });
});

test('an address comes with its country', () => {
  expect(identify(direct, '203.0.113.7', '').country).toBe('DE');
  expect(identify(direct, '2001:db8::1', '').country).toBe('FR');
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::', 'fe80:0:0:0::/64'],
  ['::1', '0.0.0.0'],
])('%s is limited as %s', (address, text) => {
  const { networkHigh, networkLow } = identify(direct, address, '');
  expect(networkText(networkHigh, networkLow)).toBe(text);
});

test('a peer without an address is the unknown client 0.0.0.0', () => {
  expect(direct.ofConnection(new Uint8Array(0)).text).toBe('0.0.0.0');
  expect(proxied.isTrustedProxy(new Uint8Array(0))).toBe(false);
});

test('IPv4 in IPv6 is an IPv4 proxy', () => {
  expect(identify(proxied, '::ffff:10.1.2.3', '203.0.113.7').text).toBe('203.0.113.7');
  const mapped = addressesOf(['::ffff:10.0.0.0/104']);
  expect(identify(mapped, '10.1.2.3', '203.0.113.7').text).toBe('203.0.113.7');
  expect(identify(mapped, '11.1.2.3', '203.0.113.7').text).toBe('11.1.2.3');
});
