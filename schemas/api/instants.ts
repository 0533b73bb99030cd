/** Instants in requests. */
import { z } from 'zod';
import { boundedText } from './text.ts';

/** Longer than any written instant. */
export const instantLengthMax = 40;
export const notInstant =
  'must be an ISO 8601 instant such as 2030-01-31T12:00:00Z, or whole milliseconds since 1970';

const notOffsetInstant = 'must be an ISO 8601 instant with an offset, such as 2030-01-31T12:00:00+01:00';

const isoInstant =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/;

/** Milliseconds since 1970, or NaN for anything but one definite instant. A date without a time means midnight UTC. */
export const parseInstant = (text: string): number => {
  const [, year, month, day] = isoInstant.exec(text) ?? [];
  if (year === undefined) return Number.NaN;
  // Date.parse reads February 30 as a day in March.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCDate() === Number(day) ? Date.parse(text) : Number.NaN;
};

/** A query parameter's text: an instant, or whole milliseconds. @returns as {@link parseInstant} */
export const parseInstantParameter = (text: string): number =>
  /^-?\d{1,16}$/.test(text) ? Number(text) : parseInstant(text);

/** The last instant of JavaScript's dates. */
export const instantMsMax = 8_640_000_000_000_000;
/** The end of the year 9999: PostgreSQL cannot read later times in this notation. */
const storedMsMax = 253_402_300_799_999;

/** Smaller numbers are seconds: as milliseconds they would be in 1973 or earlier. */
const epochMsMin = 100_000_000_000;

const seconds = 'must be in milliseconds or ISO 8601; these seem to be seconds';

/** A query parameter, read as a Date of the years 1970 to 9999. */
export const instantParameter = () =>
  boundedText(instantLengthMax, notInstant).transform((text, context) => {
    const ms = parseInstantParameter(text);
    const isSeconds = ms > 0 && ms < epochMsMin && /^\d+$/.test(text);
    if (!isSeconds && Number.isInteger(ms) && ms >= 0 && ms <= storedMsMax) return new Date(ms);
    context.addIssue({
      code: 'invalid_format',
      format: 'instant',
      message: isSeconds ? seconds : notInstant,
    });
    return z.NEVER;
  });

/** A field of a body, read as a Date of the years 1970 to 9999. */
export const givenInstant = z
  .union(
    [
      boundedText(instantLengthMax, notInstant),
      z.number().meta({ override: { type: 'integer', minimum: epochMsMin, maximum: storedMsMax } }),
    ],
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be a string or a number') },
  )
  .transform((given, context) => {
    if (typeof given === 'number' && given >= 0 && given < epochMsMin) {
      context.addIssue({ code: 'invalid_format', format: 'instant', message: seconds });
      return z.NEVER;
    }
    const ms = typeof given === 'string' ? parseInstant(given) : given;
    if (Number.isInteger(ms) && ms >= 0 && ms <= storedMsMax) return new Date(ms);
    const message = ms > storedMsMax ? 'must be before the year 10000' : notInstant;
    context.addIssue({ code: 'invalid_format', format: 'instant', message });
    return z.NEVER;
  });

/** From the years 1970 to 9999 in UTC, milliseconds included: texts in the order of their times. */
export const offsetInstant = boundedText(instantLengthMax, notOffsetInstant).transform((text, context) => {
  const ms = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? parseInstant(text) : Number.NaN;
  if (Number.isInteger(ms) && ms >= 0 && ms <= storedMsMax) return new Date(ms).toISOString();
  const message = ms > storedMsMax ? 'must be before the year 10000' : notOffsetInstant;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
