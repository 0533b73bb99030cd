/** The languages in which the shell of hosted pages speaks (BCP 47). */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ar', 'he'] as const;
export type Language = (typeof languages)[number];
