/**
 * Whether the kernel moves connections that a closed listener has not accepted to another listener of the same port.
 */
import fs from 'node:fs';
import type { Logger } from '#shared/logger.ts';

/** Linux 5.14 and newer. https://docs.kernel.org/networking/ip-sysctl.html */
const setting = '/proc/sys/net/ipv4/tcp_migrate_req';

/**
 * A process accepts all waiting connections and closes its listener right after. The kernel resets connections that
 * arrive in between: one of 65,000 over 16 closings on a busy machine, and many if there is a pause of 200 ms. With the
 * setting it resets none.
 */
export const warnWithoutMigration = (logger: Logger): void => {
  if (fs.existsSync(setting) && fs.readFileSync(setting, 'utf8').trim() === '1') return;
  logger.warn(
    'the kernel resets connections that arrive just as a worker stops listening: set net.ipv4.tcp_migrate_req=1',
  );
};
