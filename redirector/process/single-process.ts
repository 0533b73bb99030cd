/** A redirector of one process, without a primary. */
import type { Config } from '#shared/config.ts';
import { type Closer, orClosed, type Running } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { registerMetrics } from '#shared/prometheus.ts';
import { createDataQueue, type Redirector, startRedirector } from '../redirector.ts';
import { onHangup } from './hangup.ts';
import { startInternalListener } from './internal-listener.ts';
import { type OrphanDelivery, startOrphanDelivery } from './orphan-delivery.ts';
import { checkInstanceCertificate } from './tls-certificate.ts';

/**
 * SIGHUP has nothing to replace, and must not end the process, as it would by default.
 * @throws if a port is taken, DATA_DIR cannot be written, or the certificate cannot be used
 */
export const startSingleProcess = (config: Config, logger: Logger): Promise<Running> =>
  orClosed((closer) => open(config, logger, closer));

const open = async (config: Config, logger: Logger, closer: Closer): Promise<Running> => {
  const diskQueue = createDataQueue();
  let redirector: Redirector | undefined;
  let orphanDelivery: OrphanDelivery | undefined;
  let retiring = false;
  const certificate = checkInstanceCertificate(config, logger);
  const own = registerMetrics('waymark_redirector_', certificate?.metrics ?? []);
  // First, because this port is not shared.
  const internal = await startInternalListener(config, {
    async metrics() {
      const parts = [own, orphanDelivery?.metrics, redirector?.metrics];
      return (await Promise.all(parts.map((part) => part?.metrics()))).join('\n');
    },
    ready: () => redirector !== undefined && !retiring,
    health: () => redirector?.health() ?? {},
    isCertified: async (name) => (await redirector?.isCertified(name)) ?? false,
  });
  closer.add(() => internal.close());
  orphanDelivery = await startOrphanDelivery(
    config,
    () => redirector && new Set([redirector.folder]),
    diskQueue,
    logger,
  );
  closer.add(() => orphanDelivery?.close());
  const started = await startRedirector(config, logger, diskQueue);
  closer.add(() => started.close());
  redirector = started;
  onHangup(() => {
    logger.warn(
      'SIGHUP replaces workers, and there is one process: start another one beside it with an internal port of its own, then stop this one',
    );
  });
  return {
    retire() {
      retiring = true;
      started.retire();
    },
    close: () => closer.close(),
  };
};
