/** A redirector of one process, without a primary. */
import type { Config } from '#shared/config.ts';
import { createCloser, type Running } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createDataQueue, type Redirector, startRedirector } from '../redirector.ts';
import { startInternalListener } from './internal-listener.ts';
import { startOrphanDelivery } from './orphan-delivery.ts';

/** @throws when a port is taken or DATA_DIR cannot be written */
export const startSingleProcess = async (config: Config, logger: Logger): Promise<Running> => {
  const closer = createCloser();
  const diskQueue = createDataQueue();
  let redirector: Redirector | undefined;
  let retiring = false;
  // First, since this port is not shared.
  const internal = await startInternalListener(config, {
    metrics: async () =>
      `${await orphanDelivery.metrics.metrics()}\n${(await redirector?.metrics.metrics()) ?? ''}`,
    ready: () => redirector !== undefined && !retiring,
    health: () => redirector?.health() ?? {},
  });
  closer.add(() => internal.close());
  const orphanDelivery = startOrphanDelivery(
    config,
    () => redirector && new Set([redirector.folder]),
    diskQueue,
    logger,
  );
  closer.add(() => orphanDelivery.close());
  const started = await startRedirector(config, logger, diskQueue);
  closer.add(() => started.close());
  redirector = started;
  return {
    retire() {
      retiring = true;
      started.retire();
    },
    close: () => closer.close(),
  };
};
