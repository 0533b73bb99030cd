/** The control plane, put together: the only place that knows every feature. */
import Router from '@koa/router';
import { createClickHouse } from '#shared/clickhouse.ts';
import type { Config } from '#shared/config.ts';
import { createCodeIds } from '#shared/ids.ts';
import { createCloser, type Running } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createRedis } from '#shared/redis.ts';
import { deriveKey, internalToken } from '#shared/signing.ts';
import { createApiCalls } from './access/api-calls.ts';
import { authenticateBy } from './access/authentication.ts';
import { createClientAddress } from './access/client-address.ts';
import { createIpLimiter } from './access/ip-limits.ts';
import { createPrincipals } from './access/principals.ts';
import { createRequestRates } from './access/request-rates.ts';
import { createCreations } from './creation/creations.ts';
import { listenTo } from './db/listen.ts';
import { createPool, isDatabaseUnavailable } from './db/pool.ts';
import { createBrandKits } from './features/brand-kits/kits.ts';
import { createBrandKitOperations } from './features/brand-kits/routes.ts';
import { createScanCounts } from './features/codes/analytics/scan-counts.ts';
import { createAppLinkOperations } from './features/codes/app-links/app-links.ts';
import { redirectUrl } from './features/codes/code-object.ts';
import { createCodeCreation } from './features/codes/create-code.ts';
import { createCursors } from './features/codes/cursor.ts';
import { createReadCap } from './features/codes/explain/cap-state.ts';
import { createUnlockAttempts } from './features/codes/protection/attempts.ts';
import { createPasswords, passwordWork } from './features/codes/protection/passwords.ts';
import { createSeal } from './features/codes/protection/sealing.ts';
import { createUnlockRouter } from './features/codes/protection/unlock.ts';
import { publishingConsumer } from './features/codes/publishing/consumer.ts';
import { createPublishing } from './features/codes/publishing/publishing.ts';
import { createLookupRouter } from './features/codes/publishing/record-lookup.ts';
import { createRecordPublisher } from './features/codes/publishing/records.ts';
import { createCodeOperations } from './features/codes/routes.ts';
import { createLinks } from './features/images/link.ts';
import { createPictures } from './features/images/pictures.ts';
import { createImageOperations } from './features/images/routes.ts';
import { createStaticOperations } from './features/static/routes.ts';
import { ensureDefaultWorkspace, findPrincipals } from './features/tenancy/store.ts';
import { addApiCalls, consumeQuota } from './features/tenancy/usage.ts';
import { createApplication } from './http/application.ts';
import type { State } from './http/context.ts';
import { listen } from './http/listener.ts';
import { routeOperations } from './http/perform.ts';
import { createBackground } from './jobs/background.ts';
import { startJobs } from './jobs/runner.ts';
import { createHealthOperation, createHealthRouter, type HealthCheck } from './monitoring/health.ts';
import { createMetrics } from './monitoring/metrics.ts';
import { withDocs } from './openapi/docs-page.ts';
import { createOutbox } from './outbox/outbox.ts';
import { createSafeFetch, isPublicAddress } from './outgoing/safe-fetch.ts';
import { createRenderer, refusals } from './rendering/index.ts';

/** A PUT waits this long for Redis, and no longer: then the job publishes. */
const redisTimeoutMs = 500;
/** A request waits this long for the count of its limit, and no longer: then the process counts for itself. */
const limitsTimeoutMs = 200;
const clickhouseTimeoutMs = 5_000;
/** In place of a code's id, as long as one: what a brand kit is proven with. */
const sampleId = '123456789';
/** One for LISTEN, and one for each job that needs it. */
const jobConnectionsMax = 5;

export interface ControlPlane extends Running {
  /** The ports listened on, also where 0 was asked for. */
  port: number;
  internalPort: number;
}

/**
 * Starts both listeners and the job queue. PostgreSQL must be there; Redis and ClickHouse may come later.
 * @throws when PostgreSQL does not answer or a port is taken; what was opened before is closed again
 */
export const startControlPlane = async (config: Config, logger: Logger): Promise<ControlPlane> => {
  const closer = createCloser();
  try {
    const { retire, ...ports } = await start(config, logger, closer.add);
    logger.info(ports, 'control plane ready');
    return { ...ports, retire, close: () => closer.close() };
  } catch (error) {
    await closer.close();
    throw error;
  }
};

/** @param onClose takes what closes each thing that was opened; called in reverse */
const start = async (config: Config, logger: Logger, onClose: (close: () => unknown) => void) => {
  const { secretKey, baseUrl, qrHost } = config;
  const token = internalToken(secretKey);
  const metrics = createMetrics();

  const pool = createPool(config.databaseUrl, 'waymark-control-plane', logger);
  onClose(() => pool.end());
  const redis = createRedis(
    config.redisUrl,
    { name: 'waymark-control-plane', commandTimeoutMs: redisTimeoutMs },
    logger,
  );
  onClose(() => redis.disconnect());
  const limitsRedis = createRedis(
    config.redisUrl,
    { name: 'waymark-limits', commandTimeoutMs: limitsTimeoutMs, pipelining: true },
    logger,
  );
  onClose(() => limitsRedis.disconnect());
  const clickhouse = createClickHouse(config.clickhouseUrl, 'waymark-control-plane', clickhouseTimeoutMs);
  onClose(() => clickhouse.close());
  const renderer = createRenderer({
    onRefused: metrics.counter('renders_refused_total', 'Pictures that were turned away', 'why', refusals),
  });
  metrics.gauge('renders_running', 'Pictures that are being drawn', () => renderer.load().running);
  metrics.gauge('renders_waiting', 'Pictures that wait to be drawn', () => renderer.load().waiting);
  metrics.gauge('renders_waiting_tenants', 'Whose pictures wait', () => renderer.load().tenants);
  onClose(() => renderer.close());
  const isAllowedAddress = config.logoAllowPrivate ? () => true : isPublicAddress;
  const safeFetch = createSafeFetch({ isAllowed: isAllowedAddress });
  onClose(() => safeFetch.close());
  const background = createBackground(logger);
  onClose(() => background.close());

  if (config.bootstrapApiKey) await ensureDefaultWorkspace(pool, config.bootstrapApiKey);

  const outbox = createOutbox([publishingConsumer]);
  const publisher = createRecordPublisher(redis);
  const publishing = createPublishing({ pool, redis, publisher, background, logger });
  onClose(() => publishing.close());
  const published = publishing.statistics;
  metrics.gauge('outbox_waiting', 'Changes that wait to be published', () => published.waiting);
  metrics.gauge('outbox_set_aside', 'Changes that cannot be published', () => published.setAside);
  metrics.gauge(
    'records_rewritten',
    'Records that Redis had lost since it took them',
    () => published.rewritten,
  );
  metrics.gauge('record_timeline', 'The timeline that the database is on', () => published.timeline);

  const jobPool = createPool(config.databaseUrl, 'waymark-jobs', logger, jobConnectionsMax);
  onClose(() => jobPool.end());
  const creations = createCreations(pool, deriveKey(secretKey, 'idempotency'), consumeQuota);
  const jobs = await startJobs(
    jobPool,
    {
      tasks: { 'sweep-creations': () => creations.sweep() },
      crontab: '* * * * * sweep-creations',
    },
    logger,
  );
  onClose(() => jobs.close());

  const principals = createPrincipals((keyHashes) => findPrincipals(pool, keyHashes), logger);
  metrics.gauge('keys_known', 'Keys held in memory', () => principals.statistics.known);
  metrics.gauge('keys_unknown', 'Unknown keys held in memory', () => principals.statistics.unknown);
  const tenancyChanges = listenTo(config.databaseUrl, 'waymark_tenancy', principals.forgetAll, logger);
  onClose(() => tenancyChanges.close());
  const apiCalls = createApiCalls((calls, settlement) => addApiCalls(pool, calls, settlement), logger);
  onClose(() => apiCalls.close());
  let retiring = false;
  const checks: Record<string, HealthCheck> = {
    process: {
      required: true,
      run: async () => retiring && Promise.reject(new Error('it is about to stop')),
    },
    postgres: { required: true, run: () => pool.query('SELECT 1') },
    redis: { required: false, run: () => redis.ping() },
    clickhouse: { required: false, run: () => clickhouse.command({ query: 'SELECT 1' }) },
  };
  const clientAddress = createClientAddress({
    trustedProxies: config.trustedProxies,
    internalToken: token,
    logger,
  });

  const passwords = createPasswords({
    onStarted: metrics.counter('passwords_total', 'Passwords, by what is done', 'what', passwordWork),
    onRefused: metrics.counter(
      'passwords_refused_total',
      'Passwords that were not hashed or checked',
      'why',
      refusals,
    ),
  });
  const seal = createSeal({
    onRefused: metrics.counter('seals_refused_total', 'Payloads that were not sealed', 'why', refusals),
  });
  const ipLimiter = createIpLimiter(limitsRedis);
  const kits = createBrandKits(pool, safeFetch);
  const pictures = createPictures({ renderer, kits, urlOf: (id) => redirectUrl(qrHost, id) });
  metrics.gauge('pictures_bytes', 'Bytes of pictures held in memory', () => pictures.statistics().bytes);
  const createDynamicCode = createCodeCreation({
    ids: createCodeIds(deriveKey(secretKey, 'code-id')),
    passwords,
    seal,
    kits,
    prove: pictures.prove,
    outbox,
    publishing,
    baseUrl,
    qrHost,
  });
  const scanCounts = createScanCounts(clickhouse, logger);
  const operations = [
    ...createCodeOperations({
      pool,
      clickhouse,
      outbox,
      publishing,
      scanCounts,
      readCap: createReadCap(redis, scanCounts),
      cursors: createCursors(deriveKey(secretKey, 'cursor')),
      passwords,
      kits,
      prove: pictures.prove,
      createDynamicCode,
      qrHost,
    }),
    ...createImageOperations({
      pool,
      pictures,
      links: createLinks(deriveKey(secretKey, 'render-link')),
      baseUrl,
    }),
    ...createStaticOperations({ renderer, kits, createDynamicCode, qrHost }),
    ...createBrandKitOperations({
      pool,
      kits,
      async prove(workspaceId, style) {
        await pictures.prove({ id: sampleId, workspaceId }, style);
      },
      isAllowedAddress,
    }),
    ...createAppLinkOperations(pool, config.appLinksAllow),
    createHealthOperation(checks),
  ];
  const edge = {
    logger,
    isUnavailable: isDatabaseUnavailable,
    clientAddress,
    observe: metrics.observe,
  };
  const api = createApplication({
    ...edge,
    router: routeOperations(withDocs(operations, { baseUrl, qrHost }), {
      authenticate: authenticateBy(principals.of),
      clientAddress,
      ipLimiter,
      requestRates: createRequestRates(limitsRedis),
      apiCalls,
      creations,
    }),
    secure: baseUrl.startsWith('https:'),
  });

  const internalRouter = new Router<State>();
  internalRouter.use(createLookupRouter({ pool, publisher, background, internalToken: token }).routes());
  internalRouter.use(
    createUnlockRouter({
      pool,
      passwords,
      attempts: createUnlockAttempts(redis),
      ipLimiter,
      internalToken: token,
    }).routes(),
  );
  internalRouter.use(createHealthRouter({ registry: metrics.registry, checks }).routes());
  const internal = createApplication({ ...edge, router: internalRouter, secure: false });

  const internalListener = await listen(internal.callback(), {
    host: config.internalHost,
    port: config.controlPlane.internalPort,
  });
  onClose(() => internalListener.close());
  const listener = await listen(api.callback(), { host: config.host, port: config.controlPlane.port });
  onClose(() => listener.close());
  return {
    port: listener.port,
    internalPort: internalListener.port,
    retire() {
      retiring = true;
      listener.retire();
    },
  };
};
