/**
 * Serves hosted pages from memory:
 *
 *   address limit → document ─┬─ none, or none that is held: the control plane answers
 *                             ├─ the browser has it: 304
 *                             └─ the page; the view of a person is stored first, and counts exactly once
 *
 * The change stream drops the document of a page that is changed, paused or deleted.
 */
import { type PageDocument, pausedPageMessage } from '#schemas/page-document.ts';
import type { Encoding } from '#shared/accept-encoding.ts';
import { listsTag } from '#shared/entity-tags.ts';
import { errorBody } from '#shared/errors.ts';
import { formTokenField, type Tokens } from '#shared/form-token.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import { createRateLimitHeaders } from '../limits/address-limit-headers.ts';
import { answers, fullAnswer, jsonPage, pageOf, type Reader } from '../pages/index.ts';
import type { Page } from '../pages/page.ts';
import type { PendingAnswer } from '../recording/recorder.ts';
import type { Visit } from '../scan/visit.ts';
import { type CompiledContent, contentFor } from './compiled-page.ts';
import { canEncode, encode, encodeFilled, encodingFor } from './recode.ts';

export const pageOutcomes = ['served', 'not_modified', 'paused', 'limited', 'passed'] as const;
export type PageOutcome = (typeof pageOutcomes)[number];

/** A request for a page, whose headers may be read until the handler of the request returns. */
export interface PageRequest {
  readonly id: string;
  readonly visit: Pick<Visit, 'address' | 'atMs' | 'counts'>;
  /** What is left of the address's limit. */
  remaining: number;
  /** The workspace of the domain that it is for; undefined: QR_HOST. */
  readonly workspaceId: string | undefined;
  header(name: string): string;
  reader(): Reader;
}

export interface PageReply extends PendingAnswer {
  preparePage(page: Page): void;
  send(page: Page): void;
}

export interface PageServer {
  /** Counts the request. @returns the refusal if the address has asked for too many pages */
  refusalOf(request: PageRequest): Page | undefined;
  /**
   * Whether this process answers; otherwise the control plane does.
   * @param document null if no page has the id
   */
  takes(request: PageRequest, document: PageDocument | null): document is PageDocument;
  /** @param document that it takes */
  answer(request: PageRequest, document: PageDocument, reply: PageReply): void;
  /** The control plane answers. */
  passed(): void;
  readonly statistics: Readonly<Record<PageOutcome, number>>;
}

export interface PageServerParts {
  addressLimit: Pick<AddressLimit, 'limit' | 'windowMs' | 'allows' | 'count'>;
  /** Stores the view of a page, and releases its answer then. */
  recordView(pageId: string, reply: PendingAnswer): void;
  /** Of forms. */
  tokens: Pick<Tokens, 'create'>;
  /** Whether QR_HOST is reached over https. */
  secure: boolean;
  logger: Logger;
}

const hsts = ['Strict-Transport-Security', 'max-age=31536000'] as const;
const html = ['Content-Type', 'text/html; charset=utf-8'] as const;

export const createPageServer = ({
  addressLimit,
  recordView,
  tokens,
  secure,
  logger,
}: PageServerParts): PageServer => {
  const statistics = Object.fromEntries(pageOutcomes.map((outcome) => [outcome, 0])) as Record<
    PageOutcome,
    number
  >;
  const rateLimit = createRateLimitHeaders(addressLimit.limit, addressLimit.windowMs);
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));

  const limitHeaders = ({ remaining, visit: { atMs } }: PageRequest) =>
    [
      ['RateLimit-Policy', rateLimit.policy],
      ['RateLimit', rateLimit.value(remaining, atMs)],
      ...(secure ? [hsts] : []),
    ] as const;

  const isCurrent = (request: PageRequest, { etag }: CompiledContent): boolean => {
    const header = request.header('if-none-match');
    return header !== '' && listsTag(header, etag, true);
  };

  /** Sends it once the view is stored, if it is one. */
  const send = (request: PageRequest, isView: boolean, page: Page, reply: PageReply): void => {
    if (!isView || !request.visit.counts) return reply.send(page);
    reply.preparePage(page);
    recordView(request.id, reply);
  };

  /** A token for each view, so that it stores one submission. */
  const fillOf = (request: PageRequest): Buffer => {
    const shown = { shownAt: new Date(request.visit.atMs), referrer: request.header('referer') };
    return Buffer.from(formTokenField(tokens.create(request.id, shown)));
  };

  const bodyOf = (request: PageRequest, content: CompiledContent, encoding: Encoding): Buffer =>
    content.filledAt === undefined
      ? encode(content, encoding)
      : encodeFilled(content, content.filledAt, encoding, fillOf(request));

  const contentOf = (request: PageRequest, document: PageDocument): CompiledContent | undefined =>
    contentFor(document, request.header('accept-language'));

  return {
    statistics,
    refusalOf(request) {
      const { address, atMs } = request.visit;
      if (addressLimit.allows(address, atMs)) {
        request.remaining = addressLimit.count(address, atMs);
        return undefined;
      }
      statistics.limited++;
      const page = pageOf(answers.tooManyPages, request.reader());
      const retry = ['Retry-After', String(rateLimit.resetS(atMs))] as const;
      return { ...page, headers: [...page.headers, ...limitHeaders(request), retry] };
    },
    takes(request, document): document is PageDocument {
      if (!document || (request.workspaceId ?? document.workspaceId) !== document.workspaceId) return false;
      const content = contentOf(request, document);
      return (
        content !== undefined && canEncode(content, encodingFor(content, request.header('accept-encoding')))
      );
    },
    answer(request, document, reply) {
      const content = contentOf(request, document)!;
      const isActive = document.status === 'active';
      if (!isActive && request.reader() === 'program') {
        statistics.paused++;
        const page = jsonPage('404 Not Found', errorBody('NOT_FOUND', pausedPageMessage(document.kind)));
        return reply.send({ ...page, headers: [...page.headers, ...limitHeaders(request)] });
      }
      const headers = [...content.headers, ...limitHeaders(request)];
      if (isActive && document.kind !== 'form' && isCurrent(request, content)) {
        statistics.not_modified++;
        return send(request, true, { status: '304 Not Modified', headers, body: Buffer.alloc(0) }, reply);
      }
      statistics[isActive ? 'served' : 'paused']++;
      const encoding = encodingFor(content, request.header('accept-encoding'));
      const encodings = encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const];
      let body: Buffer;
      try {
        body = bodyOf(request, content, encoding);
      } catch (error) {
        warn('encode', { err: error, pageId: request.id }, 'a hosted page cannot be decompressed');
        return reply.send(pageOf(fullAnswer, request.reader()));
      }
      const status = isActive ? '200 OK' : '404 Not Found';
      // Of forms the submissions are counted.
      const isView = isActive && document.kind !== 'form';
      send(request, isView, { status, headers: [...headers, html, ...encodings], body }, reply);
    },
    passed: () => void statistics.passed++,
  };
};
