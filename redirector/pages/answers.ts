/** Answers that differ by no payload: a page for people, in their language and in the owner's look, JSON for programs. */
import { STATUS_CODES } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type ErrorCode, errorBody, errorStatus } from '#shared/errors.ts';
import type { Language } from '#shared/languages.ts';
import { escapeText } from '#shared/pages/html.ts';
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
  /** A second try is in vain, and not offered. */
  isFinal?: true;
}

const statusOf = (code: ErrorCode): string => `${errorStatus[code]} ${STATUS_CODES[errorStatus[code]]}`;

/** In place of the id of a code. No text of ours has it, and texts of owners cannot. */
const slot = '\u0001';

const render = (
  { message, icon, code, headers = [], isFinal }: Parts,
  language: Language,
  about: About,
): Page => {
  const words = wordsOf[language];
  const content = {
    icon,
    ...inOwnersWords(message, words.scan[message], about),
    body: waysOn(about, words, ownMessageOf(message, about)?.button, isFinal),
    isMessage: true,
  };
  return renderScanPage(statusOf(code), content, { language, about, headers });
};

/** Without the id of a code: floods of scans of one code, or of invented ones, have the same page. */
interface Kept {
  page: Page;
  /** Around the id; undefined if the page has none. */
  around: readonly [string, string] | undefined;
}

/** Of rendered pages, in bytes of a process: a hundred brands in nine languages. */
const keptBytesMax = 8 * 2 ** 20;

const kept = new LRUCache<string, Kept>({
  maxSize: keptBytesMax,
  // The text around the id is held as well.
  sizeCalculation: ({ page, around }) => page.body.length * (around ? 2 : 1),
});

const renderKept = (parts: Parts, language: Language, about: About): Kept => {
  if (about.codeId === undefined) return { page: render(parts, language, about), around: undefined };
  const page = render(parts, language, { ...about, codeId: slot });
  const [before, after] = page.body.toString().split(slot);
  return { page, around: [before!, after!] };
};

const keyOf = ({ message, code, error }: Parts, language: Language, about: About): string => {
  const own = ownMessageOf(message, about);
  return JSON.stringify([
    message,
    code,
    error,
    language,
    about.host,
    about.brand?.key,
    own,
    about.codeId !== undefined,
  ]);
};

export const createAnswer = (parts: Parts): Answer => ({
  page(language, about = {}) {
    const key = keyOf(parts, language, about);
    const { page, around } = kept.get(key) ?? renderKept(parts, language, about);
    if (!kept.has(key)) kept.set(key, { page, around });
    if (!around) return page;
    return { ...page, body: Buffer.from(around.join(escapeText(about.codeId!))) };
  },
  json: jsonPage(statusOf(parts.code), errorBody(parts.code, parts.error), parts.headers),
});

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
  erased: createAnswer({
    code: 'CODE_ERASED',
    message: 'erased',
    icon: 'off',
    error: 'This code was erased',
    isFinal: true,
  }),
  suspended: createAnswer({
    code: 'CODE_SUSPENDED',
    message: 'suspended',
    icon: 'off',
    error: 'This code is suspended',
    isFinal: true,
  }),
  notStarted: createAnswer({
    code: 'CODE_NOT_STARTED',
    message: 'notStarted',
    icon: 'clock',
    error: 'This code has not started yet',
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
