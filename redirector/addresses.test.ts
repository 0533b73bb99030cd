import fc from 'fast-check';
import { expect, test } from 'vitest';
import { int32AsIpv4, ipv4AsInt32, notIpv4 } from './addresses.ts';

test('an IPv4 address is a number, and back', () => {
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
