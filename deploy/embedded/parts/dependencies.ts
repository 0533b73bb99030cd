/** PostgreSQL, Redis and ClickHouse: those whose URL is unset are started here. */
import path from 'node:path';
import type { Settings } from '#shared/config.ts';
import type { Part } from '../child/part.ts';
import { keepSecret } from '../data-dir/secrets.ts';
import { keepPorts } from '../ports/ports.ts';
import { checkLibrary, clickhouseUrl, startClickHouse } from './clickhouse.ts';
import { startPostgres } from './postgres/postgres.ts';
import { startRedis } from './redis.ts';

export interface Dependency {
  name: 'postgres' | 'redis' | 'clickhouse';
  variable: 'DATABASE_URL' | 'REDIS_URL' | 'CLICKHOUSE_URL';
  /** Set when the operator runs it. */
  externalUrl: string | undefined;
  /** Where it is reached once it runs, for one without which the whole starts, too. */
  optionalUrl?: string;
  /** Tells the operator what the others do without it. */
  meanwhile: string;
  /** Starts it on the port and with the password that it keeps. */
  start(): Promise<Part>;
}

const database = 'waymark';

/**
 * All three. They stop in the reverse order.
 * @throws {StartError} where this platform lacks one of them
 */
export const planDependencies = async (settings: Settings): Promise<Dependency[]> => {
  const home = settings.dataDir;
  const names = ['postgres', 'redis', 'clickhouse'] as const;
  const ports = await keepPorts(home, names);
  const secretOf = (name: string) => keepSecret(path.join(home, 'secrets', name));
  const optionsOf = async (name: (typeof names)[number]) => ({
    home,
    port: ports[name],
    password: await secretOf(`${name}-password`),
    database,
  });
  if (!settings.clickhouseUrl) checkLibrary();
  return [
    {
      name: 'postgres',
      variable: 'DATABASE_URL',
      externalUrl: settings.databaseUrl,
      meanwhile: 'codes that are held redirect, and the API answers 503',
      start: async () => {
        const { password: adminPassword, ...options } = await optionsOf('postgres');
        return startPostgres({
          ...options,
          adminPassword,
          password: await secretOf('postgres-planes-password'),
        });
      },
    },
    {
      name: 'redis',
      variable: 'REDIS_URL',
      externalUrl: settings.redisUrl,
      meanwhile: 'codes redirect, and those with a scan cap answer 503',
      start: async () => startRedis(await optionsOf('redis')),
    },
    {
      name: 'clickhouse',
      variable: 'CLICKHOUSE_URL',
      externalUrl: settings.clickhouseUrl,
      optionalUrl: clickhouseUrl(await optionsOf('clickhouse')),
      meanwhile: 'codes redirect, scans wait in the spool, and analytics answer 503',
      start: async () => startClickHouse(await optionsOf('clickhouse')),
    },
  ];
};
