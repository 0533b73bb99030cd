/**
 * One process of an instance sends the scans, verifications, scan reports and views of pages left by earlier processes, and announces
 * them in the membership. With several workers it is the primary, which does not redirect; otherwise it is the only
 * process.
 */
import type { Registry } from 'prom-client';
import { Agent } from 'undici';
import { createClickHouse } from '#shared/clickhouse.ts';
import type { Config } from '#shared/config.ts';
import { type Closeable, type Closer, orClosed } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { gauge, type MetricDefinition, registerMetrics } from '#shared/prometheus.ts';
import { createRedis } from '#shared/redis.ts';
import { internalToken } from '#shared/signing.ts';
import {
  capacities,
  reportSpoolOptions,
  reportsFolder,
  scansFolder,
  spoolOptions,
  verificationMembership,
  verificationSpoolOptions,
  verificationsFolder,
  viewSpoolOptions,
  viewsFolder,
} from '../capacities.ts';
import type { DiskQueue } from '../instance/disk-queue.ts';
import { joinMembership } from '../instance/membership.ts';
import { openRuntimeDir, type RuntimeDir, removeUnnamed, warnOfDefault } from '../instance/runtime-dir.ts';
import { stateFoldersOf } from '../instance/state-folder.ts';
import { createClickHouseSink } from '../recording/clickhouse-sink.ts';
import { createReportSink, createVerificationSink, createViewSink } from '../recording/control-plane-sink.ts';
import { orphanMetrics } from '../recording/metrics.ts';
import { startOrphanShipper } from '../recording/orphan-shipper.ts';
import { createRowReader } from '../recording/segment-reader.ts';
import { openSpool } from '../recording/spool.ts';

const everyMs = 60_000;
/** Longer than a segment that ClickHouse refuses is retried, see shipper.ts. */
const folderMs = 60_000;

const runtimeMetrics = ({ outlivesContainer }: RuntimeDir): MetricDefinition[] => [
  gauge(
    'runtime_dir_outlives_container',
    '0 if RUNTIME_DIR ends with this container: then a killed container loses up to 20 ms of scans',
    () => Number(outlivesContainer),
  ),
];

export interface OrphanDelivery extends Closeable {
  readonly metrics: Registry;
}

/**
 * @throws if DATA_DIR cannot be read
 * @param reserved see {@link startOrphanShipper}: undefined until the processes of this start have their folders
 * @param diskQueue this process's queue for DATA_DIR
 */
export const startOrphanDelivery = async (
  config: Config,
  reserved: () => ReadonlySet<string> | undefined,
  diskQueue: DiskQueue,
  logger: Logger,
): Promise<OrphanDelivery> => orClosed((closer) => open(config, reserved, diskQueue, logger, closer));

const open = async (
  config: Config,
  reserved: () => ReadonlySet<string> | undefined,
  diskQueue: DiskQueue,
  logger: Logger,
  closer: Closer,
): Promise<OrphanDelivery> => {
  const runtimeDir = await openRuntimeDir(config.redirector.runtimeDir, config.dataDir);
  warnOfDefault(runtimeDir, logger);
  await removeUnnamed(runtimeDir.path, stateFoldersOf(config.dataDir), logger);
  const clickhouse = createClickHouse(config.clickhouseUrl, 'waymark-redirector', capacities.insertTimeoutMs);
  closer.add(() => clickhouse.close());
  const redis = createRedis(
    config.redisUrl,
    { name: 'waymark-redirector-orphans', commandTimeoutMs: capacities.redisTimeoutMs },
    logger,
  );
  closer.add(() => redis.disconnect());
  const controlPlane = new Agent({
    // One per sink.
    connections: 3,
    pipelining: 1,
    connect: { timeout: capacities.connectTimeoutMs },
  });
  closer.add(() => controlPlane.close());
  // Folders take turns: each delivery needs the memory of one segment, however many folders there are.
  const rowsOfScans = createRowReader();
  const rowsOfVerifications = createRowReader();
  const rowsOfReports = createRowReader();
  const rowsOfViews = createRowReader();
  const sinkOptions = {
    internalUrl: config.controlPlane.internalUrl,
    token: internalToken(config.secretKey),
    timeoutMs: capacities.insertTimeoutMs,
  };
  const announce = () =>
    Promise.all(memberships.map((membership) => membership.beat())).catch((error) =>
      logger.debug({ err: error }, 'Redis did not take the heartbeat'),
    );
  const shipper = await startOrphanShipper(
    { dataDir: config.dataDir, runtimeDir: runtimeDir.path, everyMs, folderMs, reserved, announce },
    [
      {
        spool: scansFolder,
        open: (folder) =>
          openSpool(
            spoolOptions(config, folder, () => 1),
            diskQueue,
            logger,
            rowsOfScans,
          ),
        sink: createClickHouseSink(clickhouse, logger, config.redirector.insertCompression),
      },
      {
        spool: verificationsFolder,
        open: (folder) =>
          openSpool(verificationSpoolOptions(config, folder), diskQueue, logger, rowsOfVerifications),
        sink: createVerificationSink(sinkOptions, controlPlane),
      },
      {
        spool: reportsFolder,
        open: (folder) => openSpool(reportSpoolOptions(config, folder), diskQueue, logger, rowsOfReports),
        sink: createReportSink(sinkOptions, controlPlane),
      },
      {
        spool: viewsFolder,
        open: (folder) => openSpool(viewSpoolOptions(config, folder), diskQueue, logger, rowsOfViews),
        sink: createViewSink(sinkOptions, controlPlane),
      },
    ],
    diskQueue,
    logger,
  );
  const memberships = [
    joinMembership(redis, () => shipper.lines(0), logger),
    joinMembership(redis, () => shipper.lines(1), logger, verificationMembership),
  ];
  for (const membership of memberships) closer.add(() => membership.close());
  // Before the first search: lines of an earlier, killed start are removed along with these.
  void announce();
  closer.add(() => shipper.close());
  return {
    metrics: registerMetrics('waymark_redirector_', [
      ...orphanMetrics(shipper),
      ...runtimeMetrics(runtimeDir),
    ]),
    close: () => closer.close(),
  };
};
