/** A workspace's conversions by the URL that their scans led to. */
import { dayMs } from '../../../codes/analytics/calendar.ts';
import {
  addConverted,
  type Converted,
  nothingConverted,
  restOf,
} from '../../../codes/analytics/conversions.ts';
import type { CodeFacts } from '../../codes-of.ts';
import { type ConversionGroups, type ConversionsAsked, rowsBy, sumOf } from '../conversions.ts';
import type { AskScans } from '../query.ts';
import { among, combinationsMax, destinationCodesMax, factsOf, ledBy } from './groups.ts';
import { readTimelines } from './timelines.ts';

/** A scan may convert for 90 days, and clocks differ. */
const scannedBeforeMs = 91 * dayMs;

const mostFirst = (limit: number): string => `ORDER BY conversions DESC, value LIMIT ${limit}`;

/** @throws {ClientError} INVALID_REQUEST if the codes changed too often; else as {@link AskScans} */
export const readConversionsByDestination = async (
  ask: AskScans,
  { db }: CodeFacts,
  asked: ConversionsAsked,
  listed: readonly string[],
): Promise<ConversionGroups> => {
  const { selection, window, time } = asked;
  const [codes, all] = await Promise.all([
    rowsBy(ask, asked, { column: 'code_id', value: 'own', order: mostFirst(destinationCodesMax) }),
    rowsBy(ask, asked, { column: 'code_id', value: `''` }),
  ]);
  const ids = [...codes.keys()];
  const timelines = await readTimelines(db, selection.workspaceId, ids, {
    fromMs: time === 'scanned' ? window.fromMs : window.fromMs - scannedBeforeMs,
    toMs: window.toMs,
  });
  const facts = await rowsBy(
    ask,
    { ...asked, selection: among(selection, ids) },
    { column: factsOf(timelines), value: 'own', order: mostFirst(combinationsMax) },
  );
  const rows = new Map<string, Converted>(listed.map((value) => [value, nothingConverted]));
  let [none, unknown] = [nothingConverted, nothingConverted];
  for (const [each, converted] of facts) {
    const led = ledBy(timelines, each);
    if (led === 'none') none = addConverted(none, converted);
    else if (led === 'unknown') unknown = addConverted(unknown, converted);
    else {
      const row = rows.get(led.destination);
      if (row) rows.set(led.destination, addConverted(row, converted));
    }
  }
  const total = sumOf(all.values());
  const other = restOf(total, sumOf([none, unknown, ...rows.values()]));
  return { total, none, unknown, other, rows };
};
