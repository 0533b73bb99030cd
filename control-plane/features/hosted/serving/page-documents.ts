/**
 * The documents of hosted pages, which redirectors serve from memory: rendered and compressed when a page is published. A
 * page that cannot be held (deleted, too large, or with pictures that could not be looked up) is a document without
 * contents: the control plane answers.
 */
import { LRUCache } from 'lru-cache';
import { pageDocumentId, pageDocuments } from '#schemas/documents.ts';
import {
  type HostedKind,
  type PageDocument,
  type ServedContent,
  servedBytesMax,
  servedLengthMax,
} from '#schemas/page-document.ts';
import { ClientError } from '#shared/errors.ts';
import { type Language, languages } from '#shared/languages.ts';
import { compressWhole } from '../../../api/http/compress-whole.ts';
import { yieldToOthers } from '../../../api/http/steps.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import type { SourceOfDocuments } from '../../../publishing/documents.ts';
import type { HostedPage } from '../hosted-page.ts';
import type { PageKind } from '../page-kind.ts';
import type { PageLanguages } from './page-languages.ts';
import { type FoundPage, findPageStates, findPages, type PageState } from './page-rows.ts';
import { pausedPage } from './refusals.ts';
import type { Rendered, Rendering } from './rendering.ts';
import { createServedPage, type ServedPage } from './served-page.ts';

/** The page is too large to be held. */
class TooLarge extends Error {
  override name = 'TooLarge';
}

/** An upload of the page could not be looked up. */
class Incomplete extends Error {
  override name = 'Incomplete';
}

/** In characters of documents. A redirector that compares a page it holds with the truth finds most of them here. */
const madeLengthMax = 32 * 2 ** 20;

type KindOfPage = PageKind<never>;
type Contents = Pick<PageDocument, 'content' | 'contents'>;

interface Made {
  revision: string;
  document: PageDocument;
}

export interface PageDocumentsOptions {
  rendering: Rendering;
  pageLanguages: PageLanguages;
  /** The kinds that features have added. */
  kindOf(kind: HostedKind): KindOfPage | undefined;
}

const lengthOf = ({ content, contents = {} }: Contents): number =>
  [content, ...Object.values(contents)].reduce((sum, each) => sum + (each?.brotli.length ?? 0), 0);

/** @throws {TooLarge} before it compresses more than {@link servedBytesMax} */
const toContent = async (served: ServedPage): Promise<ServedContent> => {
  // A form has two parts, around what each answer has of its own.
  const { parts } = await served.bodyOf('identity', '');
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (bytes > servedBytesMax) throw new TooLarge();
  const brotli = (await compressWhole(Buffer.concat(parts), 'br', 'once')).toString('base64');
  if (brotli.length > servedLengthMax) throw new TooLarge();
  return {
    tag: served.tagOf(''),
    policy: served.contentSecurityPolicy,
    bytes,
    brotli,
    ...(parts.length > 1 && { filledAt: parts[0]!.length }),
  };
};

/** @throws {TooLarge}, and what `render` throws */
const inEachLanguage = async (render: (language: Language) => Promise<ServedContent>): Promise<Contents> => {
  const contents: Partial<Record<Language, ServedContent>> = {};
  for (const language of languages) {
    contents[language] = await render(language);
    if (lengthOf({ contents }) > servedLengthMax) throw new TooLarge();
    await yieldToOthers();
  }
  return { contents };
};

/** What the threads refuse now, or cannot be shown whole now, the control plane shows later. */
const isForLater = (error: unknown): boolean =>
  error instanceof Incomplete ||
  (error instanceof ClientError && (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE'));

export const createPageDocuments = (options: PageDocumentsOptions): SourceOfDocuments<PageDocument> => {
  const { rendering, pageLanguages, kindOf } = options;
  const made = new LRUCache<string, Made>({
    maxSize: madeLengthMax,
    sizeCalculation: ({ document }) => 1_000 + lengthOf(document),
  });

  const renderWith = async (
    { page }: FoundPage,
    kind: KindOfPage,
    language: Language | undefined,
  ): Promise<Rendered> => {
    if (page.status === 'paused') {
      const paused = pausedPage(page, language ?? kind.languageOf?.(page as HostedPage<never>) ?? 'en');
      return { served: createServedPage(paused), isComplete: true };
    }
    return rendering.renderPlain(kind, page as HostedPage<never>, language);
  };

  /** @throws {TooLarge}, {Incomplete}, and what the threads throw */
  const contentsOf = async (found: FoundPage, kind: KindOfPage): Promise<Contents> => {
    const render = async (language: Language | undefined): Promise<ServedContent> => {
      const { served, isComplete } = await renderWith(found, kind, language);
      if (!isComplete) throw new Incomplete();
      return toContent(served);
    };
    if (!pageLanguages.hasOwnLanguage(kind, found.page as HostedPage<never>)) return inEachLanguage(render);
    return { content: await render(undefined) };
  };

  const make = async (found: FoundPage): Promise<PageDocument> => {
    const { page, revision } = found;
    const kind = kindOf(page.kind);
    const { id, version, workspaceId, status } = page;
    const bare = { id: pageDocumentId(id), version, workspaceId, kind: page.kind, status };
    const keep = (document: PageDocument): PageDocument => {
      made.set(id, { revision, document });
      return document;
    };
    if (!kind) return bare;
    try {
      return keep({ ...bare, ...(await contentsOf(found, kind)) });
    } catch (error) {
      // It stays so until it is changed: it is not rendered for each redirector that asks.
      if (error instanceof TooLarge) return keep(bare);
      if (isForLater(error)) return bare;
      throw error;
    }
  };

  const bareOf = ({ id, version, workspaceId, kind }: PageState): PageDocument => ({
    id: pageDocumentId(id),
    version,
    workspaceId,
    kind,
    status: 'active',
  });

  return {
    ...pageDocuments,
    isIdShaped: (id) => /^page:(?:page|menu|form)_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
    async build(db: Queryable, documentIds) {
      const ids = documentIds.map((id) => id.slice(pageDocuments.prefix.length));
      const documents: PageDocument[] = [];
      const missing: string[] = [];
      for (const state of await findPageStates(db, ids)) {
        const known = made.get(state.id);
        if (state.isDeleted) documents.push(bareOf(state));
        else if (known?.revision === state.revision) documents.push(known.document);
        else missing.push(state.id);
      }
      // One after the other: each takes milliseconds, and others are served between two.
      for (const found of missing.length > 0 ? (await findPages(db, missing)).values() : []) {
        documents.push(await make(found));
        await yieldToOthers();
      }
      return documents;
    },
  };
};
