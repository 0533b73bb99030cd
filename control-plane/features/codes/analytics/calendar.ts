/** The days of time zones. */

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;
/** Clocks are set to, and by, whole quarters of an hour: every day and hour of every zone consists of them. */
export const quarterMs = 900_000;

/** Tells the calendar day of a moment in a zone, `YYYY-MM-DD`. */
export type Calendar = (ms: number) => string;

const formatOf = (timezone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });

export const calendarOf = (timezone: string): Calendar => {
  const format = formatOf(timezone);
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return `${parts.year}-${parts.month}-${parts.day}`;
  };
};

/** Where a day begins, in ms: no zone is a day from UTC, so it is between the day before and the day after. */
export const startOf = (day: string, dayAt: Calendar): number => {
  let [before, notBefore] = [Date.parse(day) - dayMs, Date.parse(day) + dayMs];
  while (notBefore - before > quarterMs) {
    const middle = before + Math.floor((notBefore - before) / (2 * quarterMs)) * quarterMs;
    if (dayAt(middle) < day) before = middle;
    else notBefore = middle;
  }
  return notBefore;
};

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
