/**
 * One redirector process. Its parts are opened from the end of a scan's path to its beginning, so that each finds the
 * next one open, and are closed in the opposite order.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Registry } from 'prom-client';
import { Agent } from 'undici';
import type { ScanEvent } from '#schemas/scan-event.ts';
import { createClickHouse } from '#shared/clickhouse.ts';
import type { Config } from '#shared/config.ts';
import { formTokens } from '#shared/form-token.ts';
import { createCodeIds } from '#shared/ids.ts';
import { type Closeable, type Closer, createCloser, orClosed } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { registerMetrics, registerProcessMetrics } from '#shared/prometheus.ts';
import { createRedis, type Redis, type RedisOptions } from '#shared/redis.ts';
import { createScanIds } from '#shared/scan-ids.ts';
import { createSerialKeys } from '#shared/serial-keys.ts';
import { deriveKey, internalToken } from '#shared/signing.ts';
import { type Aliases, createAliases } from './aliases/aliases.ts';
import { aliasMetrics } from './aliases/metrics.ts';
import {
  addressLimitOptions,
  aliasCapacities,
  aliasDocumentCapacities,
  aliasLimitOptions,
  capacities,
  capOptions,
  documentCapacities,
  domainCapacities,
  gs1LimitOptions,
  pageCapacities,
  pageLimitOptions,
  passthroughOptions,
  recordCapacities,
  reportSpoolOptions,
  snapshotCapacities,
  spoolOptions,
  unknownCodeOptions,
  verificationOptions,
  verificationSpoolOptions,
  viewSpoolOptions,
} from './capacities.ts';
import { codeTexts } from './codes/code-texts.ts';
import { codeMetrics } from './codes/metrics.ts';
import { createResolver } from './codes/resolver.ts';
import { codeSnapshot } from './codes/snapshot.ts';
import { startSweep } from './codes/sweep.ts';
import { createVersionSource } from './codes/version-source.ts';
import { documentMetrics } from './documents/metrics.ts';
import { type OpenDocuments, openDocuments } from './documents/open-documents.ts';
import { createBrands } from './domains/brands.ts';
import { createDomains, type Domains } from './domains/domains.ts';
import { domainMetrics } from './domains/metrics.ts';
import { createGs1Resolver, type Gs1Resolver, type Gs1ResolverParts } from './gs1/gs1-resolver.ts';
import { gs1Metrics } from './gs1/metrics.ts';
import { followChanges } from './held/change-stream.ts';
import { openSnapshot } from './held/snapshot.ts';
import { type ControlPlane, createSources } from './held/source.ts';
import { createTokenBucket } from './held/token-bucket.ts';
import { openHosted } from './hosted/open-hosted.ts';
import { startHttp10Listener } from './http/http10.ts';
import { httpMetrics } from './http/metrics.ts';
import { createPassthrough, type Passthrough } from './http/passthrough.ts';
import { type Server, startServer } from './http/server.ts';
import { createDiskQueue, type DiskQueue } from './instance/disk-queue.ts';
import { type FolderLine, joinMembership, type Membership } from './instance/membership.ts';
import { membershipMetrics } from './instance/membership-metrics.ts';
import { beatCommand } from './instance/membership-script.ts';
import { openRuntimeDir } from './instance/runtime-dir.ts';
import { type StateFolder, takeStateFolder } from './instance/state-folder.ts';
import { createAddressLimit } from './limits/address-limit.ts';
import { createCaps } from './limits/caps.ts';
import { limitMetrics } from './limits/metrics.ts';
import { createScanCount } from './limits/recorded-scans.ts';
import { createVerificationPagesOf } from './pages/index.ts';
import { createClickHouseSink } from './recording/clickhouse-sink.ts';
import {
  type ControlPlaneSinkOptions,
  createReportSink,
  createUnknownCodeSink,
  createVerificationSink,
  createViewSink,
} from './recording/control-plane-sink.ts';
import { scanDeliveryMetrics, spoolMetrics } from './recording/metrics.ts';
import { giveBack, openSpools } from './recording/open-spools.ts';
import { createRecorder } from './recording/recorder.ts';
import { createScanEncoder } from './recording/scan-encoder.ts';
import { type Sink, startShipper } from './recording/shipper.ts';
import { openSpool, type Spool, type SpoolOptions } from './recording/spool.ts';
import { createScanHandler } from './scan/handler.ts';
import { scanMetrics } from './scan/metrics.ts';
import { createVerifyPassword } from './scan/verify-password.ts';
import { reportMetrics } from './scan-reports/metrics.ts';
import { openScanReports } from './scan-reports/open-scan-reports.ts';
import { type Certificate, checkCertificate, type PemTexts, readCertificate } from './tls/certificate.ts';
import { unknownCodeMetrics } from './unknown-codes/metrics.ts';
import { createUnknownCodes, type UnknownCodes } from './unknown-codes/unknown-codes.ts';
import { createFacts } from './verify/facts.ts';
import { verificationDeliveryMetrics } from './verify/metrics.ts';
import { openVerification, type VerificationOptions } from './verify/open-verification.ts';
import { type ClientAddresses, createClientAddresses } from './visitor/client-addresses.ts';
import { openCountries } from './visitor/countries.ts';
import { createSharedSalt } from './visitor/shared-salt.ts';
import { createUserAgents } from './visitor/user-agents.ts';
import { createVisitorHasher, type VisitorHasher } from './visitor/visitor-hash.ts';

export interface Redirector extends Closeable {
  readonly metrics: Registry;
  /** The state folder, see state-folder.ts. */
  readonly folder: string;
  /** The services that the process uses, and whether each answers; the redirector serves without any of them. */
  health(): Record<string, boolean>;
  /** See {@link Domains.isCertified}. */
  isCertified: Domains['isCertified'];
  /** From now on closes connections after their answer, so that clients go elsewhere. */
  retire(): void;
  /** Closes after another process has taken over: also waits for kept-alive connections. */
  leave(): Promise<void>;
}

/** Used to open every other part. */
interface Opening {
  readonly config: Config;
  readonly logger: Logger;
  readonly closer: Closer;
  /** For the control plane. */
  readonly token: string;
  readonly redis: Redis;
  readonly verifying: VerificationOptions;
  readonly clickhouse: ClickHouseClient;
}

/** The one disk queue of a process, for DATA_DIR. */
export const createDataQueue = (): DiskQueue => createDiskQueue(capacities.diskTimeoutMs);

/**
 * @param diskQueue of this process
 * @param accepted the certificate, if a primary has checked it; otherwise it is read from its files
 * @param verifying limits and times of verifications; tests of faults use shorter ones
 * @throws if the port is taken, DATA_DIR cannot be written, or the certificate cannot be served
 */
export const startRedirector = (
  config: Config,
  logger: Logger,
  diskQueue = createDataQueue(),
  accepted?: PemTexts,
  verifying: VerificationOptions = verificationOptions(config),
): Promise<Redirector> =>
  orClosed((closer) => open(config, logger, diskQueue, closer, certificateOf(config, accepted), verifying));

const certificateOf = (
  { redirector: { tls }, qrHost }: Config,
  accepted: PemTexts | undefined,
): Certificate | undefined => {
  if (!tls) return undefined;
  return accepted ? checkCertificate(accepted, tls, qrHost) : readCertificate(tls, qrHost);
};

const open = async (
  config: Config,
  logger: Logger,
  diskQueue: DiskQueue,
  closer: Closer,
  certificate: Certificate | undefined,
  verifying: VerificationOptions,
): Promise<Redirector> => {
  const redis = openRedis(config, logger, closer, 'waymark-redirector', pipelined);
  const state = await openState(config, logger, diskQueue, closer, redis);
  const { folder, spools, membership } = state;
  const clickhouse = openClickHouse(config, closer);
  const token = internalToken(config.secretKey);
  const opening: Opening = { config, logger, closer, token, redis, clickhouse, verifying };

  const { recorder, ship, metrics: recordingMetrics } = openRecording(opening, spools.scans);
  const controlPlane = openControlPlane(closer, capacities.controlPlaneConnectionsMax);
  const documents = await openDocumentsOf(opening, controlPlane, folder, diskQueue);
  const { resolver, changes, sweep } = await openCodes(opening, controlPlane, folder, diskQueue, documents);
  const limits = openLimits(opening, membership);
  const visitorHasher = await openVisitorHasher(opening);
  const verification = openVerificationOf(opening, state, controlPlane, documents, visitorHasher);
  const reports = openReports(opening, spools.reports, controlPlane, documents);
  const domains = openDomains(opening, membership, documents, controlPlane);
  const scanHandler = createScanHandler({
    resolver,
    ...domains,
    ...limits,
    visitorHasher,
    recorder,
    reports,
    verifyPassword: openVerifyPassword(opening, controlPlane),
    logger,
    random: Math.random,
  });
  const gs1 = openGs1(opening, membership, {
    documents: documents.gs1,
    verifier: verification.verifier,
    visitorHasher,
    recorder,
  });
  const hosted = openHostedOf(opening, spools.views, controlPlane, membership, documents);
  const { upstream, passthrough } = openPassthrough(opening);
  const visitors = openVisitors(config);
  // Right after the last answer: scans are sent to all sinks at once, before slower parts close.
  closer.add(() => Promise.all([ship(), verification.ship(), reports.ship(), hosted.ship()]));
  const server = await startServer(
    {
      ...visitors,
      scanHandler,
      verifier: verification.verifier,
      gs1,
      ...domains,
      controlPlaneToken: token,
      ...hosted.served,
      recorder: { flush: () => Promise.all([recorder.flush().then(reports.flush), hosted.flush()]) }, // A scan is reported once stored.
      passthrough,
      certificate,
      logger,
    },
    config.host,
    config.redirector.port,
  );
  state.beginServing();
  verification.beginServing();
  let connectionsMs = Math.min(config.shutdownGraceMs, capacities.drainConnectionsMs);
  closer.add(() => server.close({ requestsMs: capacities.drainRequestsMs, connectionsMs }));
  if (config.redirector.http10Port !== undefined) {
    await openHttp10(opening, config.redirector.http10Port, server, visitors.clientAddresses, upstream);
  }
  logListening(config, folder, logger);
  const metrics = registerMetrics('waymark_redirector_', [
    ...httpMetrics(server, passthrough),
    ...scanMetrics(scanHandler),
    ...limitMetrics(limits.caps, limits.addressLimit),
    ...verification.metrics,
    ...gs1Metrics(gs1),
    ...codeMetrics(resolver, changes, sweep),
    ...documentMetrics(documents),
    ...domains.metrics,
    ...recordingMetrics,
    ...reports.metrics,
    ...hosted.metrics,
    ...membershipMetrics(membership),
  ]);
  registerProcessMetrics(metrics, capacities.loopDelayPrecisionMs);
  return {
    metrics,
    folder,
    health: () => ({ redis: redis.status === 'ready', changes: changes.statistics.following }),
    isCertified: domains.domains.isCertified,
    retire: () => server.retire(),
    leave() {
      connectionsMs = capacities.drainConnectionsMs;
      server.retire();
      return closer.close();
    },
    close: () => closer.close(),
  };
};

const logListening = ({ host, redirector: { port, tls } }: Config, folder: string, logger: Logger): void =>
  logger.info({ host, port, tls: tls !== undefined, folder }, 'redirector is listening');

const openClickHouse = ({ clickhouseUrl }: Config, closer: Closer): ClickHouseClient => {
  const clickhouse = createClickHouse(clickhouseUrl, 'waymark-redirector', capacities.insertTimeoutMs);
  closer.add(() => clickhouse.close());
  return clickhouse;
};

const pipelined = { pipelining: true, unpipelined: [beatCommand] };

/** A connection to Redis that closes with the process. */
const openRedis = (
  { redisUrl }: Config,
  logger: Logger,
  closer: Closer,
  name: string,
  options: Partial<Omit<RedisOptions, 'name'>> = {},
): Redis => {
  const redis = createRedis(
    redisUrl,
    { name, commandTimeoutMs: capacities.redisTimeoutMs, ...options },
    logger,
  );
  closer.add(() => redis.disconnect());
  return redis;
};

/**
 * The state folder with its spools, and the membership that announces the time up to which its scans are delivered.
 * Both close after the scans are delivered. A process that has answered no scan, and found none, has no line: if its
 * start is killed, no cap waits for it.
 */
const openState = async (
  config: Config,
  logger: Logger,
  diskQueue: DiskQueue,
  closer: Closer,
  redis: Redis,
) => {
  let joined: Membership | undefined;
  let serving = false;
  const processes = () => joined?.processes ?? 1;
  const { folder, used: spools } = await takeStateFolder(
    config.dataDir,
    (await openRuntimeDir(config.redirector.runtimeDir, config.dataDir)).path,
    async (taken) => {
      const open = (options: SpoolOptions) => () => openSpool(options, diskQueue, logger);
      const [scans, verifications, reports, views] = await openSpools([
        open(spoolOptions(config, taken, processes)),
        open(verificationSpoolOptions(config, taken)),
        open(reportSpoolOptions(config, taken)),
        open(viewSpoolOptions(config, taken)),
      ]);
      return { scans, verifications, reports, views };
    },
    (left, error) =>
      logger.error({ err: error, folder: left }, 'the state folder cannot be used; leaving it as it is'),
  );
  closer.add(() => giveBack(folder, Object.values(spools)));
  warnWithoutRuntime(folder, logger);
  /** The process's line in a membership, while it serves or rows wait in the spool. */
  const linesOf = (spool: Spool) => (): FolderLine[] => {
    const waitedMs = spool.oldestAgeMs();
    return serving || waitedMs > 0 ? [{ id: folder.id, living: serving, waitedMs }] : [];
  };
  const membership = joinMembership(redis, linesOf(spools.scans), logger);
  joined = membership;
  closer.add(() => membership.close());
  const beginServing = (): void => {
    serving = true;
    membership.beat().catch((error) => logger.debug({ err: error }, 'Redis did not take the heartbeat'));
  };
  return {
    folder: folder.path,
    spools,
    membership,
    verificationLines: linesOf(spools.verifications),
    beginServing,
  };
};

const warnWithoutRuntime = ({ path: folder, runtime, whyNoRuntime }: StateFolder, logger: Logger): void => {
  if (runtime === undefined)
    logger.error(
      { err: whyNoRuntime, folder },
      'the state folder has nothing in RUNTIME_DIR until the next start: scans are answered once the disk has them, or memory if it takes none',
    );
};

/**
 * Sends the rows of a spool.
 * @param rows name of the rows, for the log
 * @returns also `ship`, which sends as many as it can before the process ends, once
 */
const startShipping = (spool: Spool, sink: Sink, rows: string, closer: Closer, logger: Logger) => {
  const shipper = startShipper(spool, sink, logger);
  const shipping = createCloser();
  shipping.add(async () => {
    const deadline = Date.now() + capacities.drainScansMs;
    await spool.rotate();
    const left = await shipper.stop(capacities.drainScansMs);
    // Unsent rows go to the disk, which may be back within the same time.
    await spool.close(Math.max(0, deadline - Date.now()));
    if (left.rows > 0) logger.warn({ rows: left.rows }, `${rows} stay in the spool until the next start`);
    else logger.info(`all ${rows} are sent`);
  });
  const ship = () => shipping.close();
  closer.add(ship);
  return { shipper, ship };
};

/** The path of a scan to ClickHouse. */
const openRecording = ({ config, logger, closer, clickhouse }: Opening, spool: Spool) => {
  const sink = createClickHouseSink(clickhouse, logger, config.redirector.insertCompression);
  const { shipper, ship } = startShipping(spool, sink, 'scans', closer, logger);
  const encoder = createScanEncoder(randomBootId());
  const scanIds = createScanIds(deriveKey(config.secretKey, 'scan-id'));
  const recorder = {
    ...createRecorder(encoder, capacities.batchBytes, spool),
    nextScanId: ({ codeId, tsMs }: Pick<ScanEvent, 'codeId' | 'tsMs'>) =>
      scanIds.write({ eventId: encoder.nextEventId(), codeId, tsMs }),
  };
  const metrics = [...spoolMetrics(spool), ...scanDeliveryMetrics(spool, shipper)];
  return { recorder, ship, metrics };
};

const randomBootId = (): [number, number] => {
  const bytes = randomBytes(8);
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
};

/** Connections for lookups. */
const openControlPlane = (closer: Closer, connections: number): Agent => {
  const controlPlane = new Agent({
    connections,
    pipelining: 1,
    connect: { timeout: capacities.connectTimeoutMs },
  });
  closer.add(() => controlPlane.close());
  return controlPlane;
};

const openVerifyPassword = ({ config, logger, token }: Opening, controlPlane: Agent) =>
  createVerifyPassword(
    config.controlPlane.internalUrl,
    token,
    capacities.passwordTimeoutMs,
    controlPlane,
    logger,
  );

const lookupsAt = ({ config, token }: Opening, dispatcher: Agent): ControlPlane => ({
  internalUrl: config.controlPlane.internalUrl,
  token,
  timeoutMs: capacities.lookupTimeoutMs,
  dispatcher,
});

/** The documents of each kind, which the change stream follows like codes. */
const openDocumentsOf = (
  opening: Opening,
  controlPlane: Agent,
  folder: string,
  diskQueue: DiskQueue,
): Promise<OpenDocuments> => {
  const { config, logger, closer, redis } = opening;
  return openDocuments({
    store: {
      ...documentCapacities,
      freshMs: config.redirector.recordFreshMs,
      staleMaxMs: config.redirector.recordStaleMaxMs,
    },
    pages: pageCapacities,
    aliases: aliasDocumentCapacities,
    takeUnknownAlias: createTokenBucket(aliasCapacities.unknownPerSecond, () => performance.now()),
    controlPlaneOfPages: lookupsAt(opening, openControlPlane(closer, capacities.pageConnectionsMax)),
    snapshot: { ...snapshotCapacities, folder },
    redis,
    controlPlane: lookupsAt(opening, controlPlane),
    diskQueue,
    closer,
    logger,
  });
};

/**
 * The lookups from the Host header to a workspace's domain, from a workspace to its brand, from an alias to its code; unknown
 * codes of domains.
 */
const openDomains = (
  opening: Opening,
  membership: Membership,
  documents: OpenDocuments,
  controlPlane: Agent,
) => {
  const { config, logger } = opening;
  const ownHosts = [config.qrHost, config.baseUrl].map((origin) => new URL(origin).hostname);
  const domains = createDomains({ ...domainCapacities, ownHosts }, documents.domains, logger);
  const aliases = openAliases(opening, membership, documents);
  const unknownCodes = openUnknownCodes(opening, controlPlane);
  return {
    ownHost: new URL(config.qrHost).host,
    qrHost: config.qrHost,
    domains,
    brands: createBrands(documents.brands, logger),
    aliases,
    unknownCodes,
    metrics: [...domainMetrics(domains), ...aliasMetrics(aliases), ...unknownCodeMetrics(unknownCodes)],
  };
};

/** What tells visitors apart. */
const openVisitors = ({ trustedProxies, countryDatabase, countryHeader, proxyProtocol }: Config) => ({
  userAgents: createUserAgents(capacities.userAgentsMax),
  clientAddresses: createClientAddresses({
    trustedProxies,
    capacity: capacities.addressesMax,
    countries: openCountries(countryDatabase),
  }),
  countryHeader,
  proxyProtocol,
});

/** The lookup from an id to its record, the change stream, and the sweep. */
const openCodes = async (
  opening: Opening,
  controlPlane: Agent,
  folder: string,
  diskQueue: DiskQueue,
  documents: OpenDocuments,
) => {
  const { config, logger, closer, redis } = opening;
  const codeIds = createCodeIds(deriveKey(config.secretKey, 'code-id'));
  const resolver = createResolver(
    {
      ...recordCapacities,
      codesMax: config.redirector.codesMax,
      freshMs: config.redirector.recordFreshMs,
      staleMaxMs: config.redirector.recordStaleMaxMs,
    },
    createSources(codeTexts, redis, lookupsAt(opening, controlPlane)),
    codeIds.isGenuine,
    logger,
  );
  const snapshotOptions = { ...snapshotCapacities, folder };
  const snapshot = await openSnapshot(codeSnapshot, snapshotOptions, resolver, diskQueue, logger);
  closer.add(() => snapshot.close());
  const streamRedis = createRedis(
    config.redisUrl,
    { name: 'waymark-redirector-stream', commandTimeoutMs: capacities.redisStreamTimeoutMs },
    logger,
  );
  const changes = followChanges(streamRedis, resolver, logger, Object.values(documents));
  closer.add(() => changes.close());
  const sweep = startSweep(
    config.redirector.recordStaleMaxMs,
    resolver,
    createVersionSource(lookupsAt(opening, controlPlane)),
    logger,
  );
  closer.add(() => sweep.close());
  return { resolver, changes, sweep };
};

/** How often an address may scan, and how often a code may be scanned. */
const openLimits = ({ logger, closer, redis, clickhouse }: Opening, membership: Membership) => {
  const addressLimit = createAddressLimit(addressLimitOptions, redis, () => membership.processes, logger);
  closer.add(() => addressLimit.close());
  const caps = createCaps(capOptions, redis, membership, createScanCount(clickhouse), logger);
  closer.add(() => caps.close());
  return { addressLimit, caps };
};

const sinkOptionsOf = (
  { controlPlane: { internalUrl } }: Config,
  token: string,
): ControlPlaneSinkOptions => ({
  internalUrl,
  token,
  timeoutMs: capacities.insertTimeoutMs,
});

/** Reports of scans for webhooks, and their delivery to the control plane. */
const openReports = (
  { config, logger, closer, token }: Opening,
  spool: Spool,
  controlPlane: Agent,
  { workspaces }: OpenDocuments,
) => {
  const sink = createReportSink(sinkOptionsOf(config, token), controlPlane);
  const { shipper, ship } = startShipping(spool, sink, 'scan reports', closer, logger);
  const reports = openScanReports({ batchBytes: capacities.batchBytes, workspaces, spool, logger });
  return { ...reports, ship, metrics: reportMetrics(reports, spool, shipper) };
};

/** Scans of unknown codes at domains, on their way to the control plane. */
const openUnknownCodes = ({ config, logger, closer, token }: Opening, controlPlane: Agent): UnknownCodes => {
  const sink = createUnknownCodeSink(sinkOptionsOf(config, token), controlPlane);
  const options = { ...unknownCodeOptions, name: randomBytes(12).toString('hex') };
  const unknownCodes = createUnknownCodes(options, sink, logger);
  closer.add(() => unknownCodes.close());
  return unknownCodes;
};

/** Hosted pages from memory, and the delivery of their views to the control plane. */
const openHostedOf = (
  { config, logger, closer, token, redis }: Opening,
  spool: Spool,
  controlPlane: Agent,
  membership: Membership,
  { pages }: OpenDocuments,
) => {
  const sink = createViewSink(sinkOptionsOf(config, token), controlPlane);
  const { shipper, ship } = startShipping(spool, sink, 'views of pages', closer, logger);
  const addressLimit = createAddressLimit(pageLimitOptions, redis, () => membership.processes, logger);
  closer.add(() => addressLimit.close());
  const secure = config.qrHost.startsWith('https:');
  const { batchBytes } = capacities;
  const tokens = formTokens(config.secretKey);
  const hosted = openHosted({ batchBytes, spool, shipper, addressLimit, tokens, secure, logger });
  return { ...hosted, served: { pageServer: hosted.pageServer, pageDocuments: pages }, ship };
};

/** The verification of serialized items, and its delivery to the control plane. */
const openVerificationOf = (
  { config, logger, closer, token, redis, verifying }: Opening,
  { spools, verificationLines }: Awaited<ReturnType<typeof openState>>,
  controlPlane: Agent,
  { batches, marks }: OpenDocuments,
  visitorHasher: VisitorHasher,
) => {
  const { internalUrl } = config.controlPlane;
  const spool = spools.verifications;
  const sink = createVerificationSink(sinkOptionsOf(config, token), controlPlane);
  const shipping = startShipping(spool, sink, 'verifications', closer, logger);
  const verification = openVerification({
    options: verifying,
    keys: createSerialKeys(config),
    internalUrl,
    token,
    redis,
    controlPlane,
    spool,
    lines: verificationLines,
    facts: createFacts({ batches, marks }, logger),
    visitorHasher,
    pages: createVerificationPagesOf(new URL(config.qrHost).host),
    closer,
    logger,
  });
  return {
    ...verification,
    ship: shipping.ship,
    metrics: [
      ...verification.metrics,
      ...spoolMetrics(spool, 'verification_'),
      ...verificationDeliveryMetrics(spool, shipping.shipper),
    ],
  };
};

/** The lookup from an alias to the id of its code. */
const openAliases = (
  { closer, redis, logger }: Opening,
  membership: Membership,
  { aliases }: OpenDocuments,
): Aliases => {
  const addressLimit = createAddressLimit(aliasLimitOptions, redis, () => membership.processes, logger);
  closer.add(() => addressLimit.close());
  return createAliases(aliasCapacities, aliases, addressLimit, logger);
};

/** The resolver of GS1 Digital Links. */
const openGs1 = (
  { config, logger, closer, redis }: Opening,
  membership: Membership,
  parts: Pick<Gs1ResolverParts, 'documents' | 'verifier' | 'visitorHasher' | 'recorder'>,
): Gs1Resolver => {
  const addressLimit = createAddressLimit(gs1LimitOptions, redis, () => membership.processes, logger);
  closer.add(() => addressLimit.close());
  return createGs1Resolver({ ...parts, addressLimit, root: config.qrHost, logger });
};

/** The hasher of visitors; waits a while for the shared salt. */
const openVisitorHasher = async ({ config, logger, closer, redis }: Opening): Promise<VisitorHasher> => {
  const sharedSalt = createSharedSalt(redis, deriveKey(config.secretKey, 'visitor'), logger);
  const visitorHasher = createVisitorHasher(redis, sharedSalt, logger);
  closer.add(() => visitorHasher.close());
  await Promise.race([visitorHasher.shared, sleep(capacities.saltWaitMs)]);
  return visitorHasher;
};

/** All requests except scans go to the control plane. */
const openPassthrough = ({ config, closer, token }: Opening) => {
  // As many connections as requests, so that none waits in an unbounded queue.
  const upstream = new Agent({
    connections: passthroughOptions.concurrentMax,
    pipelining: 1,
    connect: { timeout: capacities.connectTimeoutMs },
  });
  closer.add(() => upstream.close());
  const passthrough: Passthrough = createPassthrough(upstream, {
    ...passthroughOptions,
    upstreamUrl: config.controlPlane.url,
    token,
  });
  return { upstream, passthrough };
};

/** The port for proxies that speak HTTP/1.0: it forwards requests to this process's own server. */
const openHttp10 = async (
  { config, logger, closer }: Opening,
  port: number,
  server: Server,
  clientAddresses: ClientAddresses,
  upstream: Agent,
): Promise<void> => {
  const ownToken = randomBytes(32).toString('base64url');
  const http10 = await startHttp10Listener({
    host: config.host,
    port,
    clientAddresses,
    countryHeader: config.countryHeader,
    passthrough: createPassthrough(upstream, {
      ...passthroughOptions,
      upstreamUrl: `http://127.0.0.1:${await server.listenForOwn(ownToken)}`,
      token: ownToken,
    }),
    logger,
  });
  closer.add(() => http10.close());
};
