/** Runs in browsers, too. */

/** A value that reads from left to right, in a sentence of any direction (UAX 9: LRI and PDI). */
export const isolated = (value: string): string => `\u2066${value}\u2069`;
