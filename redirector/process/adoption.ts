/**
 * What one process of an instance does for all: it sends what earlier processes left behind, and says in the registry
 * that something is left. With several workers the primary does it, which redirects nobody, else the process itself.
 */
import { Counter, Gauge, Registry } from 'prom-client';
import { createClickHouse } from '#shared/clickhouse.ts';
import type { Config } from '#shared/config.ts';
import { type Closeable, createCloser } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createRedis } from '#shared/redis.ts';
import type { DiskLane } from '../instance/disk-lane.ts';
import { joinRegistry } from '../instance/membership.ts';
import { createClickHouseSink } from '../recording/clickhouse-sink.ts';
import { adoptOrphans, type Orphans } from '../recording/orphans.ts';
import { openSpool } from '../recording/spool.ts';
import { limits, spoolOptions } from '../redirector.ts';

const everyMs = 60_000;
/** Longer than a segment is tried for that ClickHouse refuses, see shipper.ts. */
const turnMs = 60_000;

export interface Adoption extends Closeable {
  readonly metrics: Registry;
}

const createMetrics = ({ statistics }: Orphans): Registry => {
  const registry = new Registry();
  const define = (Metric: typeof Counter | typeof Gauge, name: string, help: string, value: () => number) => {
    new Metric({
      name: `waymark_redirector_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  };
  define(Gauge, 'orphan_folders', 'Folders of gone processes whose scans wait', () => statistics.folders);
  define(Gauge, 'orphan_rows', 'Scans that wait in them', () => statistics.rows);
  define(Gauge, 'orphan_bytes', 'Bytes that wait in them', () => statistics.bytes);
  define(Gauge, 'orphan_folders_unusable', 'Folders that cannot be opened', () => statistics.unusable);
  define(Counter, 'orphan_rows_sent_total', 'Scans of gone processes sent', () => statistics.rowsSent);
  return registry;
};

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
  const clickhouse = createClickHouse(config.clickhouseUrl, 'waymark-redirector', limits.insertTimeoutMs);
  closer.add(() => clickhouse.close());
  const redis = createRedis(
    config.redisUrl,
    { name: 'waymark-redirector-orphans', commandTimeoutMs: limits.redisTimeoutMs },
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
        registry.beat().catch((error) => logger.debug({ err: error }, 'redis did not take the heartbeat')),
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
  const registry = joinRegistry(redis, () => orphans.lines(), logger);
  closer.add(() => registry.close());
  closer.add(() => orphans.close());
  return { metrics: createMetrics(orphans), close: () => closer.close() };
};
