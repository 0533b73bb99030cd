/** Starts what this process is: a primary, one of its workers, or a redirector of one process. */
import cluster from 'node:cluster';
import v8 from 'node:v8';
import { AggregatorRegistry } from 'prom-client';
import './thread-pool.ts';
import type { Config } from '#shared/config.ts';
import { type Running, runProcess } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createDataQueue, startRedirector } from '../redirector.ts';
import { askPrimary } from './certificate-exchange.ts';
import { answerPrimary } from './certificate-names.ts';
import { startPrimary } from './primary.ts';
import { startSingleProcess } from './single-process.ts';
import { leaveMessage, type ReadyMessage, stopWithoutPrimary } from './workers.ts';

/**
 * V8 lets a heap double before it collects, and keeps the memory. Most held records are outside the heap
 * (codes/cells.ts); for records that are objects, with rules or long destinations, growth by a quarter keeps the memory
 * down.
 */
const heapGrowingPercent = 25;

const startWorker = async (config: Config, logger: Logger): Promise<Running> => {
  const accepted = config.redirector.tls && (await askPrimary());
  stopWithoutPrimary(logger);
  const redirector = await startRedirector(config, logger, createDataQueue(), accepted);
  AggregatorRegistry.setRegistries(redirector.metrics);
  new AggregatorRegistry(); // answers the primary's request for metrics
  answerPrimary(redirector.isCertified);
  process.on('message', (message) => {
    if (message === leaveMessage) void redirector.leave().then(() => process.exit(0));
  });
  const ready: ReadyMessage = { type: 'ready', folder: redirector.folder };
  process.send?.(ready, undefined, undefined, () => {
    // Fails if the primary is gone, which stops the worker.
  });
  return redirector;
};

v8.setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
await runProcess('redirector', (config, logger) => {
  if (cluster.isWorker) return startWorker(config, logger);
  return config.redirector.workers > 1 ? startPrimary(config, logger) : startSingleProcess(config, logger);
});
