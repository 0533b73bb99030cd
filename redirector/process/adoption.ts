/**
 * What one process of an instance does for all: it sends what earlier processes left behind, and says in the registry
 * that something is left. With several workers the primary does it, which redirects nobody, else the process itself.
 */
import type { Registry } from 'prom-client';
import { createClickHouse } from '#shared/clickhouse.ts';
import type { Config } from '#shared/config.ts';
import { type Closeable, createCloser } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { type MetricDefinition, registerMetrics } from '#shared/prometheus.ts';
import { createRedis } from '#shared/redis.ts';
import { capacities, spoolOptions } from '../capacities.ts';
import type { DiskLane } from '../instance/disk-lane.ts';
import { joinMembership } from '../instance/membership.ts';
import { createClickHouseSink } from '../recording/clickhouse-sink.ts';
import { adoptOrphans, type Orphans } from '../recording/orphans.ts';
import { openSpool } from '../recording/spool.ts';

const everyMs = 60_000;
/** Longer than a segment is tried for that ClickHouse refuses, see shipper.ts. */
const turnMs = 60_000;

export interface Adoption extends Closeable {
  readonly metrics: Registry;
}

const orphanMetrics = ({ statistics }: Orphans): MetricDefinition[] => [
  {
    type: 'gauge',
    name: 'orphan_folders',
    help: 'Folders of gone processes whose scans wait',
    value: () => statistics.folders,
  },
  { type: 'gauge', name: 'orphan_rows', help: 'Scans that wait in them', value: () => statistics.rows },
  { type: 'gauge', name: 'orphan_bytes', help: 'Bytes that wait in them', value: () => statistics.bytes },
  {
    type: 'gauge',
    name: 'orphan_folders_unusable',
    help: 'Folders that cannot be opened',
    value: () => statistics.unusable,
  },
  {
    type: 'counter',
    name: 'orphan_rows_sent_total',
    help: 'Scans of gone processes sent',
    value: () => statistics.rowsSent,
  },
];

/**
 * @param reserved see {@link adoptOrphans}: undefined until the processes of this start have their folders
 * @param lane of this process, whatever else it does in DATA_DIR
 */
export const startAdoption = (
  config: Config,
  reserved: () => ReadonlySet<string> | undefined,
  lane: DiskLane,
  logger: Logger,
): Adoption => {
  const closer = createCloser();
  const clickhouse = createClickHouse(config.clickhouseUrl, 'waymark-redirector', capacities.insertTimeoutMs);
  closer.add(() => clickhouse.close());
  const redis = createRedis(
    config.redisUrl,
    { name: 'waymark-redirector-orphans', commandTimeoutMs: capacities.redisTimeoutMs },
    logger,
  );
  closer.add(() => redis.disconnect());
  const orphans = adoptOrphans(
    {
      dataDir: config.dataDir,
      everyMs,
      turnMs,
      reserved,
      announce: () =>
        membership.beat().catch((error) => logger.debug({ err: error }, 'redis did not take the heartbeat')),
    },
    (folder) =>
      openSpool(
        spoolOptions(config, folder.path, () => 1),
        lane,
        logger,
      ),
    createClickHouseSink(clickhouse),
    lane,
    logger,
  );
  const membership = joinMembership(redis, () => orphans.lines(), logger);
  closer.add(() => membership.close());
  closer.add(() => orphans.close());
  return {
    metrics: registerMetrics('waymark_redirector_', orphanMetrics(orphans)),
    close: () => closer.close(),
  };
};
