/** The process that manages several workers. It does not redirect, and does the tasks that an instance does once. */
import { AggregatorRegistry } from 'prom-client';
import type { Config } from '#shared/config.ts';
import { type Closer, orClosed, type Running } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { counter, gauge, type MetricDefinition, registerMetrics } from '#shared/prometheus.ts';
import { createDataQueue } from '../redirector.ts';
import { answerWorker } from './certificate-exchange.ts';
import { askWorkers } from './certificate-names.ts';
import { onHangup } from './hangup.ts';
import { startInternalListener } from './internal-listener.ts';
import { warnWithoutMigration } from './listener-migration.ts';
import { type OrphanDelivery, startOrphanDelivery } from './orphan-delivery.ts';
import { checkInstanceCertificate } from './tls-certificate.ts';
import { startWorkers, type Workers } from './workers.ts';

const workerMetrics = (workers: () => Workers | undefined): MetricDefinition[] => [
  gauge('workers', 'Workers that redirect', () => workers()?.running ?? 0),
  counter('worker_deaths_total', 'Workers that died and were started again', () => workers()?.deaths ?? 0),
];

/**
 * SIGHUP replaces the workers one by one, unless the certificate cannot be used.
 * @throws if a port is taken, DATA_DIR cannot be written, or the certificate cannot be used
 */
export const startPrimary = (config: Config, logger: Logger): Promise<Running> =>
  orClosed((closer) => open(config, logger, closer));

const open = async (config: Config, logger: Logger, closer: Closer): Promise<Running> => {
  let workers: Workers | undefined;
  let orphanDelivery: OrphanDelivery | undefined;
  let retiring = false;
  const certificate = checkInstanceCertificate(config, logger);
  const ofWorkers = new AggregatorRegistry();
  const own = registerMetrics('waymark_redirector_', [
    ...workerMetrics(() => workers),
    ...(certificate?.metrics ?? []),
  ]);
  // First, because this port is not shared.
  const internal = await startInternalListener(config, {
    async metrics() {
      // Fails if a worker dies before it has answered.
      const workersMetrics = ofWorkers.clusterMetrics().catch((error) => {
        logger.warn(
          { err: error },
          'not every worker returned its metrics: leaving out the metrics of all workers',
        );
        return '';
      });
      const parts = [own.metrics(), orphanDelivery?.metrics.metrics(), workersMetrics];
      return (await Promise.all(parts)).join('\n');
    },
    ready: () => (workers?.running ?? 0) > 0 && !retiring,
    health: () => ({ workers: workers?.running === config.redirector.workers }),
    isCertified: askWorkers,
  });
  closer.add(() => internal.close());
  orphanDelivery = await startOrphanDelivery(config, () => workers?.folders(), createDataQueue(), logger);
  closer.add(() => orphanDelivery?.close());
  const started = await startWorkers(
    config.redirector.workers,
    (worker) => certificate && answerWorker(worker, () => certificate.accepted),
    logger,
  );
  closer.add(() => started.close());
  workers = started;
  onHangup(() => {
    const goBack = certificate?.renew();
    if (certificate && !goBack) return;
    logger.info('replacing the workers');
    warnWithoutMigration(logger);
    void started.replaceAll().then((replaced) => replaced || goBack?.());
  });
  return {
    retire() {
      retiring = true;
      started.retire();
    },
    close: () => closer.close(),
  };
};
