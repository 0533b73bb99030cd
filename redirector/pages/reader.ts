/** Who reads an answer: a program, which gets JSON, or a person, who gets a page in a language. */
import { acceptedLanguage, type Language } from '#shared/languages.ts';
import { wantsPage } from '#shared/wants-page.ts';

export type Reader = Language | 'program';

/** @param accept the header Accept @param acceptLanguage the header Accept-Language, read only for people */
export const readerOf = (accept: string, acceptLanguage: string): Reader =>
  wantsPage(accept) ? acceptedLanguage(acceptLanguage) : 'program';

/** The reader of a request. @param req lent by uWebSockets.js, or with the same headers */
export const readerOfRequest = (req: { getHeader(name: string): string }): Reader =>
  readerOf(req.getHeader('accept'), req.getHeader('accept-language'));
