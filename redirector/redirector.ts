/** One redirector process: opens its parts in the order of a scan's way backwards, and closes them forwards. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { Agent as HttpAgent } from 'undici';
import { createClickHouse } from '#shared/clickhouse.ts';
import type { Config } from '#shared/config.ts';
import { createCodeIds } from '#shared/ids.ts';
import { type Closeable, createCloser } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createRedis } from '#shared/redis.ts';
import { deriveKey, internalToken } from '#shared/signing.ts';
import { followChanges } from './codes/change-stream.ts';
import { createControlPlaneSource, createRedisSource } from './codes/record-sources.ts';
import { createResolver } from './codes/resolve.ts';
import { findSnapshot, keepSnapshot, readSnapshot } from './codes/snapshot.ts';
import { startHttp10Listener } from './http/http10.ts';
import { createPassthrough } from './http/passthrough.ts';
import { startServer } from './http/server.ts';
import { createDiskLane, type DiskLane } from './instance/disk-lane.ts';
import { joinRegistry, type Registry as Members } from './instance/membership.ts';
import { takeStateFolder } from './instance/state-folder.ts';
import { createRateLimiter } from './limits/address-limit.ts';
import { scanLimit } from './limits/address-limit-headers.ts';
import { createCounters } from './limits/caps.ts';
import { createScanCount } from './limits/recorded-scans.ts';
import { createMetrics } from './metrics.ts';
import { createClickHouseSink } from './recording/clickhouse-sink.ts';
import { paceSegments } from './recording/insert-pace.ts';
import { createRecorder } from './recording/recorder.ts';
import { createRowWriter } from './recording/row-binary.ts';
import { startShipper } from './recording/shipper.ts';
import { openSpool, type SpoolOptions } from './recording/spool.ts';
import { createScans } from './scan/scan-handler.ts';
import { createUnlock } from './scan/unlock.ts';
import { createAgents } from './visitor/agents.ts';
import { createClients } from './visitor/clients.ts';
import { openCountries } from './visitor/countries.ts';
import { createSaltExchange } from './visitor/salt-exchange.ts';
import { createSaltMemory, saltFileOf } from './visitor/salt-memory.ts';
import { createVisitors } from './visitor/visitor-hash.ts';

/** Every capacity and time of a redirector process that is not an operator's to set. */
export const limits = {
  redisTimeoutMs: 250,
  /** Longer than the second for which the stream's reader asks Redis to wait. */
  redisStreamTimeoutMs: 3000,
  lookupTimeoutMs: 1000,
  /** A start waits so long for the salt of visitors' hashes; without Redis it goes on with one of its own. */
  saltWaitMs: 2000,
  absentCodesMax: 100_000,
  absentMs: 5000,
  loadingMax: 10_000,
  slowLanePerSecond: 100,
  userAgentsMax: 10_000,
  /** IPv6 addresses whose text is remembered. */
  addressesMax: 50_000,
  networksMax: 2 ** 17,
  /** Scans of one event-loop turn; a fuller turn writes to the spool more than once. */
  turnBytes: 2 ** 20,
  spoolMemoryBytes: 64 * 2 ** 20,
  segmentBytes: 8 * 2 ** 20,
  spoolSyncEveryMs: 1000,
  diskTimeoutMs: 5000,
  insertTimeoutMs: 30_000,
  settleLimitsMs: 300,
  spentCapsMax: 100_000,
  /** As long as a phone waits for a Redis that does not answer; then it is told to come again. */
  capTakeWaitMs: 1500,
  capWaitingMax: 10_000,
  /** Longer than a take goes on. */
  capLeaseMs: 5000,
  capOpenMs: 15_000,
  rebuildWaitMs: 4000,
  rebuildTimeoutMs: 15_000,
  unlockTimeoutMs: 5000,
  snapshotCodesMax: 200_000,
  snapshotEveryMs: 30_000,
  snapshotTimeoutMs: 5000,
  passthroughConcurrent: 512,
  passthroughHeadersMs: 30_000,
  passthroughBodyMs: 30_000,
  passthroughLarge: 64,
  /** An office or an integrator behind one address has many at once. */
  passthroughPerClient: 64,
  passthroughCollecting: 4096,
  passthroughCollectedBytes: 64 * 2 ** 20,
  passthroughSmallBytes: 256 * 2 ** 10,
  /** Less than uWebSockets.js waits before it closes the connection without a word. */
  passthroughBodyIdleMs: 5000,
  passthroughBodyTotalMs: 30_000,
  /** On the way down: answers under way, then scans to ClickHouse. What is not sent stays on disk. */
  drainRequestsMs: 5000,
  /** Connections that clients keep are told to close with their next answer; so long that is waited for. */
  drainConnectionsMs: 5000,
  drainScansMs: 5000,
};

const passthroughLimits = {
  concurrentMax: limits.passthroughConcurrent,
  largeMax: limits.passthroughLarge,
  perClientMax: limits.passthroughPerClient,
  collectingMax: limits.passthroughCollecting,
  collectedBytesMax: limits.passthroughCollectedBytes,
  small: {
    bytesMax: limits.passthroughSmallBytes,
    idleMs: limits.passthroughBodyIdleMs,
    totalMs: limits.passthroughBodyTotalMs,
  },
  headersTimeoutMs: limits.passthroughHeadersMs,
  bodyTimeoutMs: limits.passthroughBodyMs,
};

export const spoolOptions = (config: Config, folder: string, processes: () => number): SpoolOptions => ({
  folder: path.join(folder, 'spool'),
  bytesMax: config.redirector.spoolBytesMax,
  memoryBytesMax: limits.spoolMemoryBytes,
  segmentBytesMax: limits.segmentBytes,
  segmentAgeMs: () =>
    paceSegments(config.redirector.segmentAgeMs, config.redirector.insertsPerSecond, processes()),
  sync: config.redirector.spoolSync,
  syncEveryMs: limits.spoolSyncEveryMs,
  writeTimeoutMs: config.redirector.spoolWriteTimeoutMs,
});

const randomBootId = (): [number, number] => {
  const bytes = randomBytes(8);
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
};

export interface Redirector extends Closeable {
  readonly metrics: Registry;
  /** The state folder, see state-folder.ts. */
  readonly folder: string;
  /** What the process depends on and whether it answers; the redirector serves without any of it. */
  health(): Record<string, boolean>;
  /** Asks clients to go elsewhere: from now on connections are closed after their answer. */
  retire(): void;
  /** Closes, for another process that has taken its place: waits for connections that clients keep as well. */
  leave(): Promise<void>;
}

/** The lane of a process for DATA_DIR. */
export const createDataLane = (): DiskLane => createDiskLane(limits.diskTimeoutMs);

/**
 * @param lane of this process, whatever else it does in DATA_DIR
 * @throws when the port is taken or DATA_DIR cannot be written
 */
export const startRedirector = async (
  config: Config,
  logger: Logger,
  lane = createDataLane(),
): Promise<Redirector> => {
  const closer = createCloser();
  try {
    return await open(config, logger, lane, closer);
  } catch (error) {
    await closer.close();
    throw error;
  }
};

const open = async (
  config: Config,
  logger: Logger,
  lane: DiskLane,
  closer: ReturnType<typeof createCloser>,
): Promise<Redirector> => {
  // What says how far the scans of the folder are delivered is closed after they are.
  const redis = createRedis(
    config.redisUrl,
    { name: 'waymark-redirector', commandTimeoutMs: limits.redisTimeoutMs, pipelining: true },
    logger,
  );
  closer.add(() => redis.disconnect());
  let members: Members | undefined;
  const processes = () => members?.processes ?? 1;
  const { folder, used: spool } = await takeStateFolder(
    config.dataDir,
    ({ path: folderPath }) => openSpool(spoolOptions(config, folderPath, processes), lane, logger),
    (left, error) => logger.error({ err: error, folder: left }, 'the folder cannot be used: left as it is'),
  );
  closer.add(() => folder.lock.release());
  const registry = joinRegistry(
    redis,
    () => [{ id: folder.id, living: true, waitedMs: spool.oldestAgeMs() }],
    logger,
  );
  members = registry;
  closer.add(() => registry.close());

  // The way of a scan, from its end.
  const clickhouse = createClickHouse(config.clickhouseUrl, 'waymark-redirector', limits.insertTimeoutMs);
  closer.add(() => clickhouse.close());
  const shipper = startShipper(spool, createClickHouseSink(clickhouse), logger);
  const shipping = createCloser();
  shipping.add(async () => {
    await spool.rotate();
    const { rows } = await shipper.stop(limits.drainScansMs);
    await spool.close();
    if (rows > 0) logger.warn({ rows }, 'scans stay in the spool until the next start');
    else logger.info('all scans are sent');
  });
  closer.add(() => shipping.close());
  const recorder = createRecorder(createRowWriter(limits.turnBytes, randomBootId()), spool);

  // The way of a record.
  const http = new HttpAgent({ connections: 64, pipelining: 1, connect: { timeout: 2000 } });
  closer.add(() => http.close());
  const token = internalToken(config.secretKey);
  const codeIds = createCodeIds(deriveKey(config.secretKey, 'code-id'));
  const resolver = createResolver(
    {
      codesMax: config.redirector.codesMax,
      absentMax: limits.absentCodesMax,
      absentMs: limits.absentMs,
      freshMs: config.redirector.recordFreshMs,
      staleMaxMs: config.redirector.recordStaleMaxMs,
      loadingMax: limits.loadingMax,
      slowLanePerSecond: limits.slowLanePerSecond,
    },
    [
      createRedisSource(redis),
      createControlPlaneSource(config.controlPlane.internalUrl, token, limits.lookupTimeoutMs, http),
    ],
    codeIds.isGenuine,
    logger,
  );
  resolver.restore(await readSnapshot(await findSnapshot(folder.path), logger));
  const snapshot = keepSnapshot(
    {
      folder: folder.path,
      codesMax: limits.snapshotCodesMax,
      everyMs: limits.snapshotEveryMs,
      timeoutMs: limits.snapshotTimeoutMs,
    },
    () => resolver.hot(),
    lane,
    logger,
  );
  closer.add(() => snapshot.close());
  const streamRedis = createRedis(
    config.redisUrl,
    { name: 'waymark-redirector-stream', commandTimeoutMs: limits.redisStreamTimeoutMs },
    logger,
  );
  const changes = followChanges(streamRedis, resolver, logger);
  closer.add(() => changes.close());

  // What is known of visitors, and what they may do.
  const limiter = createRateLimiter(
    {
      ...scanLimit,
      networksMax: limits.networksMax,
      settleEveryMs: limits.settleLimitsMs,
    },
    redis,
    processes,
    logger,
  );
  closer.add(() => limiter.close());
  const counters = createCounters(
    {
      spentMax: limits.spentCapsMax,
      takeWaitMs: limits.capTakeWaitMs,
      waitingMax: limits.capWaitingMax,
      leaseMs: limits.capLeaseMs,
      openMs: limits.capOpenMs,
      rebuildWaitMs: limits.rebuildWaitMs,
      rebuildTimeoutMs: limits.rebuildTimeoutMs,
    },
    redis,
    members,
    createScanCount(clickhouse),
    logger,
  );
  closer.add(() => counters.close());
  const saltRedis = createRedis(
    config.redisUrl,
    { name: 'waymark-redirector-salt', commandTimeoutMs: limits.redisTimeoutMs },
    logger,
  );
  closer.add(() => saltRedis.disconnect());
  const saltMemory = createSaltMemory(saltFileOf(config.dataDir, config.runtimeDir), logger);
  const salts = createSaltExchange(
    redis,
    saltRedis,
    deriveKey(config.secretKey, 'visitor'),
    saltMemory,
    logger,
  );
  closer.add(() => salts.close());
  const visitors = createVisitors(redis, salts, logger);
  closer.add(() => visitors.close());
  await Promise.race([visitors.shared, sleep(limits.saltWaitMs)]);

  const scans = createScans({
    resolver,
    limiter,
    counters,
    visitors,
    recorder,
    unlock: createUnlock(config.controlPlane.internalUrl, token, limits.unlockTimeoutMs, http, logger),
    logger,
    random: Math.random,
  });
  // As many connections as requests: none waits in a queue where nothing bounds it.
  const passing = new HttpAgent({
    connections: limits.passthroughConcurrent,
    pipelining: 1,
    connect: { timeout: 2000 },
  });
  closer.add(() => passing.close());
  const passthrough = createPassthrough(passing, {
    ...passthroughLimits,
    upstreamUrl: config.controlPlane.url,
    token,
  });
  const clients = createClients({
    trustedProxies: config.trustedProxies,
    capacity: limits.addressesMax,
    countries: openCountries(config.countryDatabase),
  });
  // Right after the last answer: whatever else is slow to close, the scans of phones that got theirs come first.
  closer.add(() => shipping.close());
  const server = await startServer(
    {
      agents: createAgents(limits.userAgentsMax),
      clients,
      countryHeader: config.countryHeader,
      scans,
      recorder,
      passthrough,
      logger,
    },
    config.host,
    config.redirector.port,
  );
  let connectionsMs = Math.min(config.shutdownGraceMs, limits.drainConnectionsMs);
  closer.add(() => server.close({ requestsMs: limits.drainRequestsMs, connectionsMs }));
  if (config.redirector.http10Port !== undefined) {
    const ownToken = randomBytes(32).toString('base64url');
    const http10 = await startHttp10Listener({
      host: config.host,
      port: config.redirector.http10Port,
      clients,
      countryHeader: config.countryHeader,
      passthrough: createPassthrough(passing, {
        ...passthroughLimits,
        upstreamUrl: `http://127.0.0.1:${await server.listenForOwn(ownToken)}`,
        token: ownToken,
        // All of a proxy's clients are one here; the server tells them apart.
        perClientMax: limits.passthroughConcurrent,
      }),
      logger,
    });
    closer.add(() => http10.close());
  }
  logger.info(
    { host: config.host, port: config.redirector.port, folder: folder.path },
    'redirector is listening',
  );

  return {
    metrics: createMetrics({
      server,
      scans,
      resolver,
      counters,
      limiter,
      spool,
      recorder,
      shipper,
      changes,
      passthrough,
      registry,
    }),
    folder: folder.path,
    health: () => ({ redis: redis.status === 'ready', changes: changes.statistics.following }),
    retire: () => server.retire(),
    leave() {
      connectionsMs = limits.drainConnectionsMs;
      server.retire();
      return closer.close();
    },
    close: () => closer.close(),
  };
};
