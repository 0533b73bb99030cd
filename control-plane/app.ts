/** The control plane: its features, and the start that opens the services, then the features, and serves them. */
import Router from '@koa/router';
import { localUrl } from '#shared/config/local-url.ts';
import type { Config } from '#shared/config.ts';
import { createCloser, type Running } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { authenticateBy } from './api/access/authentication.ts';
import { type ApplicationOptions, createApplication } from './api/http/application.ts';
import type { State } from './api/http/context.ts';
import { createLargeBodies, type LargeBodies } from './api/http/large-bodies.ts';
import { type Listener, listen } from './api/http/listener.ts';
import { errorPagesOf, type Guards, routeOperations } from './api/http/perform.ts';
import { errorDocsUrl } from './api/http/refusal-body.ts';
import { createProcessRouter, createSharedPorts, type SharedPorts } from './api/http/shared-ports.ts';
import { streamRefusals } from './api/http/stream-places.ts';
import { createStreams, type Streams, streamEnds, streamLimits } from './api/http/streams.ts';
import { idempotency, idempotentCallsOf } from './api/idempotency/feature.ts';
import { createMcp } from './api/mcp/mcp.ts';
import { monitoring } from './api/monitoring/feature.ts';

import { describeApi } from './api/openapi/document.ts';
import { withReference } from './api/reference/routes.ts';
import { abuse } from './features/abuse/feature.ts';
import { account } from './features/account/feature.ts';
import { ai } from './features/ai/feature.ts';
import { audit } from './features/audit/feature.ts';
import { backup } from './features/backup/feature.ts';
import { billing } from './features/billing/feature.ts';
import { brandKits } from './features/brand-kits/feature.ts';
import { branding } from './features/branding/feature.ts';
import { bulk } from './features/bulk/feature.ts';
import { aliases } from './features/codes/aliases/feature.ts';
import { appLinks } from './features/codes/app-links/feature.ts';
import { codes } from './features/codes/feature.ts';
import { conversions } from './features/conversions/feature.ts';
import { destinationHealth } from './features/destination-health/feature.ts';
import { domains } from './features/domains/feature.ts';
import { erasure } from './features/erasure/feature.ts';
import { folders } from './features/folders/feature.ts';
import { forms } from './features/forms/feature.ts';
import { gs1 } from './features/gs1/feature.ts';
import { hosted } from './features/hosted/feature.ts';
import { errorPage } from './features/hosted/serving/refusals.ts';
import { reportedViews } from './features/hosted/serving/reported-views.ts';
import { uploads } from './features/hosted/uploads/feature.ts';
import { images, kitProverOf } from './features/images/feature.ts';
import { imports } from './features/imports/feature.ts';
import { keptExports } from './features/kept-exports/feature.ts';
import { landingPages } from './features/landing-pages/feature.ts';
import { menus } from './features/menus/feature.ts';
import { recordedScans } from './features/recorded-scans/feature.ts';
import { requestLog, requestLogOf } from './features/request-log/feature.ts';
import { screening, screeningOf } from './features/screening/feature.ts';
import { serializedExports } from './features/serialized/exports/feature.ts';
import { serialized } from './features/serialized/feature.ts';
import { serializedMarks } from './features/serialized/marks/feature.ts';
import { serializedPrinting } from './features/serialized/printing/feature.ts';
import { serializedVerification } from './features/serialized/verification/feature.ts';
import { staticCodes } from './features/static/feature.ts';
import { tags } from './features/tags/feature.ts';
import { apiCallsOf, keyUsesOf, principalsOf, tenancy } from './features/tenancy/feature.ts';
import { consumeQuota } from './features/tenancy/quota-usage.ts';
import { webhooks } from './features/webhooks/feature.ts';
import { reportedScans } from './features/webhooks/scans/feature.ts';
import { webhookSubscriptions } from './features/webhooks/subscriptions/feature.ts';
import { checkFeatures, consumersOf, type Feature, type OpenFeature } from './framework/feature.ts';
import { openServices, type Services } from './framework/services.ts';
import { jobs } from './jobs/feature.ts';
import { startJobs } from './jobs/runner.ts';
import { startWork } from './jobs/start.ts';
import { collectTasks } from './jobs/tasks.ts';
import { requireConnections } from './platform/db/connections.ts';
import { requireMigrated } from './platform/db/pending-migrations.ts';
import { isDatabaseUnavailable } from './platform/db/pool.ts';
import { storedFiles } from './platform/storage/feature.ts';
import { StorageFailure } from './platform/storage/storage.ts';
import { publishing } from './publishing/feature.ts';

/** In the order of the API's documentation. Tenancy is first: its first key exists before anything is served. */
export const features: readonly Feature[] = [
  tenancy,
  codes,
  aliases,
  recordedScans,
  conversions,
  tags,
  folders,
  images,
  staticCodes,
  bulk,
  imports,
  keptExports,
  landingPages,
  forms,
  menus,
  hosted,
  reportedViews,
  uploads,
  brandKits(kitProverOf),
  ai(kitProverOf),
  gs1,
  serialized,
  serializedMarks,
  serializedExports,
  serializedPrinting,
  serializedVerification,
  webhooks,
  reportedScans,
  webhookSubscriptions,
  erasure,
  branding,
  domains,
  account,
  billing,
  destinationHealth,
  abuse,
  screening,
  requestLog,
  audit,
  appLinks,
  idempotency,
  publishing,
  jobs,
  storedFiles,
  backup,
  monitoring,
];

export interface ControlPlane extends Running {
  /** The ports listened on, also where 0 was asked for. */
  port: number;
  internalPort: number;
}

/**
 * Starts both listeners and the job queue. PostgreSQL must be there; Redis and ClickHouse may come later.
 * @param served the features that are served
 * @param describe makes the API's description
 * @throws when two features declare the same name, PostgreSQL does not answer, lacks migrations or allows too few connections, or a port is taken; what was
 *   opened before is closed again
 */
export const startControlPlane = async (
  config: Config,
  logger: Logger,
  served: readonly Feature[] = features,
  describe: typeof describeApi = describeApi,
): Promise<ControlPlane> => {
  checkFeatures(served);
  const closer = createCloser();
  const keyPurposes = new Set(served.flatMap(({ keyPurposes = [] }) => keyPurposes));
  const consumers = consumersOf(served);
  const retired = new AbortController();
  const services = openServices({
    retired: retired.signal,
    config,
    logger,
    onClose: closer.add,
    keyPurposes,
    consumers,
    consumeQuota,
  });
  try {
    await requireMigrated(services.pool);
    await requireConnections(services.pool, config.databaseConnectionsMax, logger);
    const opened = await openFeatures(served, services);
    await runJobs(opened, services);
    // Nothing is waited for once it listens: a signal would find a start that has not ended, and close it without its grace.
    const life = { retiring: false };
    const { api, internal, ports: sharedPorts } = await serve(opened, services, describe, life);
    const closing = new AbortController();
    closer.add(() => closing.abort());
    closer.add(() => retired.abort());
    const ports = { port: api.port, internalPort: internal.port };
    logger.info(ports, 'control plane ready');
    return {
      ...ports,
      retire() {
        api.retire();
        internal.retire();
        retired.abort();
        life.retiring = true;
        // The port is ready as long as another one is, and stays.
        void sharedPorts.untilAlone(closing.signal).then(() => services.health.retire());
      },
      close: () => closer.close(),
    };
  } catch (error) {
    await closer.close();
    throw error;
  }
};

type Opened = OpenFeature & { name: string };

/** One after the other, in the order of the list. */
const openFeatures = async (served: readonly Feature[], services: Services): Promise<Opened[]> => {
  const opened: Opened[] = [];
  for (const feature of served) {
    opened.push({ name: feature.name, ...(await feature.open?.(services)) });
  }
  return opened;
};

const runJobs = async (opened: readonly Opened[], services: Services): Promise<void> => {
  const { connections, logger, onClose } = services;
  const kinds = opened.flatMap(({ jobKinds = [] }) => jobKinds);
  const work = { name: 'jobs', tasks: await startWork({ ...services, kinds }) };
  const running = await startJobs(connections.jobs, collectTasks([...opened, work]), logger);
  onClose(() => running.close());
};

const serve = async (
  opened: readonly Opened[],
  services: Services,
  describe: typeof describeApi,
  life: { readonly retiring: boolean },
): Promise<{ api: Listener; internal: Listener; ports: SharedPorts }> => {
  const { config, onClose } = services;
  const { baseUrl, qrHost, internalHost, controlPlane } = config;
  const { internalToken: token, logger } = services;
  const mcp = createMcp({
    baseUrl,
    docsUrl: errorDocsUrl(baseUrl),
    onError: (error) => logger.debug({ err: error }, 'message of a model refused'),
  });
  const operations = [...opened.flatMap(({ operations = [] }) => operations), mcp.operation];
  const { operations: documented, document } = withReference(operations, { baseUrl, qrHost }, describe);
  const pathIds = opened.flatMap(({ pathIds = [] }) => pathIds);
  const router = routeOperations(documented, { ...guardsOf(services), pathIds });
  const internalRouter = new Router<State>();
  for (const routes of opened.flatMap(({ internalRoutes = [] }) => internalRoutes))
    internalRouter.use(routes.routes());
  internalRouter.use(createProcessRouter(token, () => life.retiring).routes());

  const ports = createSharedPorts(localUrl(internalHost, controlPlane.internalPort), token, logger);
  const shared = controlPlane.internalPort !== 0 && (await ports.isTaken());
  const internal = await listen(
    applicationOf(services, { router: internalRouter, secure: false }).callback(),
    { host: internalHost, port: controlPlane.internalPort },
    { shared },
  );
  onClose(() => internal.close());
  const errorPageOf = errorPagesOf(documented, router, errorPage);
  const secure = baseUrl.startsWith('https:');
  const dispatch = applicationOf(services, {
    ...{ router, secure, errorPageOf },
    note: requestLogOf(services),
  }).callback();
  mcp.serve({ operations: documented, document, dispatch });
  const api = await listen(dispatch, { host: config.host, port: controlPlane.port }, { shared });
  onClose(() => api.close());
  return { api, internal, ports };
};

/** Whether an error says that a dependency is away. */
const isUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || error instanceof StorageFailure;

const applicationOf = (
  { config, logger, clientAddress, metrics }: Services,
  served: Pick<ApplicationOptions, 'router' | 'secure' | 'errorPageOf' | 'note'>,
) =>
  createApplication({
    logger,
    isUnavailable,
    clientAddress,
    docsUrl: errorDocsUrl(config.baseUrl),
    observe: metrics.observe,
    ...served,
  });

const guardsOf = (services: Services): Omit<Guards, 'pathIds'> => ({
  authenticate: authenticateBy(principalsOf(services).of, keyUsesOf(services).note),
  clientAddress: services.clientAddress,
  isByProxy: services.isByProxy,
  isByRedirector: services.isByRedirector,
  ipLimiter: services.ipLimiter,
  requestRates: services.requestRates,
  apiCalls: apiCallsOf(services),
  idempotentCalls: idempotentCallsOf(services),
  streams: openStreams(services),
  largeBodies: openLargeBodies(services),
  screening: screeningOf(services),
});

const openStreams = ({ metrics }: Services): Streams => {
  const streams = createStreams({
    ...streamLimits,
    onEnded: metrics.counter('streams_total', 'Streamed answers, by how they ended', 'how', streamEnds),
    onRefused: metrics.counter(
      'streams_refused_total',
      'Streamed answers that were turned away',
      'why',
      streamRefusals,
    ),
  });
  metrics.gauge('streams_open', 'Streamed answers under way', () => streams.open());
  return streams;
};

const openLargeBodies = ({ metrics }: Services): LargeBodies => {
  const largeBodies = createLargeBodies();
  metrics.gauge('large_bodies_bytes', 'Bytes of large bodies that are being worked on', () =>
    largeBodies.taken(),
  );
  return largeBodies;
};
