/** Names of time zones in requests. */
import { z } from 'zod';

export const notTimeZone = 'must be an IANA time zone such as Europe/Berlin';

/** The name as the tz database has it; `UTC` if there is none. */
export const canonicalTimeZone = (name: string | undefined, context: z.RefinementCtx): string => {
  if (name === undefined) return 'UTC';
  try {
    // Intl also accepts offsets such as +02:00, which are not names and have no summer time, and names of ICU's own such as
    // SystemV/PST8, which ClickHouse does not know.
    if (/^(?!systemv\/)[a-z]/i.test(name))
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  context.addIssue({ code: 'invalid_format', format: 'time zone', message: notTimeZone });
  return z.NEVER;
};
