/** Where Debian keeps the programs of PostgreSQL: the server, and the pg_dump of its version, which npm has in no package. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = '/usr/lib/postgresql';
const needed = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];

export interface DebianPostgres {
  version: number;
  /** The folder of its programs. */
  bin: string;
}

/** The latest version with all of its programs; undefined without one. */
export const findDebianPostgres = (): DebianPostgres | undefined => {
  const versions = existsSync(root) ? readdirSync(root).map(Number).filter(Number.isInteger) : [];
  return versions
    .sort((a, b) => b - a)
    .map((version) => ({ version, bin: path.join(root, String(version), 'bin') }))
    .find(({ bin }) => needed.every((name) => existsSync(path.join(bin, name))));
};
