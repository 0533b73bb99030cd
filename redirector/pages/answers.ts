/** Answers that differ by no payload: a page for people, in their language and in the owner's look, JSON for programs. */
import { STATUS_CODES } from 'node:http';
import { html } from 'hono/html';
import { LRUCache } from 'lru-cache';
import { type ErrorCode, errorBody, errorStatus } from '#shared/errors.ts';
import type { Language } from '#shared/languages.ts';
import type { Html } from '#shared/pages/html.ts';
import { type Message, type Words, wordsOf } from '#shared/pages/words.ts';
import { requestFaults } from '#shared/strict-server.ts';
import { inOwnersWords, ownMessageOf, waysOn } from './brand.ts';
import { type About, jsonPage, type PageContent, type PageHeaders, renderScanPage } from './layout.ts';
import type { Page } from './page.ts';
import type { Reader } from './reader.ts';

export interface Answer {
  /** For people. Never throws. */
  page(language: Language, about?: About): Page;
  /** For programs. */
  readonly json: Page;
}

/** The page or the JSON of an answer. */
export const pageOf = (answer: Answer, reader: Reader, about?: About): Page =>
  reader === 'program' ? answer.json : answer.page(reader, about);

/** The names of the full-page messages. */
export type MessageName = {
  [Name in keyof Words['scan']]: Words['scan'][Name] extends Message ? Name : never;
}[keyof Words['scan']];

interface Parts {
  message: MessageName;
  icon: PageContent['icon'];
  code: ErrorCode;
  /** For programs. */
  error: string;
  headers?: PageHeaders;
  /** Between the message and the ways on. */
  more?(words: Words): Html;
}

/** Pages without a code's id, which are asked for again and again: by floods of invented ids, on branded domains. */
const keptMax = 300;

const statusOf = (code: ErrorCode): string => `${errorStatus[code]} ${STATUS_CODES[errorStatus[code]]}`;

const render = (
  { message, icon, code, headers = [], more }: Parts,
  language: Language,
  about: About,
): Page => {
  const words = wordsOf[language];
  const content = {
    icon,
    ...inOwnersWords(message, words.scan[message], about),
    body: html`${more?.(words)}${waysOn(about, words, ownMessageOf(message, about)?.button)}`,
    isMessage: true,
  };
  return renderScanPage(statusOf(code), content, { language, about, headers });
};

export const createAnswer = (parts: Parts): Answer => {
  const kept = new LRUCache<string, Page>({ max: keptMax });
  return {
    page(language, about = {}) {
      if (about.codeId !== undefined) return render(parts, language, about);
      const key = `${language} ${about.host ?? ''} ${about.brand?.key ?? ''}`;
      let page = kept.get(key);
      if (page === undefined) {
        page = render(parts, language, about);
        kept.set(key, page);
      }
      return page;
    },
    json: jsonPage(statusOf(parts.code), errorBody(parts.code, parts.error), parts.headers),
  };
};

const retrySoon = [['Retry-After', '2']] as const;

/** A request that is not HTTP; browsers do not send such. */
const createMalformed = (error: string, code: ErrorCode = 'INVALID_REQUEST'): Answer =>
  createAnswer({ code, message: 'badRequest', icon: 'lost', error });

const unavailable = { code: 'UNAVAILABLE', message: 'unavailable', icon: 'clock' } as const;

export const answers = {
  unknown: createAnswer({
    code: 'NOT_FOUND',
    message: 'unknown',
    icon: 'lost',
    error: 'No code has this id',
  }),
  /** On a domain, if nothing is found. */
  nothingHere: createAnswer({
    code: 'NOT_FOUND',
    message: 'nothingHere',
    icon: 'lost',
    error: 'There is nothing at this address',
  }),
  /** For every request to a domain that is switched off. */
  offDomain: createAnswer({
    code: 'NOT_FOUND',
    message: 'switchedOff',
    icon: 'off',
    error: 'This domain is switched off',
  }),
  inactive: createAnswer({
    code: 'CODE_INACTIVE',
    message: 'inactive',
    icon: 'off',
    error: 'This code is inactive',
  }),
  expired: createAnswer({
    code: 'CODE_EXPIRED',
    message: 'expired',
    icon: 'clock',
    error: 'This code has expired',
  }),
  capped: createAnswer({
    code: 'SCAN_CAP_REACHED',
    message: 'capped',
    icon: 'lock',
    error: 'This code has reached its scan limit',
  }),
  unavailable: createAnswer({
    ...unavailable,
    error: 'The code cannot be looked up at the moment',
    headers: retrySoon,
  }),
  capUnavailable: createAnswer({
    ...unavailable,
    error: "This code's scans are limited and cannot be counted at the moment",
    headers: retrySoon,
  }),
  /** The server adds Retry-After and the RateLimit headers. */
  tooManyScans: createAnswer({
    code: 'RATE_LIMITED',
    message: 'tooManyScans',
    icon: 'clock',
    error: 'Too many scans from this address',
  }),
  /** The server adds Retry-After and the RateLimit headers. */
  tooManyPages: createAnswer({
    code: 'RATE_LIMITED',
    message: 'tooManyPages',
    icon: 'clock',
    error: 'Too many views of pages from this address',
  }),
  /** The server adds Retry-After. */
  tooManyAttempts: createAnswer({
    code: 'RATE_LIMITED',
    message: 'tooManyAttempts',
    icon: 'lock',
    error: 'Too many passwords were tried',
  }),
  badTarget: createMalformed(requestFaults.target),
  ambiguousLength: createMalformed(requestFaults.length),
  smallChunks: createMalformed(requestFaults.chunks),
  badMethod: createMalformed(requestFaults.method),
  unknownMethod: createMalformed(requestFaults.unknownMethod),
  badHost: createMalformed(requestFaults.host),
  isNoProxy: createMalformed(requestFaults.connect, 'METHOD_NOT_ALLOWED'),
  methodNotAllowed: createAnswer({
    code: 'METHOD_NOT_ALLOWED',
    message: 'badMethod',
    icon: 'lost',
    error: 'Only GET and HEAD are allowed, and POST of a password',
    headers: [['Allow', 'GET, HEAD, POST']],
  }),
} satisfies Record<string, Answer>;
