/** Answers scans, with the address limit's headers, and counts the outcomes. */
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Logger } from '#shared/logger.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import { createRateLimitHeaders } from '../limits/address-limit-headers.ts';
import {
  type About,
  type Answer,
  answers,
  type PageContext,
  pageOf,
  redirectPage,
  renderPage,
} from '../pages/index.ts';
import type { Page } from '../pages/page.ts';
import { type Leading, noOutcomes, type Outcome, type TurnedAway } from './outcome.ts';
import { previewPageOf } from './preview.ts';
import { createRedirectHead } from './redirect-head.ts';
import type { ScanRequest } from './request.ts';

type Headers = [name: string, value: string][];

export interface ScanAnswers {
  readonly statistics: Readonly<Record<Outcome, number>>;
  /** Answers now, with a page shared by all codes. */
  send(request: ScanRequest, outcome: Outcome, answer: Answer, headers?: Headers): void;
  /** Answers 404 now: the code does not exist where it was scanned. */
  refuseUnknown(request: ScanRequest): void;
  /** Answers now, with the form for the code's password. @param failed whether a wrong one was given */
  askPassword(request: ScanRequest, failed: boolean): void;
  /** Answers now. People are sent to the URL of the decision if it has one; programs are not. */
  turnAway(request: ScanRequest, decision: TurnedAway): void;
  /** Answers now, with what a scan would lead to; leads people nowhere. */
  preview(request: ScanRequest, record: CodeRecord): void;
  /** Answers now that the cap is reached: with 410, or people with the URL of the code's end, or of its domain. */
  sendCapped(request: ScanRequest, record: CodeRecord): void;
  /** Answers 429 now: the address has scanned too often. */
  refuse(request: ScanRequest): void;
  /**
   * The one guard behind every scan: any exception, at once or after an await, costs this scan a 503 and no other scan
   * anything. It uses neither the address limit nor the recorder, since they may be what threw.
   */
  fail(request: ScanRequest, error: unknown): void;
  /** Prepares the answer of a scan that leads somewhere; the recorder releases it. */
  prepare(request: ScanRequest, decision: Leading, redirectStatus: string): void;
}

const withHeaders = (page: Page, headers: Headers): Page =>
  headers.length === 0 ? page : { ...page, headers: [...page.headers, ...headers] };

const aboutOf = ({ id, brand, messages, site }: ScanRequest): About => ({
  codeId: id,
  brand,
  messages,
  host: site?.domain,
});

const contextOf = (request: ScanRequest): PageContext => ({
  path: request.path(),
  reader: request.reader(),
  about: aboutOf(request),
  os: request.visit.userAgent.os,
});

/** Without the id: a flood of invented ones has the same page. */
const unknownPageOf = (request: ScanRequest): Page => {
  const { site } = request;
  const reader = request.reader();
  const answer = site ? answers.nothingHere : answers.unknown;
  return site?.notFoundUrl === undefined || reader === 'program'
    ? pageOf(answer, reader, { brand: site?.brand(), host: site?.domain })
    : redirectPage(site.notFoundUrl);
};

/** Neutral: of its owner it shows nothing, and leads nowhere. */
const suspendedPageOf = (request: ScanRequest): Page =>
  pageOf(answers.suspended, request.reader(), { codeId: request.id });

/** @param qrHost the origin of QR_HOST, where codes are reported */
export const createScanAnswers = (
  addressLimit: AddressLimit,
  logger: Logger,
  qrHost: string,
): ScanAnswers => {
  const rateLimit = createRateLimitHeaders(addressLimit.limit, addressLimit.windowMs);
  const redirectHead = createRedirectHead(rateLimit);
  const statistics = noOutcomes();

  /** Counts the scan against its address. @returns the rate limit headers */
  const countedHeaders = ({ visit: { address, atMs } }: ScanRequest): Headers => [
    ['RateLimit-Policy', rateLimit.policy],
    ['RateLimit', rateLimit.value(addressLimit.count(address, atMs), atMs)],
  ];

  /** 4xx answers are not counted against the address; all others are. */
  const sendPage = (request: ScanRequest, outcome: Outcome, page: Page): void => {
    statistics[outcome]++;
    request.reply.send(page.status.startsWith('4') ? page : withHeaders(page, countedHeaders(request)));
  };

  const send: ScanAnswers['send'] = (request, outcome, answer, headers = []) =>
    sendPage(request, outcome, withHeaders(pageOf(answer, request.reader(), aboutOf(request)), headers));

  /** The code's own URL comes first, then its owner's words for this code, and then the URL of the domain. */
  const endUrlOf = (
    { messages, site }: ScanRequest,
    end: 'inactive' | 'expired' | 'capped',
    own?: string,
  ): string | undefined => own ?? (messages?.[end] ? undefined : site?.expiredUrl);

  /** The answer, or for people a redirect to the URL that is set in its place. */
  const sendOrLead = (
    request: ScanRequest,
    outcome: Outcome,
    answer: Answer,
    url: string | undefined,
  ): void =>
    url === undefined || request.reader() === 'program'
      ? send(request, outcome, answer)
      : sendPage(request, outcome, redirectPage(url));

  const askPassword = (request: ScanRequest, failed: boolean): void =>
    sendPage(
      request,
      failed ? 'wrong_password' : 'password',
      renderPage({ kind: 'password' }, { ...contextOf(request), failed }),
    );

  return {
    statistics,
    send,
    refuseUnknown: (request) => sendPage(request, 'unknown', unknownPageOf(request)),
    askPassword,
    turnAway(request, decision) {
      const { kind } = decision;
      if (kind === 'suspended') sendPage(request, kind, suspendedPageOf(request));
      // No owner words it, and no URL takes its place.
      else if (kind === 'inactive' && decision.erased) send(request, kind, answers.erased);
      else if (kind === 'inactive') sendOrLead(request, kind, answers.inactive, endUrlOf(request, kind));
      else if (kind === 'password') askPassword(request, false);
      else if (kind === 'expired')
        sendOrLead(request, kind, answers.expired, endUrlOf(request, kind, decision.url));
      else sendOrLead(request, kind, answers.notStarted, decision.url);
    },
    preview: (request, record) => sendPage(request, 'preview', previewPageOf(request, record, qrHost)),
    sendCapped: (request, { expiredUrl }) =>
      sendOrLead(request, 'capped', answers.capped, endUrlOf(request, 'capped', expiredUrl)),
    refuse(request) {
      const { atMs } = request.visit;
      send(request, 'limited', answers.tooManyScans, [
        ['RateLimit-Policy', rateLimit.policy],
        ['RateLimit', rateLimit.value(0, atMs)],
        ['Retry-After', String(rateLimit.resetS(atMs))],
      ]);
    },
    fail(request, error) {
      statistics.failed++;
      logger.error({ err: error, id: request.id }, 'could not answer a scan');
      request.reply.send(pageOf(answers.unavailable, request.reader(), aboutOf(request)));
    },
    prepare(request, decision, redirectStatus) {
      const { reply, visit } = request;
      statistics[decision.kind]++;
      if (decision.kind === 'redirect') {
        const remaining = addressLimit.count(visit.address, visit.atMs);
        reply.prepareRedirect(redirectHead(redirectStatus, remaining, visit.atMs), decision.location);
      } else {
        reply.preparePage(withHeaders(renderPage(decision, contextOf(request)), countedHeaders(request)));
      }
    },
  };
};
