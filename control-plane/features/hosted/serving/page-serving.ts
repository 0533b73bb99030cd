/** Serves hosted pages to whoever opens them: one cache, and one way to a page, for all kinds. */
import { pageDocumentId } from '#schemas/documents.ts';
import { ClientError } from '#shared/errors.ts';
import { createMemo } from '#shared/memo.ts';
import { isPrefetch } from '#shared/prefetch.ts';
import { cutUserAgent, parseUserAgent } from '#shared/user-agent.ts';
import { isDatabaseUnavailable } from '../../../db/pool.ts';
import { oncePerProcess } from '../../../feature.ts';
import { type Operation, type PublicRequest, publicOperation, type Reply } from '../../../http/operation.ts';
import { documentKindsOf, documentPublishingOf } from '../../../publishing/feature.ts';
import type { Services } from '../../../services.ts';
import { changeNoticesOf } from '../change-notices.ts';
import type { HostedKind, HostedPage } from '../hosted-page.ts';
import { createLargePages } from '../large/large-pages.ts';
import { type PageChange, parseChange } from '../page-change.ts';
import type { PageKind } from '../page-kind.ts';
import { findImagesOf } from '../uploads/feature.ts';
import { answerPage } from './answer.ts';
import { buildOf } from './build.ts';
import { docsOf } from './docs.ts';
import { requireOnOwnDomain } from './own-domain.ts';
import { createPageCache, type PageCache, tiers } from './page-cache.ts';
import { createPageDocuments } from './page-documents.ts';
import { createPageLanguages } from './page-languages.ts';
import { createPageSource } from './page-source.ts';
import { errorPage, pausedReply, unknownPage } from './refusals.ts';
import { createRendering } from './rendering.ts';
import { createStoredPages, type StoredPages } from './stored-pages.ts';
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
   * The page as it is now, to within the moment that a change takes from one process to another; also a paused one.
   * @returns undefined where there is no such page
   * @throws what PostgreSQL throws where the page is not held here
   */
  find<Content>(kind: PageKind<Content>, id: string): Promise<HostedPage<Content> | undefined>;
}

/** One for each kind. */
const modulesMax = 10;

const cacheBytesMax = 64 * 2 ** 20;

/** Whether a page cannot be asked for now. */
const isUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error instanceof ClientError && error.code === 'UNAVAILABLE');

const openCache = (services: Services, stored: StoredPages): PageCache => {
  const { pool, connections, logger, metrics, background } = services;
  const cache = createPageCache({
    source: createPageSource({ pool, stored, background }),
    isHeard: () => changes.isHeard(),
    isUnavailable,
    onServed: metrics.counter(
      'hosted_pages_total',
      'Looks for a hosted page, by what answered',
      'tier',
      tiers,
    ),
    bytesMax: cacheBytesMax,
  });
  metrics.gauge('hosted_pages_held', 'Hosted pages in memory', () => cache.pages);
  metrics.gauge('hosted_pages_held_bytes', 'What hosted pages in memory take', () => cache.bytes);
  const changes = connections.listen('hosted_pages', (payload) =>
    payload === undefined
      ? cache.mayHaveMissed()
      : background.start('marking a hosted page as changed', hear(payload)),
  );
  const mark = async (change: PageChange): Promise<void> => {
    cache.changed(change);
    await stored.mark(change);
  };
  /** Also here it is marked in Redis: the process that made the change may have been killed before it did. */
  const hear = async (payload: string): Promise<void> => mark(parseChange(payload));
  changeNoticesOf(services).follow(({ id }) => documentPublishingOf(services).publish([pageDocumentId(id)]));
  changeNoticesOf(services).follow((change) =>
    mark(change).catch((error: unknown) =>
      logger.warn({ err: error, pageId: change.id }, 'Redis has not been told of a change of a hosted page'),
    ),
  );
  return cache;
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
  const { config, metrics, redis, background, servedDomains } = services;
  const stored = createStoredPages(redis, buildOf(config.qrHost));
  const cache = openCache(services, stored);
  const rendering = createRendering({
    qrHost: config.qrHost,
    findImages: findImagesOf(services),
    largePagesOf: createMemo(modulesMax, (module: string) => createLargePages(services.renderer, module)).get,
    onRendered: metrics.counter('hosted_page_renders_total', 'Hosted pages rendered, by kind', 'kind', [
      'landing_page',
      'form',
      'menu',
    ]),
    keep({ page, revision }, document) {
      if (page && revision !== undefined)
        background.start('storing a rendered page', stored.write(page, revision, document));
    },
  });

  const views = openViews(services);
  const isPersons = createViewers();
  const pageLanguages = createPageLanguages();
  const kinds = new Map<HostedKind, PageKind<never>>();
  documentKindsOf(services).add(
    createPageDocuments({ rendering, pageLanguages, kindOf: (kind) => kinds.get(kind) }),
  );

  /** An id of another kind, which some path may have, names nothing here. */
  const look = async <Content>(kind: PageKind<Content>, id: string) => {
    if (!kind.isIdShaped(id)) return undefined;
    const held = await cache.get(id);
    return held.page?.kind === kind.kind ? held : undefined;
  };

  const open = async <Content>(kind: PageKind<Content>, id: string, request: Request): Promise<Reply> => {
    const held = await look(kind, id);
    if (!held?.page) throw unknownPage(kind.kind);
    const page = held.page as HostedPage<Content>;
    await requireOnOwnDomain(servedDomains, page, request);
    if (page.status === 'paused') return pausedReply(page, kind.languageOf?.(page), request);
    const language = pageLanguages.visitorsFor(kind, page, request.header('accept-language'));
    const document = await rendering.documentOf(kind, held, page, {
      search: request.search,
      language,
      address: request.address,
    });
    const view = { now: new Date(), referrer: request.header('referer').slice(0, referrerLengthMax) };
    if (countsViews(kind) && isPersons(request)) views.count(id);
    const vary = language === undefined ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language';
    return answerPage(document, { fill: kind.fill?.(page, view) ?? '', vary }, request);
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
      const held = await look(kind, id);
      return held?.page as HostedPage<Content> | undefined;
    },
  };
};

/** No browser sends more: most send the origin alone. */
const referrerLengthMax = 2_000;

/** That of this process: all kinds share its memory. */
export const pageServingOf = oncePerProcess(createPageServing);
