/** Serves hosted pages that redirectors do not hold: one cache, and one way to a page, for all kinds. */

import type { HostedKind } from '#schemas/page-document.ts';
import { createMemo } from '#shared/memo.ts';
import { isPrefetch } from '#shared/prefetch.ts';
import { cutUserAgent, parseUserAgent } from '#shared/user-agent.ts';
import {
  type Operation,
  type PublicRequest,
  publicOperation,
  type Reply,
} from '../../../api/http/operation.ts';
import { oncePerProcess } from '../../../framework/feature.ts';
import type { Services } from '../../../framework/services.ts';
import { documentKindsOf } from '../../../publishing/feature.ts';
import type { HostedPage } from '../hosted-page.ts';
import { createLargePages } from '../large/large-pages.ts';
import type { PageKind } from '../page-kind.ts';
import { findImagesOf } from '../uploads/feature.ts';
import { answerPage } from './answer.ts';
import { docsOf } from './docs.ts';
import { requireOnOwnDomain } from './own-domain.ts';
import { createPageDocuments } from './page-documents.ts';
import { createPageLanguages } from './page-languages.ts';
import { createPages, type Pages } from './pages.ts';
import { errorPage, pausedReply, unknownPage } from './refusals.ts';
import { createRendering } from './rendering.ts';
import { createViewCounts, type ViewCounts, viewOutcomes } from './view-counts.ts';
import { addViews } from './view-rows.ts';

const userAgentsMax = 10_000;

/** Tells whether a request is a person's view, as for scans of codes: no HEAD, no crawler or link preview, no prefetch. */
const createViewers = () => {
  const known = createMemo(userAgentsMax, parseUserAgent);
  return ({ method, header }: Pick<PublicRequest<unknown, unknown>, 'method' | 'header'>): boolean => {
    if (method === 'HEAD') return false;
    const userAgent = known.get(cutUserAgent(header('user-agent')));
    return !userAgent.bot && !isPrefetch({ getHeader: header });
  };
};

type Request = PublicRequest<unknown, unknown>;

export interface PageServing {
  /** GET and HEAD of `/{segment}/:id`. */
  operationFor<Content>(kind: PageKind<Content>): Operation;
  /**
   * The page as PostgreSQL has it, also a paused one.
   * @returns undefined if no page of the kind has the id
   * @throws as {@link Pages.get}
   */
  find<Content>(kind: PageKind<Content>, id: string): Promise<HostedPage<Content> | undefined>;
}

/** One for each kind. */
const modulesMax = 10;

const openPages = ({ pool, metrics }: Services): Pages => {
  const pages = createPages(pool);
  metrics.gauge('hosted_pages_held', 'Hosted pages in memory', () => pages.count);
  metrics.gauge('hosted_pages_held_bytes', 'What hosted pages in memory take', () => pages.bytes);
  return pages;
};

const openViews = ({ pool, logger, metrics, onClose }: Services): ViewCounts => {
  const views = createViewCounts({
    add: (batch) => addViews(pool, batch),
    onViews: metrics.counter(
      'hosted_page_views_total',
      'Views of hosted pages by people',
      'what',
      viewOutcomes,
    ),
    logger,
  });
  metrics.gauge('hosted_page_views_waiting', 'Hosted pages whose views wait to be added', () =>
    views.waiting(),
  );
  onClose(() => views.close());
  return views;
};

/** Of forms the submissions are counted. */
const countsViews = ({ kind }: { kind: HostedKind }): boolean => kind !== 'form';

export const createPageServing = (services: Services): PageServing => {
  const { config, metrics, servedDomains } = services;
  const pages = openPages(services);
  const rendering = createRendering({
    qrHost: config.qrHost,
    findImages: findImagesOf(services),
    largePagesOf: createMemo(modulesMax, (module: string) => createLargePages(services.renderer, module)).get,
    onRendered: metrics.counter('hosted_page_renders_total', 'Hosted pages rendered, by kind', 'kind', [
      'landing_page',
      'form',
      'menu',
    ]),
  });

  const views = openViews(services);
  const isPersons = createViewers();
  const pageLanguages = createPageLanguages();
  const kinds = new Map<HostedKind, PageKind<never>>();
  documentKindsOf(services).add(
    createPageDocuments({ rendering, pageLanguages, kindOf: (kind) => kinds.get(kind) }),
  );

  /** An id of another kind, which some path may have, names nothing here. */
  const findHeld = async <Content>(kind: PageKind<Content>, id: string) => {
    if (!kind.isIdShaped(id)) return undefined;
    const held = await pages.get(id);
    return held?.page.kind === kind.kind ? held : undefined;
  };

  const open = async <Content>(kind: PageKind<Content>, id: string, request: Request): Promise<Reply> => {
    const held = await findHeld(kind, id);
    if (!held) throw unknownPage(kind.kind);
    const page = held.page as HostedPage<Content>;
    await requireOnOwnDomain(servedDomains, page, request);
    if (page.status === 'paused') return pausedReply(page, kind.languageOf?.(page), request);
    const language = pageLanguages.visitorsFor(kind, page, request.header('accept-language'));
    const served = await rendering.servedOf(kind, held, page, {
      search: request.search,
      language,
      address: request.address,
    });
    const view = { now: new Date(), referrer: request.header('referer').slice(0, referrerLengthMax) };
    if (countsViews(kind) && isPersons(request)) views.count(id);
    const vary = language === undefined ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language';
    return answerPage(served, { fill: kind.fill?.(page, view) ?? '', vary }, request);
  };

  return {
    operationFor(kind) {
      if (!kinds.has(kind.kind)) kinds.set(kind.kind, kind as unknown as PageKind<never>);
      return publicOperation({
        access: 'public',
        method: 'get',
        path: `/${kind.segment}/:id`,
        ipLimit: 'hostedPage',
        errorPage,
        docs: docsOf(kind.kind),
        handle: (request) => open(kind, request.params.id ?? '', request),
      });
    },
    async find<Content>(kind: PageKind<Content>, id: string) {
      const held = await findHeld(kind, id);
      return held?.page as HostedPage<Content> | undefined;
    },
  };
};

/** No browser sends more: most send the origin alone. */
const referrerLengthMax = 2_000;

/** That of this process: all kinds share its memory. */
export const pageServingOf = oncePerProcess(createPageServing);
