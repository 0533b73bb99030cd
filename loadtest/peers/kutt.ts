/**
 * Kutt (https://github.com/thedevs-network/kutt), version 3, from a checkout in which its packages are installed: with
 * PostgreSQL, and with Redis for its cache and its queue of visits. Its links have no `/r/` before the id; all else in a
 * request is the same.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type Environment, recordOf } from '../bench/environment.ts';
import { requestsFor, writeRequests } from '../load/traffic.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';

export const kuttDatabase = 'kutt';

/** Its environment. */
type Surroundings = Pick<Environment, 'home' | 'databaseAdminUrl' | 'redisUrl'>;

const kuttEnvironment = (environment: Surroundings, port: number): Record<string, string> => {
  const postgres = new URL(environment.databaseAdminUrl);
  const redis = new URL(environment.redisUrl);
  return {
    NODE_ENV: 'production',
    PORT: String(port),
    DEFAULT_DOMAIN: 'qr.example',
    JWT_SECRET: 'the secret of a load test',
    DB_CLIENT: 'pg',
    DB_HOST: postgres.hostname,
    DB_PORT: postgres.port,
    DB_USER: postgres.username,
    DB_PASSWORD: decodeURIComponent(postgres.password),
    DB_NAME: kuttDatabase,
    REDIS_ENABLED: 'true',
    REDIS_HOST: redis.hostname,
    REDIS_PORT: redis.port,
    REDIS_PASSWORD: decodeURIComponent(redis.password),
    REDIS_DB: '1',
  };
};

const migrate = (checkout: string, env: Record<string, string>): void => {
  const { status, stderr, stdout, error } = spawnSync('npm', ['run', 'migrate'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, HOME: checkout, ...env },
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`Kutt cannot be migrated: ${error?.message ?? (stderr + stdout).slice(-500)}`);
};

const insertLinks = async (databaseUrl: string, ids: readonly string[]): Promise<void> => {
  const destinations = ids.map((id) => recordOf(id).destination);
  await queryOnce(
    databaseUrl,
    'INSERT INTO links (address, target) SELECT * FROM unnest($1::text[], $2::text[])',
    [ids, destinations],
  );
};

/** A migrated, empty Kutt. @param checkout of it */
export const startKuttServer = async (
  environment: Surroundings,
  checkout: string,
): Promise<ServerProcess> => {
  const home = path.join(environment.home, 'kutt');
  const port = await freePort();
  const env = kuttEnvironment(environment, port);
  await queryOnce(environment.databaseAdminUrl, `CREATE DATABASE ${kuttDatabase}`);
  migrate(checkout, env);
  return startServer({
    name: 'kutt',
    command: 'sh',
    // It looks for its files in the working folder.
    args: ['-c', 'cd "$1" && exec node server/server.js --production', 'sh', checkout],
    home,
    port,
    env: { ...env, HOME: home },
  });
};

/** @param checkout of Kutt. @returns the server, and the file with its requests */
export const startKutt = async (
  environment: Environment,
  checkout: string,
): Promise<ServerProcess & { requestsFile: string }> => {
  const server = await startKuttServer(environment, checkout);
  const kuttUrl = new URL(environment.databaseAdminUrl);
  kuttUrl.pathname = `/${kuttDatabase}`;
  await insertLinks(kuttUrl.href, environment.ids);
  const requestsFile = path.join(environment.home, 'requests-kutt');
  await writeRequests(requestsFile, requestsFor(environment.ids, '/'));
  return { ...server, requestsFile };
};
