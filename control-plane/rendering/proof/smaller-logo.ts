/** Logos that are drawn smaller than they were asked for: their sizes, and what a warning says of them. */

const hundredths = 100;

/** To a hundredth, and at least one: 0 is no logo. */
export const roundLogoSize = (size: number): number =>
  Math.max(1, Math.round(size * hundredths)) / hundredths;

/** @param asked what `imageOptions.imageSize` is @param drawn what is drawn */
export const smallerLogo = (asked: number, drawn: number): string =>
  `imageOptions.imageSize ${asked} hides too much of this code: its logo has ${drawn}`;

/**
 * The warning of one picture, as it holds for others in the same look: what a logo hides differs from code to code. Other warnings stay
 * as they are.
 */
export const warningOfOthers = (warning: string): string =>
  warning.replace(
    / hides too much of this code: its logo has (\S+)$/,
    ' hides too much of some codes: their logo is as large as it is read, with one of them $1',
  );
