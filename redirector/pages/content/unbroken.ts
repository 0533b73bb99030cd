/** A date without a line break between day and month, or between time and zone. */
export const unbroken = (date: string): string =>
  date.replace(/\b(\d{1,2}\.?)[ \u2009](?=\p{L})/gu, '$1\u00a0');
