/** A redirector of one process: it redirects, and answers for itself. */
import type { Config } from '#shared/config.ts';
import { createCloser, type Running } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createDataLane, type Redirector, startRedirector } from '../redirector.ts';
import { startAdoption } from './adoption.ts';
import { startInternalListener } from './internal-listener.ts';

/** @throws when a port is taken or DATA_DIR cannot be written */
export const startAlone = async (config: Config, logger: Logger): Promise<Running> => {
  const closer = createCloser();
  const lane = createDataLane();
  let redirector: Redirector | undefined;
  let retiring = false;
  // First, since this port is nobody else's.
  const internal = await startInternalListener(config, {
    metrics: async () =>
      `${await adoption.metrics.metrics()}\n${(await redirector?.metrics.metrics()) ?? ''}`,
    ready: () => redirector !== undefined && !retiring,
    health: () => redirector?.health() ?? {},
  });
  closer.add(() => internal.close());
  const adoption = startAdoption(config, () => redirector && new Set([redirector.folder]), lane, logger);
  closer.add(() => adoption.close());
  const started = await startRedirector(config, logger, lane);
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
