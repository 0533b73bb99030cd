/**
 * The documents of hosted pages, which redirectors serve from memory: rendered and compressed when a page is published. A
 * page that cannot be held (deleted, too large, or with pictures that could not be looked up) is a document without
 * contents: the control plane answers.
 */
import { LRUCache } from 'lru-cache';
import { pageDocumentId, pageDocuments } from '#schemas/documents.ts';
import {
  type PageDocument,
  type ServedContent,
  type ServedKind,
  servedBytesMax,
  servedLengthMax,
} from '#schemas/page-document.ts';
import { ClientError } from '#shared/errors.ts';
import { type Language, languages } from '#shared/languages.ts';
import type { Queryable } from '../../../db/pool.ts';
import { othersTurn } from '../../../http/steps.ts';
import type { SourceOfDocuments } from '../../../publishing/documents.ts';
import type { HostedPage } from '../hosted-page.ts';
import type { PageKind } from '../page-kind.ts';
import { createDocument, type ServedDocument } from './documents.ts';
import { createHeldDocuments } from './held-documents.ts';
import type { PageLanguages } from './page-languages.ts';
import { type FoundPage, findPageStates, findPages, type PageState } from './page-rows.ts';
import { pausedPage } from './refusals.ts';
import type { Rendered, Rendering } from './rendering.ts';

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
  kindOf(kind: ServedKind): KindOfPage | undefined;
}

const lengthOf = ({ content, contents = {} }: Contents): number =>
  [content, ...Object.values(contents)].reduce((sum, each) => sum + (each?.brotli.length ?? 0), 0);

const toContent = async (document: ServedDocument): Promise<ServedContent | undefined> => {
  const {
    parts: [html],
  } = await document.bodyOf('identity', '');
  const { parts, encoding } = await document.bodyOf('br', '');
  // Brotli makes every page smaller that is worth holding.
  if (!html || html.length > servedBytesMax || encoding !== 'br') return undefined;
  return {
    tag: document.tagOf(''),
    policy: document.contentSecurityPolicy,
    bytes: html.length,
    brotli: Buffer.concat(parts).toString('base64'),
  };
};

/** @returns undefined if one of them cannot be held */
const inEachLanguage = async (
  render: (language: Language) => Promise<ServedContent | undefined>,
): Promise<Contents | undefined> => {
  const contents: Partial<Record<Language, ServedContent>> = {};
  for (const language of languages) {
    const content = await render(language);
    if (!content || lengthOf({ contents }) + content.brotli.length > servedLengthMax) return undefined;
    contents[language] = content;
    await othersTurn();
  }
  return { contents };
};

const isRefused = (error: unknown): boolean =>
  error instanceof ClientError && (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE');

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
      return { document: createDocument(paused), isComplete: true };
    }
    // Without a revision it is not kept for control planes: no visitor has asked them for it.
    const held = { page, revision: undefined, documents: createHeldDocuments(() => undefined), ownBytes: 0 };
    return rendering.renderPlain(kind, held, page as HostedPage<never>, language);
  };

  const contentsOf = async (found: FoundPage, kind: KindOfPage): Promise<Contents | undefined> => {
    const render = async (language: Language | undefined): Promise<ServedContent | undefined> => {
      const { document, isComplete } = await renderWith(found, kind, language);
      return isComplete ? toContent(document) : undefined;
    };
    if (!pageLanguages.isTold(kind, found.page as HostedPage<never>)) return inEachLanguage(render);
    const content = await render(undefined);
    return content && content.brotli.length <= servedLengthMax ? { content } : undefined;
  };

  /** Never fails for a page's sake: what the threads refuse now, the control plane shows later. */
  const make = async (found: FoundPage): Promise<PageDocument> => {
    const { page, revision } = found;
    const kind = kindOf(page.kind as ServedKind);
    const { id, version, workspaceId, status } = page;
    const bare = { id: pageDocumentId(id), version, workspaceId, kind: page.kind as ServedKind, status };
    try {
      const contents = kind && (await contentsOf(found, kind));
      if (!contents) return bare;
      const document = { ...bare, ...contents };
      made.set(id, { revision, document });
      return document;
    } catch (error) {
      if (isRefused(error)) return bare;
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
    isIdShaped: (id) => /^page:(?:page|menu)_[1-9A-HJ-NP-Za-km-z]{16}$/.test(id),
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
      // One after the other: each takes milliseconds, and others have their turn.
      for (const found of missing.length > 0 ? (await findPages(db, missing)).values() : []) {
        documents.push(await make(found));
        await othersTurn();
      }
      return documents;
    },
  };
};
