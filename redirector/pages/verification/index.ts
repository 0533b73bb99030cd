/**
 * The page that a buyer sees after scanning a serialized code. The parts that do not depend on an item are rendered
 * once per language; that is the whole page if the verdict needs no lookup.
 */
import { STATUS_CODES } from 'node:http';
import { html } from 'hono/html';
import { LRUCache } from 'lru-cache';
import type { ItemMark, VerificationAnswer } from '#schemas/verification.ts';
import { type ErrorCode, errorBody, errorStatus } from '#shared/errors.ts';
import type { Language } from '#shared/languages.ts';
import { filled } from '#shared/pages/filled.ts';
import type { Html } from '#shared/pages/html.ts';
import { wordsOf } from '#shared/pages/words.ts';
import type { Answer } from '../answers.ts';
import { jsonPage, type PageHeaders } from '../layout.ts';
import { shownText } from '../owner-text.ts';
import type { Page } from '../page.ts';
import { productCard, scansCard, timeOf } from './cards.ts';
import { createFormats, type Formats } from './formats.ts';
import { type BatchFace, shownBatchOf } from './shown-batch.ts';
import { waysOf } from './ways.ts';
import { createWholePage } from './whole-page.ts';
import type { VerificationState, VerificationWords } from './words.ts';

export interface VerificationView {
  /** The visitor's. */
  language: Language;
  /** When the code was verified, in milliseconds since 1970. */
  atMs: number;
  /** Of a known item. */
  batch?: BatchFace | undefined;
}

export interface VerificationPages {
  /** 200, or 404 if the code is not genuine or not known. Its texts may be anything. */
  verificationPage(answer: VerificationAnswer, view: VerificationView): Page;
  /** 503: the code is genuine, but cannot be verified now. */
  readonly unavailable: Answer;
  /** 200 without a verdict, for bots, link previews and HEAD. */
  readonly neutral: Answer;
  /** 429. The server adds Retry-After and the RateLimit headers. */
  readonly rateLimited: Answer;
}

/** The states of known items, whose pages have details of the item. */
const itemStates = ['authentic', 'scannedBefore', 'sameDevice', 'recalled', 'stolen', 'returned'] as const;
type ItemState = (typeof itemStates)[number];

/**
 * What the owner says comes before every verdict, which is then shown below it: the mark on the item, or the notice on its batch.
 * A returned item of a recalled batch is recalled.
 */
const saidByOwner = ({ notice, mark }: VerificationAnswer): ItemMark | undefined =>
  (mark === 'returned' ? (notice ?? mark) : (mark ?? notice)) ?? undefined;

const stateOf = (answer: VerificationAnswer): ItemState => {
  const said = saidByOwner(answer);
  if (said !== undefined) return said;
  if (answer.verdict === 'authentic') return 'authentic';
  return answer.sameDevice ? 'sameDevice' : 'scannedBefore';
};

/** Created when a language is first asked for: on most hosts a process serves few languages. */
const byLanguage = <T>(create: (language: Language) => T): ((language: Language) => T) => {
  const made = new Map<Language, T>();
  return (language) => {
    let one = made.get(language);
    if (one === undefined) {
      one = create(language);
      made.set(language, one);
    }
    return one;
  };
};

/**
 * What the scans say, below what the owner says: it does not matter there whether the device is the same. A marked item that
 * was never claimed has none.
 */
const noticeLine = (answer: VerificationAnswer, ago: string, words: VerificationWords, formats: Formats) => {
  const { verdict, firstScannedAt, scanCount } = answer;
  if (verdict === 'marked') return undefined;
  if (verdict === 'authentic') return words.noticeFirst;
  if (firstScannedAt === undefined) return words.scannedBefore.title;
  return scanCount === undefined
    ? filled(words.noticeBefore, { ago })
    : filled(words.noticeCount, { ago, count: formats.number(scanCount) });
};

/** Whether to warn of a copy. The advice about a returned item does so already. */
const mayBeCopy = ({ verdict }: VerificationAnswer, state: ItemState): boolean =>
  verdict === 'already_scanned' && state !== 'sameDevice' && state !== 'returned';

const noFace: BatchFace = {};

/** A date in a sentence. */
const checkedOn = (atMs: number, words: VerificationWords, formats: Formats): Html => {
  const [before, after] = words.checkedOn.split('{date}');
  return html`${before}${timeOf(atMs, formats)}${after}`;
};

/** Renders the pages of items in one language. */
const createItemPages = (language: Language, host: string) => {
  const words = wordsOf[language].verification;
  const formats = createFormats(language);
  const pages = new Map(
    itemStates.map((state) => [state, createWholePage({ state, language, host, hasTimes: true })]),
  );

  return (answer: VerificationAnswer, { atMs, batch = noFace }: VerificationView): Page => {
    const state = stateOf(answer);
    const isFirst = answer.verdict === 'authentic';
    const face = shownBatchOf(batch);
    const brand = shownText(answer.brandName);
    const product = productCard(answer, face.image, brand, words);
    const scans = scansCard(answer, atMs, words, formats);
    const firstLine = isFirst ? words.firstNow : undefined;
    const ago = formats.ago(Math.max(0, atMs - (answer.firstScannedAt ?? atMs))) ?? words.justNow;
    return pages.get(state)!('200 OK', {
      title: filled(words[state].title, { ago }),
      brand,
      subject: shownText(answer.productName),
      scans: saidByOwner(answer) ? noticeLine(answer, ago, words, formats) : firstLine,
      copyWarning: mayBeCopy(answer, state) ? words.copyWarning : undefined,
      // The card that the verdict rests on comes first.
      cards: state === 'scannedBefore' || state === 'sameDevice' ? [scans, product] : [product, scans],
      ways: waysOf(state, face, brand, wordsOf[language]),
      checked: checkedOn(atMs, words, formats),
    });
  };
};

const statusOf = (code: ErrorCode): string => `${errorStatus[code]} ${STATUS_CODES[errorStatus[code]]}`;

/**
 * @param host as the address bar shows it: QR_HOST, or a verified domain. Never the host of the request, which a copy
 * of the page could choose
 */
export const createVerificationPages = (host: string): VerificationPages => {
  const fixed = (state: VerificationState, status: string, headers: PageHeaders = []) =>
    byLanguage((language) =>
      createWholePage({ state, language, host, headers })(status, {
        title: wordsOf[language].verification[state].title,
      }),
    );
  const answersOf = (
    state: VerificationState,
    status: string,
    json: unknown,
    headers: PageHeaders = [],
  ): Answer => ({ page: fixed(state, status, headers), json: jsonPage(status, json, headers) });
  const failure = (state: VerificationState, code: ErrorCode, message: string, headers?: PageHeaders) =>
    answersOf(state, statusOf(code), errorBody(code, message), headers);

  const itemPages = byLanguage((language) => createItemPages(language, host));
  const notGenuine = fixed('notGenuine', statusOf('NOT_FOUND'));
  const notKnown = fixed('notKnown', statusOf('NOT_FOUND'));
  const unavailable = failure(
    'unavailable',
    'UNAVAILABLE',
    'The item cannot be verified at the moment, which says nothing about it',
    [['Retry-After', '2']],
  );
  const neutral = answersOf('neutral', '200 OK', { verdict: null });
  const rateLimited = failure('rateLimited', 'RATE_LIMITED', 'Too many verifications from this address');

  return {
    verificationPage(answer, view) {
      const { language } = view;
      if (answer.verdict === 'not_genuine') return notGenuine(language);
      if (answer.verdict === 'not_known') return notKnown(language);
      return itemPages(language)(answer, view);
    },
    unavailable,
    neutral,
    rateLimited,
  };
};

/** Hosts whose pages are cached. The pages of a language take 150 kB. */
const hostsMax = 50;

/** The pages of the requested host. @param domain of a workspace, verified; undefined: QR_HOST */
export type VerificationPagesOf = (domain: string | undefined) => VerificationPages;

/** @param ownHost the host of QR_HOST */
export const createVerificationPagesOf = (ownHost: string): VerificationPagesOf => {
  const own = createVerificationPages(ownHost);
  const ofDomains = new LRUCache<string, VerificationPages>({ max: hostsMax });
  return (domain) => {
    if (domain === undefined) return own;
    let pages = ofDomains.get(domain);
    if (pages === undefined) {
      pages = createVerificationPages(domain);
      ofDomains.set(domain, pages);
    }
    return pages;
  };
};
