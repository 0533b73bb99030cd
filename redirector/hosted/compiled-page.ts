/** A page's document, compiled once for all of its views. */
import type { PageDocument, ServedContent } from '#schemas/page-document.ts';
import type { JoinAround } from '#shared/gzip-around.ts';
import { acceptedLanguage, type Language } from '#shared/languages.ts';
import { createMemo } from '#shared/memo.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** The page in one language. */
export interface CompiledContent {
  readonly brotli: Buffer;
  readonly filledAt: number | undefined;
  /** Of a form, as gzip around the token of each answer: made with the first one. */
  join?: JoinAround;
  /** Of the HTML. */
  readonly bytes: number;
  readonly etag: string;
  /** Of every answer with this content, also of a 304: the browser takes them in place of its own. */
  readonly headers: Headers;
}

type Contents = PageDocument['contents'];

/** Browsers send a handful of different headers. */
const headersMax = 500;
/** Longer ones are no browser's. */
const headerLengthMax = 200;
const accepted = createMemo(headersMax, acceptedLanguage);
const languageFor = (header: string): Language =>
  header.length > headerLengthMax ? acceptedLanguage(header) : accepted.get(header);

/** Of a form: no two answers are the same. */
const formHeaders = (vary: string): Headers => [
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Cache-Control', 'no-cache'],
  ['Vary', `Accept-Encoding${vary}`],
];

/** Of a page in force: the browser asks whether it is still the same. */
const activeHeaders = (etag: string, vary: string): Headers => [['ETag', etag], ...formHeaders(vary)];

/** Of the page of a paused one. */
const pausedHeaders: Headers = [
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store'],
  ['Vary', 'Accept, Accept-Encoding, Accept-Language'],
];

const stateHeaders = (
  { status, kind }: Pick<PageDocument, 'status' | 'kind'>,
  etag: string,
  vary: string,
): Headers => {
  if (status === 'paused') return pausedHeaders;
  return kind === 'form' ? formHeaders(vary) : activeHeaders(etag, vary);
};

const compileContent = (
  { tag, policy, bytes, brotli, filledAt }: ServedContent,
  { status, content, kind }: PageDocument,
): CompiledContent => {
  // A weak one: it names the page, in whatever encoding it is sent.
  const etag = `W/"${tag}"`;
  const headers: Headers = [
    ['Content-Security-Policy', policy],
    ['X-Content-Type-Options', 'nosniff'],
    // The headers of a request that decide about its answer (RFC 9110, section 12.5.5).
    ...stateHeaders({ status, kind }, etag, content ? '' : ', Accept-Language'),
  ];
  return { brotli: Buffer.from(brotli, 'base64'), bytes, filledAt, etag, headers };
};

const compiled = new WeakMap<ServedContent, CompiledContent>();

/**
 * The page in the language of its texts, or in the visitor's.
 * @param acceptLanguage the header
 * @returns undefined if the control plane has to answer
 */
export const contentFor = (document: PageDocument, acceptLanguage: string): CompiledContent | undefined => {
  const contents: Contents = document.contents;
  const content = document.content ?? contents?.[languageFor(acceptLanguage)] ?? contents?.en;
  if (!content) return undefined;
  let known = compiled.get(content);
  if (known === undefined) {
    known = compileContent(content, document);
    compiled.set(content, known);
  }
  return known;
};
