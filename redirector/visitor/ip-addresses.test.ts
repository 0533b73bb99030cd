import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { bytesAsIpv6, int32AsIpv4, ipv4AsInt32, ipv4OfBytes, notIpv4 } from './ip-addresses.ts';

test('an IPv4 address converts to a number and back', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
      expect(ipv4AsInt32(address)).toBe((a << 24) | (b << 16) | (c << 8) | d);
      expect(int32AsIpv4(ipv4AsInt32(address))).toBe(address);
    }),
  );
});

test.each([
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
])('"%s" is none', (text) => {
  expect(ipv4AsInt32(text)).toBe(notIpv4);
});

test('the bytes of a peer convert to its address; IPv4 in IPv6 is IPv4', () => {
  const bytesOf = (text: string) => new Uint8Array(ipaddr.parse(text).toByteArray());
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(ipv4OfBytes(bytesOf(address))).toBe(ipv4AsInt32(address));
      expect(ipv4OfBytes(bytesOf(`::ffff:${address}`))).toBe(ipv4AsInt32(address));
    }),
  );
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const bytes = bytesOf(address);
      expect(bytesOf(bytesAsIpv6(bytes))).toEqual(bytes);
      const mapped = ipaddr.IPv6.parse(address).isIPv4MappedAddress();
      expect(ipv4OfBytes(bytes) === notIpv4).toBe(!mapped);
    }),
  );
  expect(ipv4OfBytes(new Uint8Array(0))).toBe(notIpv4);
});
