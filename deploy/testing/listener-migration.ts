/**
 * The kernel ties a connection to a listener when it begins, and resets connections that a closed listener has not
 * accepted. With this setting it moves them to another listener of the port. The operator sets it, see
 * deploy/README.md.
 */
import fs from 'node:fs';
import { afterFile } from './local.ts';

const setting = '/proc/sys/net/ipv4/tcp_migrate_req';

export const canMigrate = (): boolean => {
  try {
    fs.accessSync(setting, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Until the file ends; only if {@link canMigrate}. */
export const setMigration = (): void => {
  const before = fs.readFileSync(setting, 'utf8');
  afterFile(() => fs.writeFileSync(setting, before));
  fs.writeFileSync(setting, '1');
};
