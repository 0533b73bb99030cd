/**
 * GS1 Digital Link (GS1 Digital Link Standard: URI Syntax): GTIN, batch and serial in the path, attributes in the query. And the GS1
 * element string (General Specifications §7.8), which only a symbol that begins with FNC1 can hold.
 */
import type { FieldsOf } from '#schemas/api/payloads.ts';

/** GS1's own resolver. */
const resolver = 'https://id.gs1.org';

/** Application identifiers. */
const ai = { gtin: '01', batch: '10', serial: '21', expiry: '17' } as const;

/** `YYMMDD`. */
const shortDate = (day: string): string => (day.length === 6 ? day : day.slice(2).replaceAll('-', ''));

/** Qualifiers of the key in the order in which the standard wants them. */
const buildDigitalLink = ({ gtin, batch, serial, expiry }: FieldsOf<'gs1'>): string => {
  const part = (id: string, value: string | undefined) =>
    value === undefined ? '' : `/${id}/${encodeURIComponent(value)}`;
  const path = [part(ai.gtin, gtin.padStart(14, '0')), part(ai.batch, batch), part(ai.serial, serial)];
  return `${resolver}${path.join('')}${expiry === undefined ? '' : `?${ai.expiry}=${shortDate(expiry)}`}`;
};

/** Ends an element of no fixed length, unless it is the last: FNC1 within the symbol, which readers show as this. */
const separator = '\x1d';

/** Elements of a fixed length first, which need no separator. */
export const buildElementString = ({ gtin, batch, serial, expiry }: FieldsOf<'gs1'>): string => {
  const fixed = [
    `${ai.gtin}${gtin.padStart(14, '0')}`,
    expiry === undefined ? '' : `${ai.expiry}${shortDate(expiry)}`,
  ].join('');
  const open = [
    batch === undefined ? '' : `${ai.batch}${batch}`,
    serial === undefined ? '' : `${ai.serial}${serial}`,
  ];
  return fixed + open.filter(Boolean).join(separator);
};

/** Whether the symbol begins with FNC1. */
const isElementString = ({ format }: FieldsOf<'gs1'>): boolean => format === 'element-string';

export const buildGs1 = (fields: FieldsOf<'gs1'>): string =>
  isElementString(fields) ? buildElementString(fields) : buildDigitalLink(fields);
