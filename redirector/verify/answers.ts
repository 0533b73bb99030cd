/**
 * Answers verifications: a page for browsers, JSON for programs, each with the headers of the address limit. If the
 * head is the same for every item, it is built once and written as the status line: that saves eight calls to the
 * server, 2 µs of the answer to a forgery.
 */

import { STATUS_CODES } from 'node:http';
import { type BatchRecord, refusalTexts, type VerificationAnswer } from '#schemas/verification.ts';
import { type ClientError, type ErrorCode, errorBody, errorStatus } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { shortened } from '#shared/quoted.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import { createRateLimitHeaders } from '../limits/address-limit-headers.ts';
import { type Answer, pageOf } from '../pages/answers.ts';
import { jsonPage } from '../pages/layout.ts';
import type { Page } from '../pages/page.ts';
import type { VerificationPages, VerificationPagesOf } from '../pages/verification/index.ts';
import { noVerifications, type VerificationOutcome } from './outcome.ts';
import type { VerificationRequest } from './request.ts';

export interface VerificationAnswers {
  readonly statistics: Readonly<Record<VerificationOutcome, number>>;
  /** Answers now. @param batch of a known item: only the page shows its picture and links */
  verdict(request: VerificationRequest, answer: VerificationAnswer, batch?: BatchRecord): void;
  /** Answers now, without a verdict because no person has looked. */
  neutral(request: VerificationRequest): void;
  /** Answers 503 now. */
  unavailable(request: VerificationRequest, outcome: 'prefetched' | 'unavailable' | 'unknown_key'): void;
  /** Answers 429 now: the address has asked too often. */
  refuse(request: VerificationRequest): void;
  /** Answers a POST whose body is not a verification. */
  invalid(request: VerificationRequest, error: ClientError): void;
  /** The guard behind every verification: any error costs this one a 503. */
  fail(request: VerificationRequest, error: unknown): void;
}

const statusLine = (code: ErrorCode): string => `${errorStatus[code]} ${STATUS_CODES[errorStatus[code]]}`;

/** Answers for programs that are the same for every item, built once. */
const refusedAs = (verdict: keyof typeof refusalTexts): Page =>
  jsonPage(statusLine('NOT_FOUND'), { verdict, ...errorBody('NOT_FOUND', refusalTexts[verdict]) });

const fixedJson = { not_genuine: refusedAs('not_genuine'), not_known: refusedAs('not_known') };

const jsonOf = (answer: VerificationAnswer): Page =>
  answer.verdict === 'not_genuine' || answer.verdict === 'not_known'
    ? fixedJson[answer.verdict]
    : jsonPage('200 OK', answer);

/** The answer to a method that a verification does not have. */
export const methodNotAllowed = jsonPage(
  statusLine('METHOD_NOT_ALLOWED'),
  errorBody('METHOD_NOT_ALLOWED', 'Only GET and HEAD are allowed'),
  [['Allow', 'GET, HEAD']],
);

const postMethods = [['Allow', 'POST, OPTIONS']] as const;

/** The answer to OPTIONS at `/api/verify/serial`. */
export const postAllowed: Page = { status: '204 No Content', headers: postMethods, body: Buffer.alloc(0) };

/** The answer to any other method at this path, identical to the control plane's. */
export const onlyPostAllowed = (method: string): Page =>
  jsonPage(
    statusLine('METHOD_NOT_ALLOWED'),
    errorBody(
      'METHOD_NOT_ALLOWED',
      `The method ${shortened(method)} is not allowed at this path; allowed are POST, OPTIONS`,
    ),
    postMethods,
  );

/** Status line and headers as one text, built once per page. */
const createHeads = () => {
  const heads = new WeakMap<Page, string>();
  return (page: Page): string => {
    let head = heads.get(page);
    if (head === undefined) {
      head = [page.status, ...page.headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
      heads.set(page, head);
    }
    return head;
  };
};

/** @param limit of verifications */
export const createVerificationAnswers = (
  limit: Pick<AddressLimit, 'limit' | 'windowMs'>,
  pagesOf: VerificationPagesOf,
  logger: Logger,
): VerificationAnswers => {
  const rateLimit = createRateLimitHeaders(limit.limit, limit.windowMs);
  const headOf = createHeads();
  const statistics = noVerifications();

  const withLimit = (page: Page, remaining: number, atMs: number, more = ''): Page => ({
    status: `${headOf(page)}\r\nRateLimit-Policy: ${rateLimit.policy}\r\nRateLimit: ${rateLimit.value(remaining, atMs)}${more}`,
    headers: [],
    body: page.body,
  });

  const counted = ({ visit, remaining }: VerificationRequest, page: Page): Page =>
    withLimit(page, remaining, visit.atMs);

  const pagesFor = ({ site }: VerificationRequest): VerificationPages => pagesOf(site?.domain);

  const shown = (request: VerificationRequest, answer: Answer): Page => pageOf(answer, request.reader());

  const verdictPage = (
    request: VerificationRequest,
    answer: VerificationAnswer,
    batch: BatchRecord | undefined,
  ): Page => {
    statistics[answer.verdict]++;
    const { atMs } = request.visit;
    const reader = request.reader();
    const page =
      reader === 'program'
        ? jsonOf(answer)
        : pagesFor(request).verificationPage(answer, { language: reader, atMs, batch });
    return counted(request, page);
  };

  return {
    statistics,
    verdict: (request, answer, batch) => request.reply.send(verdictPage(request, answer, batch)),
    neutral(request) {
      statistics.neutral++;
      request.reply.send(counted(request, shown(request, pagesFor(request).neutral)));
    },
    unavailable(request, outcome) {
      statistics[outcome]++;
      request.reply.send(counted(request, shown(request, pagesFor(request).unavailable)));
    },
    refuse(request) {
      statistics.limited++;
      const { atMs } = request.visit;
      const page = shown(request, pagesFor(request).rateLimited);
      request.reply.send(withLimit(page, 0, atMs, `\r\nRetry-After: ${rateLimit.resetS(atMs)}`));
    },
    invalid(request, { code, message, details }) {
      statistics.invalid++;
      const body = { ...errorBody(code, message), ...(details && { details }) };
      request.reply.send(counted(request, jsonPage(statusLine(code), body)));
    },
    fail(request, error) {
      statistics.failed++;
      logger.error({ err: error }, 'could not answer a verification');
      request.reply.send(counted(request, shown(request, pagesFor(request).unavailable)));
    },
  };
};
