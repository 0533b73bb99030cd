/** A PostgreSQL for tests that dump and restore it. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { queryOnce, startPostgres } from '../embedded/parts/postgres/postgres.ts';
import { grantDatabase, takeOver } from '../embedded/parts/postgres/role.ts';
import { afterFile } from './after-file.ts';
import type { DebianPostgres } from './debian-postgres.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface DumpedPostgres {
  /** The URL of the superuser, for the database of a URL. */
  adminUrl(url: string): string;
  /** The URL of a new and empty database, as the role of the planes. */
  createDatabase(name: string): Promise<string>;
}

/** Starts Debian's server, whose version has a pg_dump here. */
export const startDumpedPostgres = async ({ bin, version }: DebianPostgres): Promise<DumpedPostgres> => {
  const home = path.join(await temporaryFolder(), 'server');
  await mkdir(home);
  const server = await startPostgres({
    home,
    port: await freePort(),
    password: 'a secret @ of the planes',
    adminPassword: 'superuser',
    database: 'waymark',
    durable: false,
    binaries: {
      initdb: path.join(bin, 'initdb'),
      postgres: path.join(bin, 'postgres'),
      lackBuiltinLocale: version < 17,
    },
  });
  afterFile(() => server.stop());
  const named = (url: string, name: string): string =>
    Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const adminUrl = (url: string): string => named(server.adminUrl, new URL(url).pathname.slice(1));
  return {
    adminUrl,
    async createDatabase(name) {
      const admin = (sql: string) => queryOnce(server.adminUrl, sql, [], 60_000);
      await admin(`CREATE DATABASE ${name}`);
      await grantDatabase(admin, name);
      const url = named(server.url, name);
      await takeOver((sql) => queryOnce(adminUrl(url), sql));
      return url;
    },
  };
};
