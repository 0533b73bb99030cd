/** Answers that are the same for every code, rendered once at start: a page for browsers, JSON for programs. */
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorBody, errorStatus } from '#shared/errors.ts';
import { requestFaults } from '#shared/strict-server.ts';
import { createPages, jsonPage, type PageContent } from './layout.ts';
import type { Page } from './page.ts';

export interface Answer {
  readonly page: Page;
  readonly json: Page;
}

interface Texts extends Pick<PageContent, 'icon' | 'title'> {
  lead: string;
  /** For programs. */
  error: string;
}

const createAnswer = (
  code: ErrorCode,
  { error, ...content }: Texts,
  headers: readonly (readonly [string, string])[] = [],
): Answer => {
  const status = `${errorStatus[code]} ${STATUS_CODES[errorStatus[code]]}`;
  return {
    page: createPages({ headers })(status, content),
    json: jsonPage(status, errorBody(code, error), headers),
  };
};

/** A request that is not HTTP; browsers do not send such. */
const createMalformed = (error: string, code: ErrorCode = 'INVALID_REQUEST'): Answer =>
  createAnswer(code, {
    icon: 'lost',
    title: 'This request cannot be read',
    lead: 'What was sent is not a request of a browser. Please try again.',
    error,
  });

const retrySoon = [['Retry-After', '2']] as const;

export const answers = {
  unknown: createAnswer('NOT_FOUND', {
    icon: 'lost',
    title: 'This code leads nowhere',
    lead: 'It may be mistyped, or only part of it was scanned. Try scanning it again, a little closer.',
    error: 'No code has this id',
  }),
  /** For every request to a domain that is switched off. */
  offDomain: createAnswer('NOT_FOUND', {
    icon: 'off',
    title: 'Nothing is served here any more',
    lead: 'This domain is switched off. If you expected something here, please ask its owner.',
    error: 'This domain is switched off',
  }),
  inactive: createAnswer('CODE_INACTIVE', {
    icon: 'off',
    title: 'This code is switched off',
    lead: 'Its owner has deactivated it. If you expected something here, please ask them.',
    error: 'This code is inactive',
  }),
  expired: createAnswer('CODE_EXPIRED', {
    icon: 'clock',
    title: 'This code has expired',
    lead: 'It was made for a limited time, and that time is over.',
    error: 'This code has expired',
  }),
  capped: createAnswer('SCAN_CAP_REACHED', {
    icon: 'lock',
    title: 'This code is used up',
    lead: 'It could be opened a limited number of times, and all of them have been taken.',
    error: 'This code has reached its scan limit',
  }),
  unavailable: createAnswer(
    'UNAVAILABLE',
    {
      icon: 'clock',
      title: 'One moment, please',
      lead: 'This code cannot be looked up just now. Please scan it again in a few seconds.',
      error: 'The code cannot be looked up at the moment',
    },
    retrySoon,
  ),
  capUnavailable: createAnswer(
    'UNAVAILABLE',
    {
      icon: 'clock',
      title: 'One moment, please',
      lead: 'This code can be opened a limited number of times, and its scans cannot be counted just now. Please scan it again in a few seconds.',
      error: "This code's scans are limited and cannot be counted at the moment",
    },
    retrySoon,
  ),
  /** The server adds Retry-After and the RateLimit headers. */
  tooManyScans: createAnswer('RATE_LIMITED', {
    icon: 'clock',
    title: 'That was a lot of scans',
    lead: 'Too many codes were opened from your network within a minute. Please wait a moment and scan again.',
    error: 'Too many scans from this address',
  }),
  /** The server adds Retry-After and the RateLimit headers. */
  tooManyPages: createAnswer('RATE_LIMITED', {
    icon: 'clock',
    title: 'That was a lot of pages',
    lead: 'Too many pages were opened from your network within a minute. Please wait a moment and try again.',
    error: 'Too many views of pages from this address',
  }),
  /** The server adds Retry-After. */
  tooManyAttempts: createAnswer('RATE_LIMITED', {
    icon: 'lock',
    title: 'Too many tries',
    lead: 'Too many passwords were tried. Please wait a minute, then scan the code again.',
    error: 'Too many passwords were tried',
  }),
  badTarget: createAnswer('INVALID_REQUEST', {
    icon: 'lost',
    title: 'This address cannot be read',
    lead: 'An address consists of ASCII characters; all others are percent-encoded.',
    error: requestFaults.target,
  }),
  ambiguousLength: createMalformed(requestFaults.length),
  smallChunks: createMalformed(requestFaults.chunks),
  badMethod: createMalformed(requestFaults.method),
  unknownMethod: createMalformed(requestFaults.unknownMethod),
  badHost: createMalformed(requestFaults.host),
  isNoProxy: createMalformed(requestFaults.connect, 'METHOD_NOT_ALLOWED'),
  methodNotAllowed: createAnswer(
    'METHOD_NOT_ALLOWED',
    {
      icon: 'lost',
      title: 'This code can only be opened',
      lead: 'A code answers GET and HEAD, and POST where it asks for a password.',
      error: 'Only GET and HEAD are allowed, and POST of a password',
    },
    [['Allow', 'GET, HEAD, POST']],
  ),
} satisfies Record<string, Answer>;

/** The page or the JSON of an answer. */
export const pageOf = (answer: Answer, page: boolean): Page => (page ? answer.page : answer.json);
