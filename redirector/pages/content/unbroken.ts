/** A date without a line break between day and month, or between two times. */
export const unbroken = (date: string): string =>
  date
    .replace(/\b(\d{1,2}\.?)[ \u2009](?=\p{L})/gu, '$1\u00a0')
    .replace(/(:\d\d)\u2009\u2013\u2009(?=\d)/g, '$1\u202f\u2013\u202f')
    .replace(/(:\d\d)\u2013(?=\d)/g, '$1\u2060\u2013\u2060');
