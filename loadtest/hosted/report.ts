/** The rows as a table. */
import { formatTable } from '../report/table.ts';
import type { Row } from './rounds.ts';

const range = ({ median, low, high }: Row['ratio'], digits: number): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;

export const rowsTable = (rows: readonly Row[]): string =>
  formatTable(
    [
      'page',
      'browser',
      'bytes',
      'control plane, µs',
      'bare Koa, µs',
      'ratio',
      'through the redirector, µs',
      'of it the redirector',
    ],
    rows.map((row) => [
      row.page,
      row.way,
      String(row.bytes),
      row.controlPlaneUs.toFixed(0),
      row.bareUs.toFixed(0),
      range(row.ratio, 2),
      row.throughUs.toFixed(0),
      row.redirectorUs.toFixed(0),
    ]),
  );
