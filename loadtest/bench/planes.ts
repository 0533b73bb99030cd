/** Control planes and redirectors as processes of their own, with everything on. */
import path from 'node:path';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';
import { type Databases, ownBuild } from './databases.ts';

export const secretKey = 'the secret of a load test, long enough';
/** The key of the workspace that load tests use. */
export const apiKey = 'wm_1111111111111111111111111111load';
export const workspaceId = 'ws_default';

export interface Plane extends ServerProcess {
  url: string;
  internalUrl: string;
}

export interface PlaneOptions {
  home: string;
  databases: Databases;
  /** Names its folder: a second start with the same name finds the data of the first one. */
  name?: string;
  /** The file of another build, such as its `redirector/main.ts`. */
  program?: string;
  /** The same again after a restart. */
  port?: number;
  /** Whether it has the server's core alone; by default it has both. */
  pinned?: boolean;
  environment?: Readonly<Record<string, string>>;
}

export interface RedirectorOptions extends PlaneOptions {
  controlPlane: Pick<Plane, 'url' | 'internalUrl'>;
  /** Processes; one by default. */
  workers?: number;
}

/** A start that can be repeated, with the same ports and folder. */
export interface PlaneStart {
  name: string;
  program: string;
  home: string;
  port: number;
  internalPort: number;
  pinned: boolean;
  env: Record<string, string>;
}

const planStart = async (
  plane: 'control-plane' | 'redirector',
  options: PlaneOptions,
  own: Readonly<Record<string, string>>,
): Promise<PlaneStart> => {
  const { name = plane, databases, pinned = false, environment } = options;
  const [port, internalPort] = [options.port ?? (await freePort()), await freePort()];
  const home = path.join(options.home, name);
  const prefix = plane === 'redirector' ? 'REDIRECTOR' : 'CONTROL_PLANE';
  return {
    name,
    program: options.program ?? path.join(ownBuild, plane, 'main.ts'),
    home,
    port,
    internalPort,
    pinned,
    env: {
      NODE_ENV: 'production',
      DATA_DIR: home,
      HOST: '127.0.0.1',
      [`${prefix}_PORT`]: String(port),
      [`${prefix}_INTERNAL_PORT`]: String(internalPort),
      DATABASE_URL: databases.databaseUrl,
      REDIS_URL: databases.redisUrl,
      CLICKHOUSE_URL: databases.clickhouseUrl,
      SECRET_KEY: secretKey,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...own,
      ...environment,
    },
  };
};

export const planControlPlane = (options: PlaneOptions): Promise<PlaneStart> =>
  planStart('control-plane', options, { BOOTSTRAP_API_KEY: apiKey });

export const planRedirector = (options: RedirectorOptions): Promise<PlaneStart> =>
  planStart('redirector', options, {
    REDIRECTOR_WORKERS: String(options.workers ?? 1),
    CONTROL_PLANE_URL: options.controlPlane.url,
    CONTROL_PLANE_INTERNAL_URL: options.controlPlane.internalUrl,
  });

/** @throws {Error} unless the process at this port says that it is ready */
export const askReady = async (internalPort: number): Promise<void> => {
  const url = `http://127.0.0.1:${internalPort}/health/ready`;
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  if (!response.ok) throw new Error(await response.text());
};

/** @throws {StartError} if it ends, or is not ready within half a minute */
export const startPlane = async ({ program, internalPort, ...start }: PlaneStart): Promise<Plane> => {
  const server = await startServer({
    ...start,
    command: process.execPath,
    args: [program],
    ready: () => askReady(internalPort),
  });
  const urlOf = (port: number) => `http://127.0.0.1:${port}`;
  return { ...server, url: urlOf(start.port), internalUrl: urlOf(internalPort) };
};

export const startControlPlane = async (options: PlaneOptions): Promise<Plane> =>
  startPlane(await planControlPlane(options));

export const startRedirector = async (options: RedirectorOptions): Promise<Plane> =>
  startPlane(await planRedirector(options));
