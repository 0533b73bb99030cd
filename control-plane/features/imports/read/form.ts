/** The form of an import. */
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { importFields, importFileBytesMax, importRowsMax } from '#schemas/api/imports.ts';
import { type MultipartLimit, uploadedFile } from '../../../api/http/multipart.ts';
import type { SpreadsheetBounds } from '../../../platform/spreadsheets/spreadsheet.ts';
import { aliasDomainName } from '../../codes/aliases/targets.ts';

export const importLimit: MultipartLimit = {
  fileBytesMax: importFileBytesMax,
  fieldBytesMax: 1_024,
  fieldsMax: 3,
};

export const importBounds: SpreadsheetBounds = {
  // Plus the header.
  rowsMax: importRowsMax + 1,
  columnsMax: 100,
  charactersMax: 14_000_000,
  // A link has at most 4,096 characters; a page of an API also has what is not read.
  cellCharactersMax: 20_000,
};

/** The properties of a page that have its entries: Kutt, Bitly, and the API of YOURLS with and without a plugin. */
export const pageNames = ['data', 'links', 'result'];

export const importForm = z.strictObject({
  file: uploadedFile.meta({
    description:
      'The export: CSV, or the JSON pages of an API, one after the other or in a list. At most ' +
      `${importRowsMax.toLocaleString('en')} links in 16 MB.`,
  }),
  ...importFields,
});
export type ImportForm = z.output<typeof importForm>;

/** @param sharedHost the host name of QR_HOST */
export const placesOf = ({ domain, host }: ImportForm, sharedHost: string) => ({
  domain: domain === undefined ? null : aliasDomainName(domain, sharedHost),
  host: host === undefined ? null : domainToASCII(host) || host.toLowerCase(),
});
