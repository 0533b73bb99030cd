/** PostgreSQL, Redis and ClickHouse: each is started here if its URL is unset. */
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
  /** Set if the operator runs it. */
  externalUrl: string | undefined;
  /** Its URL once it runs. Set if Waymark can start without it. */
  optionalUrl?: string;
  /** The consequences of its absence, for the operator. */
  meanwhile: string;
  /** Starts it on its stored port and with its stored password. */
  start(): Promise<Part>;
}

const database = 'waymark';

/**
 * All three. They stop in reverse order.
 * @throws {StartError} if this platform lacks one of them
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
