/** Instants in requests, read as Dates of the years 1970 to 9999. */
import { z } from 'zod';
import { parseInstant } from './protection.ts';
import { boundedText } from './text.ts';

const notInstant =
  'must be an ISO 8601 instant such as 2030-01-31T12:00:00Z, or whole milliseconds since 1970';
const instantLengthMax = 40;
/** The end of the year 9999: PostgreSQL cannot read later times in this notation. */
const instantMsMax = 253_402_300_799_999;

/** A query parameter. */
export const instantParameter = () =>
  boundedText(instantLengthMax, notInstant).transform((text, context) => {
    const ms = parseInstant(text);
    if (Number.isInteger(ms) && ms >= 0 && ms <= instantMsMax) return new Date(ms);
    context.addIssue({ code: 'custom', message: notInstant });
    return z.NEVER;
  });

/** Smaller numbers are seconds: as milliseconds they would be in 1973 or earlier. */
const epochMsMin = 100_000_000_000;

/** A field of a body. */
export const givenInstant = z
  .union(
    [
      boundedText(instantLengthMax, notInstant),
      z.number().meta({ override: { type: 'integer', minimum: epochMsMin, maximum: instantMsMax } }),
    ],
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be a string or a number') },
  )
  .transform((given, context) => {
    if (typeof given === 'number' && given >= 0 && given < epochMsMin) {
      context.addIssue({
        code: 'custom',
        message: 'must be in milliseconds or ISO 8601; these seem to be seconds',
      });
      return z.NEVER;
    }
    const ms = typeof given === 'string' ? parseInstant(given) : given;
    if (Number.isInteger(ms) && ms >= 0 && ms <= instantMsMax) return new Date(ms);
    const message = ms > instantMsMax ? 'must be before the year 10000' : notInstant;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
