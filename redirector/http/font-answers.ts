/**
 * Everything below /fonts/, from memory: the fonts of hosted pages. They are at every host, so that a page asks no other one. An
 * unknown name costs no control plane anything.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { errorBody } from '#shared/errors.ts';
import { fontFolder, fontType } from '#shared/pages/themes/fonts.ts';
import { themeFonts } from '#shared/pages/themes/named-themes.ts';
import { Reply } from './reply.ts';

const headersWith = (caching: string, type = fontType) =>
  [
    ['Content-Type', type],
    ['Cache-Control', caching],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ] as const;

const forEver = headersWith('public, max-age=31536000, immutable');
/** At the path of another version of the file. */
const forADay = headersWith('public, max-age=86400');

/** Short: a page of a newer release may name a font that this process does not have yet. */
const unknown = {
  status: '404 Not Found',
  headers: headersWith('public, max-age=60', 'application/json; charset=utf-8'),
  body: Buffer.from(JSON.stringify(errorBody('NOT_FOUND', 'There is no font at this path'))),
};

const answerAt = (path: string) => {
  const file = themeFonts.at(path);
  if (!file) return unknown;
  return { status: '200 OK', headers: path === file.path ? forEver : forADay, body: file.bytes };
};

/** @returns whether the request was for a font, known or not, and has its answer */
export const answersFont = (res: HttpResponse, req: HttpRequest, isLast: boolean): boolean => {
  const path = req.getUrl();
  const method = req.getCaseSensitiveMethod();
  if (!path.startsWith(fontFolder) || (method !== 'GET' && method !== 'HEAD')) return false;
  new Reply(res, method === 'HEAD', isLast).send(answerAt(path));
  return true;
};
