/** The logo of a branding, as it is stored and shown. */

/** In CSS pixels: it is shown this high, or lower if it would be wider than the maximum. */
export const logoShown = { height: 40, widthMax: 192 } as const;

/** The stored picture has up to this many pixels per CSS pixel. */
export const logoDensity = 2;

/** Of the stored picture: it is in every page. */
export const logoBytesMax = 8_000;
