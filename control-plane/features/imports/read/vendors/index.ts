/** The services whose files are read. */
import type { ImportSource } from '#schemas/api/imports.ts';
import { ClientError } from '#shared/errors.ts';
import { plain } from '../../../../platform/spreadsheets/plain-name.ts';
import type { Vendor } from '../link.ts';
import { bitly } from './bitly.ts';
import { dub } from './dub.ts';
import { kutt } from './kutt.ts';
import { shlink } from './shlink.ts';
import { yourls } from './yourls.ts';

/** In the order of recognition: the sheets of Dub and of Bitly may have the same columns. */
export const vendors: Readonly<Record<ImportSource, Vendor>> = { shlink, yourls, kutt, dub, bitly };

const sources = Object.keys(vendors) as ImportSource[];

export const columnNames = (source: ImportSource | undefined): string[] =>
  (source ? [source] : sources).flatMap((each) => vendors[each].columns);

const isTold = ({ tellTales }: Vendor, header: readonly string[]): boolean => {
  const given = new Set(header.map(plain));
  return tellTales.some((names) => names.every((name) => given.has(plain(name))));
};

/** @returns the service whose columns a file has */
export const recognise = (header: readonly string[]): ImportSource | undefined =>
  sources.find((source) => isTold(vendors[source], header));

const listed = ({ tellTales }: Vendor): string => tellTales.map((names) => names.join(', ')).join(' or ');

/** @returns whether the first row is a header @throws {ClientError} UNPROCESSABLE if it must be one and is not */
export const hasHeader = (source: ImportSource, header: readonly string[], width: number): boolean => {
  const vendor = vendors[source];
  if (isTold(vendor, header)) return true;
  const isBare =
    vendor.columnsWithoutHeader?.length === width && header.some((cell) => /^https?:\/\//i.test(cell));
  if (isBare) return false;
  throw new ClientError('UNPROCESSABLE', `file must have the columns ${listed(vendor)} of ${vendor.title}`);
};

/** @throws {ClientError} UNPROCESSABLE */
export const refuseUnknownFile = (): never => {
  const each = sources.map((source) => `${listed(vendors[source])} (${vendors[source].title})`);
  throw new ClientError('UNPROCESSABLE', `file must have the columns of one service: ${each.join('; ')}`);
};
