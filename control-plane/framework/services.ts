/** Opened once, before the features: connections, worker pools, and the guards that all operations share. */
import dns from 'node:dns';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import type { Config } from '#shared/config.ts';
import type { Closer } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createRedis, type Redis } from '#shared/redis.ts';
import { deriveKey, internalToken } from '#shared/signing.ts';
import {
  type ClientAddressOf,
  createClientAddress,
  createIsByProxy,
  createIsByRedirector,
  type IsByProxy,
} from '../api/access/client-address.ts';
import { createIpLimiter, type IpLimiter } from '../api/access/ip-limits.ts';
import { createRequestRates, type RequestRates } from '../api/access/request-rates.ts';
import { createServedDomains, type ServedDomains } from '../api/access/served-domains.ts';
import type { ConsumeQuota } from '../api/idempotency/request.ts';
import { createHealth, type Health } from '../api/monitoring/health.ts';
import { createMetrics, type Metrics } from '../api/monitoring/metrics.ts';
import { type Background, createBackground } from '../jobs/background.ts';
import { type Connections, createConnections } from '../platform/db/connections.ts';
import type { Pool } from '../platform/db/pool.ts';
import { createSafeFetch, isPublicAddress, type SafeFetch } from '../platform/outgoing/safe-fetch.ts';
import { openStorage } from '../platform/storage/open-storage.ts';
import { failureReasons, type Storage } from '../platform/storage/storage.ts';
import { createRenderer, type Renderer, refusals } from '../rendering/index.ts';
import { type Consumer, createOutbox, type Outbox } from './outbox.ts';

/** A PUT waits for Redis at most this long; then the sweep publishes. */
const redisTimeoutMs = 500;
/** A request waits for the count of its limit at most this long; then the process counts for itself. */
const limitsTimeoutMs = 200;
const clickhouseTimeoutMs = 5_000;

export interface Services {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  health: Health;
  /** Every connection to PostgreSQL is opened through it. */
  connections: Connections;
  /** For requests. */
  pool: Pool;
  /** Takes the events of all features, and passes them to all consumers. */
  outbox: Outbox;
  redis: Redis;
  clickhouse: ClickHouseClient;
  renderer: Renderer;
  /** Files, for all control planes with the same STORAGE_URL. */
  storage: Storage;
  safeFetch: SafeFetch;
  /** Whether a logo may be fetched from an address. */
  isAllowedAddress(address: string): boolean;
  background: Background;
  clientAddress: ClientAddressOf;
  isByProxy: IsByProxy;
  isByRedirector: IsByProxy;
  servedDomains: ServedDomains;
  ipLimiter: IpLimiter;
  requestRates: RequestRates;
  consumeQuota: ConsumeQuota;
  /** Aborted once the process retires or closes: answers without an end of their own end then. */
  retired: AbortSignal;
  /** The bearer token of the internal listeners. */
  internalToken: string;
  /** 32 bytes for a purpose. @throws {Error} if no feature declares the purpose */
  keyFor(purpose: string): Buffer;
  /** Takes functions that close opened resources; they are called in reverse order. */
  onClose(close: () => unknown): void;
}

export interface ServicesOptions {
  config: Config;
  logger: Logger;
  onClose: Closer['add'];
  /** The purposes that the features declare. */
  keyPurposes: ReadonlySet<string>;
  consumers: readonly Consumer[];
  consumeQuota: ConsumeQuota;
  retired: AbortSignal;
}

/** Opens them without waiting: each connects on first use. */
export const openServices = (options: ServicesOptions): Services => {
  const { config, logger, onClose, keyPurposes, consumers, consumeQuota, retired } = options;
  const metrics = createMetrics();
  const { limitsRedis, ...connected } = connect(config, logger, onClose);
  const isAllowedAddress = config.logoAllowPrivate ? () => true : isPublicAddress;
  const safeFetch = createSafeFetch({
    isAllowed: isAllowedAddress,
    // An intranet may keep its names in files.
    ...(config.logoAllowPrivate && { resolve: dns.lookup }),
  });
  onClose(() => safeFetch.close());
  const renderer = openRenderer(metrics, onClose);
  const storage = openStorage(config.storage, {
    onFailure: metrics.counter('storage_failures_total', 'Failures of the storage', 'why', failureReasons),
  });
  onClose(() => storage.close());
  const background = createBackground(logger);
  onClose(() => background.close());
  const token = internalToken(config.secretKey);
  return {
    config,
    logger,
    metrics,
    health: createHealth(checksOf({ ...connected, storage })),
    ...connected,
    outbox: createOutbox(consumers),
    renderer,
    storage,
    safeFetch,
    isAllowedAddress,
    background,
    clientAddress: createClientAddress({
      trustedProxies: config.trustedProxies,
      internalToken: token,
      logger,
    }),
    isByProxy: createIsByProxy({ trustedProxies: config.trustedProxies, internalToken: token }),
    isByRedirector: createIsByRedirector({ internalToken: token }),
    servedDomains: createServedDomains(connected.pool),
    ipLimiter: createIpLimiter(limitsRedis),
    requestRates: createRequestRates(limitsRedis),
    consumeQuota,
    retired,
    internalToken: token,
    keyFor(purpose) {
      if (!keyPurposes.has(purpose)) throw new Error(`no feature declares the key purpose '${purpose}'`);
      return deriveKey(config.secretKey, purpose);
    },
    onClose,
  };
};

const connect = (config: Config, logger: Logger, onClose: Closer['add']) => {
  const connections = createConnections(config, logger, onClose);
  const pool = connections.requests;
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
  return { connections, pool, redis, limitsRedis, clickhouse };
};

const openRenderer = (metrics: Metrics, onClose: Closer['add']): Renderer => {
  const renderer = createRenderer({
    onRefused: metrics.counter('renders_refused_total', 'Pictures that were turned away', 'why', refusals),
  });
  metrics.gauge('renders_running', 'Pictures that are being drawn', () => renderer.load().running);
  metrics.gauge('renders_waiting', 'Pictures that wait to be drawn', () => renderer.load().waiting);
  metrics.gauge('renders_waiting_tenants', 'Whose pictures wait', () => renderer.load().tenants);
  onClose(() => renderer.close());
  return renderer;
};

const checksOf = ({
  pool,
  redis,
  clickhouse,
  storage,
}: Pick<Services, 'pool' | 'redis' | 'clickhouse' | 'storage'>) => ({
  postgres: { required: true, run: () => pool.query('SELECT 1') },
  redis: { required: false, run: () => redis.ping() },
  clickhouse: { required: false, run: () => clickhouse.command({ query: 'SELECT 1' }) },
  storage: { required: false, run: () => storage.check() },
});
