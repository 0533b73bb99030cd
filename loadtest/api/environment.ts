/** The environment of the API's rounds: real PostgreSQL (which waits for its disk), Redis and ClickHouse, and a full workspace. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCloser } from '#shared/lifecycle.ts';
import { startClickHouse } from '../../deploy/embedded/parts/clickhouse.ts';
import { queryOnce, startPostgres } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { startRedis } from '../../deploy/embedded/parts/redis.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { makeTemporaryFolder } from '../bench/abort.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';

export const secretKey = 'the secret of a load test, long enough';
const password = 'loadtest';
/** The key of the workspace that all rounds use. */
export const apiKey = 'wm_1111111111111111111111111111load';
const workspaceId = 'ws_default';

export interface ApiEnvironment {
  /** Temporary: `close` removes it. */
  home: string;
  databaseUrl: string;
  /** As the superuser, for peers. */
  databaseAdminUrl: string;
  redisUrl: string;
  clickhouseUrl: string;
  postgresPid: number;
  controlPlane: ControlPlaneProcess;
  /** Codes in the workspace, a sample of them. */
  ids: string[];
  close(): Promise<void>;
}

export interface ControlPlaneProcess extends ServerProcess {
  url: string;
  internalUrl: string;
}

export interface ControlPlaneOptions {
  /** False gives it both cores. */
  pinned?: boolean;
  environment?: Record<string, string>;
}

/** @param folder of the build that is measured */
export const openEnvironment = async (
  folder: string,
  codes: number,
  options: ControlPlaneOptions = {},
): Promise<ApiEnvironment> => {
  const home = await makeTemporaryFolder('load');
  const closer = createCloser();
  closer.add(home.remove);
  try {
    return await open(home.path, folder, codes, options, closer);
  } catch (error) {
    await closer.close();
    throw error;
  }
};

const open = async (
  home: string,
  folder: string,
  codes: number,
  options: ControlPlaneOptions,
  closer: ReturnType<typeof createCloser>,
): Promise<ApiEnvironment> => {
  const common = { home, password, database: 'waymark', durable: true };
  const postgres = await startPostgres({ ...common, adminPassword: password, port: await freePort() });
  closer.add(() => postgres.stop());
  const redis = await startRedis({ ...common, port: await freePort() });
  closer.add(() => redis.stop());
  const clickhouse = await startClickHouse({ ...common, port: await freePort() });
  closer.add(() => clickhouse.stop());
  const { url: databaseUrl, adminUrl: databaseAdminUrl } = postgres;
  const [redisUrl, clickhouseUrl] = [redis.url, clickhouse.url];
  await migrate(folder, databaseUrl, clickhouseUrl);
  const urls = { databaseUrl, redisUrl, clickhouseUrl };
  const controlPlane = await startControlPlane(home, folder, urls, options);
  closer.add(() => controlPlane.stop());
  await queryOnce(databaseUrl, seedSql(codes));
  await queryOnce(databaseUrl, 'VACUUM ANALYZE');
  // Otherwise the first rounds would wait while the seed is written to the disk.
  await queryOnce(databaseAdminUrl, 'CHECKPOINT');
  // The rounds measure the work of a request, not the limit on requests.
  await queryOnce(
    databaseUrl,
    `DO $$ BEGIN IF EXISTS (SELECT FROM information_schema.columns WHERE table_name = 'subscriptions' AND column_name = 'limits')
     THEN UPDATE subscriptions SET limits = '{"requestsPerSecond": 100000000}'; END IF; END $$`,
  );
  const { rows } = await queryOnce(
    databaseUrl,
    `SELECT id FROM codes WHERE workspace_id = '${workspaceId}' ORDER BY seq LIMIT 20000`,
  );
  return {
    home,
    databaseUrl,
    databaseAdminUrl,
    redisUrl,
    clickhouseUrl,
    postgresPid: postgres.pid,
    controlPlane,
    ids: rows.map(({ id }: { id: string }) => id),
    close: () => closer.close(),
  };
};

/** By the build's own code: another build may have another schema. */
const migrate = async (folder: string, databaseUrl: string, clickhouseUrl: string): Promise<void> => {
  const build = await import(pathToFileURL(path.join(folder, 'control-plane/db/migrate.ts')).href);
  await build.migratePostgres(databaseUrl);
  await build.migrateClickHouse(clickhouseUrl, { scanRetentionDays: 400 });
};

/** Different ids of nine characters of base58: hexadecimal without its zero, padded with a letter that is no digit. */
const seedSql = (codes: number): string =>
  `INSERT INTO codes (id, workspace_id, data_type, destination, status)
   SELECT lpad(translate(to_hex(n), '0', 'z'), 9, 'Z'), '${workspaceId}', 'url',
          'https://example.com/landing/page?code=' || n, CASE n % 10 WHEN 0 THEN 'inactive' ELSE 'active' END
   FROM generate_series(1, ${codes}) AS n`;

const startControlPlane = async (
  home: string,
  folder: string,
  urls: { databaseUrl: string; redisUrl: string; clickhouseUrl: string },
  { pinned = true, environment = {} }: ControlPlaneOptions,
): Promise<ControlPlaneProcess> => {
  const port = await freePort();
  const internalPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer({
    name: 'control-plane',
    command: process.execPath,
    args: [path.join(folder, 'control-plane/main.ts')],
    home: path.join(home, 'control-plane'),
    port,
    pinned,
    env: {
      NODE_ENV: 'production',
      DATA_DIR: home,
      HOST: '127.0.0.1',
      CONTROL_PLANE_PORT: String(port),
      CONTROL_PLANE_INTERNAL_PORT: String(internalPort),
      DATABASE_URL: urls.databaseUrl,
      REDIS_URL: urls.redisUrl,
      CLICKHOUSE_URL: urls.clickhouseUrl,
      SECRET_KEY: secretKey,
      BOOTSTRAP_API_KEY: apiKey,
      LOG_LEVEL: 'warn',
      ...environment,
    },
    ready: async () => {
      const response = await fetch(`http://127.0.0.1:${internalPort}/health/ready`);
      if (!response.ok) throw new Error(await response.text());
    },
  });
  return { ...server, url, internalUrl: `http://127.0.0.1:${internalPort}` };
};
