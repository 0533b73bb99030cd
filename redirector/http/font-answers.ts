/** GET and HEAD of the fonts of hosted pages, from memory. They are at every host, so that a page asks no other one. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { fontType } from '#shared/pages/themes/fonts.ts';
import { themeFonts } from '#shared/pages/themes/named-themes.ts';
import { Reply } from './reply.ts';

const headersWith = (caching: string) =>
  [
    ['Content-Type', fontType],
    ['Cache-Control', caching],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ] as const;

const forEver = headersWith('public, max-age=31536000, immutable');
/** At the path of another version of the file. */
const forADay = headersWith('public, max-age=86400');

/** @returns whether the request was for a font, and has its answer */
export const answersFont = (res: HttpResponse, req: HttpRequest, isLast: boolean): boolean => {
  const path = req.getUrl();
  const file = themeFonts.at(path);
  const method = req.getCaseSensitiveMethod();
  if (!file || (method !== 'GET' && method !== 'HEAD')) return false;
  const headers = path === file.path ? forEver : forADay;
  new Reply(res, method === 'HEAD', isLast).send({ status: '200 OK', headers, body: file.bytes });
  return true;
};
