/** Hosted pages as redirectors serve them, and the views of them that redirectors report. */
import { z } from 'zod';

export const hostedKinds = ['landing_page', 'form', 'menu'] as const;
export type HostedKind = (typeof hostedKinds)[number];

/** One HTML document of a page. */
const servedContent = z.object({
  /** The entity tag, without quotes. */
  tag: z.string(),
  /** Content-Security-Policy. */
  policy: z.string(),
  /** Of the HTML, in UTF-8. */
  bytes: z.number().int().nonnegative(),
  /** The HTML, compressed by Brotli, in base64. */
  brotli: z.string(),
  /** In a form: after so many bytes of the HTML each answer has a token of its own (shared/form-token.ts). */
  filledAt: z.number().int().nonnegative().optional(),
});
export type ServedContent = z.infer<typeof servedContent>;

export const pageDocument = z.object({
  /** `page:` and the id of the page. */
  id: z.string(),
  /** As in `code-record.ts`. */
  version: z.number().int().positive(),
  workspaceId: z.string(),
  kind: z.enum(hostedKinds),
  /** The page of a paused one says so, and has the status 404. */
  status: z.enum(['active', 'paused']),
  /** For every visitor. */
  content: servedContent.optional(),
  /** In its place, if the language of the page's own texts is unclear: by the visitor's language (`Language`). */
  contents: z.record(z.string(), servedContent).optional(),
});
/** With neither `content` nor `contents`, the control plane answers: the page is deleted, or too large to be held. */
export type PageDocument = z.infer<typeof pageDocument>;

/** In characters of Brotli's base64, of all languages: 96 KB. A lookup has some of them at once. */
export const servedLengthMax = 128 * 2 ** 10;
/** In bytes of the HTML of one language: a client without Brotli has it decompressed. */
export const servedBytesMax = 2 ** 20;

/** A person's view of a page. */
export const reportedView = z.object({
  /** Of the page. */
  id: z.string().regex(/^(page|menu|form)_[1-9A-HJ-NP-Za-km-z]{16}$/),
});
export type ReportedView = z.infer<typeof reportedView>;

const nouns: Readonly<Record<HostedKind, string>> = {
  landing_page: 'landing page',
  form: 'form',
  menu: 'menu',
};

/** What a program reads of a page that does not exist … */
export const unknownPageMessage = (kind: HostedKind): string => `There is no ${nouns[kind]} with this id`;
/** … and of one that is paused. */
export const pausedPageMessage = (kind: HostedKind): string => `The ${nouns[kind]} is paused`;
