/** The columns that limit a row's scans: password, expiresAt, maxScans; and its tags and folder. The password is checked with the whole body. */
import { instantMsMax, parseInstant } from '#schemas/api/instants.ts';
import { quoted } from '#shared/quoted.ts';
import type { Cells } from './columns.ts';
import { attempt, type Fault, RowRefusal, refuseCell } from './faults.ts';

/** Longer than any valid instant. */
const lengthMax = 40;

/**
 * A time without a zone is UTC: spreadsheet cells have no zone. Some programs write a blank for the T, and one digit
 * for the hour.
 */
const instantOf = (text: string): number =>
  text.length > lengthMax
    ? Number.NaN
    : parseInstant(
        text
          .replace(/^(\S{10}) (?=\d:)/, '$1 0')
          .replace(/^(\S{10}) (?=\d)/, '$1T')
          .replace(/T\d\d:\d\d(:\d\d(\.\d+)?)?$/, '$&Z'),
      );

const readEnd = (text: string, now: Date): string => {
  const instantMs = instantOf(text);
  if (Number.isNaN(instantMs))
    return refuseCell(
      'expiresAt',
      `must be an ISO 8601 day or time such as 2030-01-31 or 2030-01-31T12:00:00Z; given: ${quoted(text)}`,
    );
  if (instantMs > instantMsMax) return refuseCell('expiresAt', 'must be before the year 275760');
  if (instantMs <= now.getTime())
    return refuseCell('expiresAt', `must be in the future; given: ${quoted(text)}`);
  return new Date(instantMs).toISOString();
};

const readCap = (text: string): number =>
  /^\d{1,15}$/.test(text)
    ? Number(text)
    : refuseCell('maxScans', `must be a whole number of scans; given: ${quoted(text)}`);

/** @returns fields of a create */
export const passwordOf = ({ password }: Cells): Record<string, unknown> =>
  password === undefined ? {} : { secure: ['password'], password };

/** @returns fields of a create */
export const orderingOf = ({ tags, folderId }: Cells): Record<string, unknown> => ({
  ...(tags !== undefined && {
    tags: tags
      .split('|')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  }),
  ...(folderId !== undefined && { folderId }),
});

/** @returns fields of a create @throws {RowRefusal} with the faults of both columns */
export const readLimits = async (
  { expiresAt, maxScans }: Cells,
  now: Date,
): Promise<Record<string, unknown>> => {
  const faults: Fault[] = [];
  const end = expiresAt === undefined ? undefined : await attempt(faults, () => readEnd(expiresAt, now));
  const cap = maxScans === undefined ? undefined : await attempt(faults, () => readCap(maxScans));
  if (faults.length > 0) throw new RowRefusal(faults);
  return { ...(end !== undefined && { expiresAt: end }), ...(cap !== undefined && { maxScans: cap }) };
};
