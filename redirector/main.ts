/**
 * The redirector's process. With one worker it redirects itself; with more it starts that many processes, which share
 * the public port (SO_REUSEPORT), restarts those that die, and answers metrics and health for all of them.
 */
import cluster from 'node:cluster';
import v8 from 'node:v8';
import { AggregatorRegistry } from 'prom-client';
import type { Config } from '#shared/config.ts';
import { type Closeable, createCloser, runProcess } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { startInternalListener } from './internal-listener.ts';
import { startRedirector } from './redirector.ts';
import { startWorkers, workerReady } from './workers.ts';

/**
 * Held codes fill the heap and live long. V8 lets a heap double before it collects, and keeps what it took: with a quarter
 * a million codes took 450 MB instead of 560, and collecting is still less than a hundredth of the work.
 */
const heapGrowingPercent = 25;

const startAlone = async (config: Config, logger: Logger): Promise<Closeable> => {
  const closer = createCloser();
  const redirector = await startRedirector(config, logger);
  closer.add(() => redirector.close());
  const internal = await startInternalListener(config, {
    metrics: () => redirector.metrics.metrics(),
    health: () => redirector.health(),
  });
  closer.add(() => internal.close());
  return closer;
};

const startWorker = async (config: Config, logger: Logger): Promise<Closeable> => {
  const redirector = await startRedirector(config, logger);
  AggregatorRegistry.setRegistries(redirector.metrics);
  new AggregatorRegistry(); // answers the primary's question for metrics
  process.send?.(workerReady);
  return redirector;
};

const startPrimary = async (config: Config, logger: Logger): Promise<Closeable> => {
  const closer = createCloser();
  const workers = await startWorkers(config.redirector.workers, logger);
  closer.add(() => workers.close());
  const registry = new AggregatorRegistry();
  const internal = await startInternalListener(config, {
    metrics: () => registry.clusterMetrics(),
    health: () => ({ workers: workers.running === config.redirector.workers }),
  });
  closer.add(() => internal.close());
  return closer;
};

v8.setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
await runProcess('redirector', (config, logger) => {
  if (cluster.isWorker) return startWorker(config, logger);
  return config.redirector.workers > 1 ? startPrimary(config, logger) : startAlone(config, logger);
});
