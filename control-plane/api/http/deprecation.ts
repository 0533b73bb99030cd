/** An operation that will be removed says so: RFC 9745 (Deprecation) and RFC 8594 (Sunset). */

/** Days are `YYYY-MM-DD`, and begin at midnight UTC. */
export interface Deprecation {
  /** The day from which no client should begin to use the operation. */
  since: string;
  /** The day from which it may be gone: at least six months later. */
  sunset: string;
  /** Where a reader learns what to use instead: a path of this origin, or a URL. */
  docs: string;
}

/** The notice that the API promises before it removes anything. */
const noticeMonths = 6;

const dayOf = (name: string, text: string): Date => {
  const day = new Date(`${text}T00:00:00.000Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw new Error(`${name} must be a day such as 2030-01-31; given: ${text}`);
  return day;
};

/** Six months after August 31 is the last day of February. */
const earliestSunset = (since: Date): Date => {
  const month = since.getUTCMonth() + noticeMonths;
  const lastOfMonth = new Date(Date.UTC(since.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(since.getUTCFullYear(), month, Math.min(since.getUTCDate(), lastOfMonth)));
};

/**
 * The headers of every response of a deprecated operation.
 * @param id names the operation in errors
 * @throws {Error} if a text is not a day, or if there are less than six months between them
 */
export const deprecationHeaders = (
  id: string,
  { since, sunset, docs }: Deprecation,
): Readonly<Record<'deprecation' | 'sunset' | 'link', string>> => {
  const begin = dayOf(`deprecated.since of ${id}`, since);
  const end = dayOf(`deprecated.sunset of ${id}`, sunset);
  const earliest = earliestSunset(begin);
  if (end < earliest)
    throw new Error(
      `deprecated.sunset of ${id} must be ${earliest.toISOString().slice(0, 10)} or later, ${noticeMonths} months after ${since}; given: ${sunset}`,
    );
  return {
    deprecation: `@${begin.getTime() / 1000}`,
    sunset: end.toUTCString(),
    link: `<${docs}>; rel="deprecation"; type="text/html"`,
  };
};
