/** Logos drawn smaller than requested: their sizes, and the warnings about them. */

const hundredths = 100;

/** To a hundredth, and at least one: 0 means no logo. */
export const roundLogoSize = (size: number): number =>
  Math.max(1, Math.round(size * hundredths)) / hundredths;

/** @param asked the requested `imageOptions.imageSize` @param drawn the drawn size */
export const smallerLogo = (asked: number, drawn: number): string =>
  `imageOptions.imageSize ${asked} hides too much of this code: its logo has ${drawn}`;

/**
 * The warning of one picture, reworded for others in the same look: a logo hides different modules in each code. Other
 * warnings stay unchanged.
 */
export const warningOfOthers = (warning: string): string =>
  warning.replace(
    / hides too much of this code: its logo has (\S+)$/,
    ' hides too much of some codes: their logo is as large as it is read, with one of them $1',
  );
