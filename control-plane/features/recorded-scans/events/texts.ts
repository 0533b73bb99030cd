/** Scans as texts: a line or a row for each. */
import type { ScanObject } from '#schemas/api/scans.ts';
import { csvHeader, csvLines } from '../../../platform/spreadsheets/csv.ts';

/** In the order of their columns. */
export const scanFields = [
  'id',
  'code',
  'scannedAt',
  'recordedAt',
  'kind',
  'device',
  'os',
  'browser',
  'country',
  'referrer',
  'source',
  'variant',
  'rule',
] as const satisfies readonly (keyof ScanObject)[];

type ScanField = (typeof scanFields)[number];

/** @param objectOf a scan of a line as ClickHouse writes it */
export const scanTexts = <Field extends ScanField>(
  fields: readonly Field[],
  objectOf: (line: string) => Pick<ScanObject, Field>,
) => ({
  ndjson: {
    start: '',
    textOf: (lines: readonly string[]) => lines.map((line) => `${JSON.stringify(objectOf(line))}\n`).join(''),
  },
  csv: {
    start: csvHeader(fields),
    textOf: (lines: readonly string[]) =>
      csvLines(
        lines.map((line) => {
          const scan = objectOf(line);
          return fields.map((field) => scan[field]);
        }),
      ),
  },
});
