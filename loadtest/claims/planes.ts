/** Two control planes and two redirectors, one Redis and one PostgreSQL between them. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../deploy/embedded/child/part.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { killBelow } from '../bench/abort.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';

export const secretKey = 'the secret of a chaos test, long enough';
/** Of the workspace whose units are scanned. */
export const apiKey = 'wm_1111111111111111111111111111load';

const programOf = (plane: string): string =>
  fileURLToPath(new URL(`../../${plane}/main.ts`, import.meta.url));

export interface Databases {
  databaseUrl: string;
  redisUrl: string;
  clickhouseUrl: string;
}

export interface Plane extends ServerProcess {
  url: string;
  internalUrl: string;
}

interface PlaneStart {
  name: string;
  program: string;
  home: string;
  port: number;
  internalPort: number;
  env: Record<string, string>;
  /** False gives it both cores. */
  pinned?: boolean;
}

const start = async ({
  name,
  program,
  home,
  port,
  internalPort,
  env,
  pinned = false,
}: PlaneStart): Promise<Plane> => {
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  const server = await startServer({
    name,
    command: process.execPath,
    args: [program],
    home: path.join(home, name),
    port,
    pinned,
    env: {
      NODE_ENV: 'production',
      DATA_DIR: path.join(home, name),
      HOST: '127.0.0.1',
      SECRET_KEY: secretKey,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...env,
    },
    ready: async () => {
      const response = await fetch(`${internalUrl}/health/ready`, { signal: AbortSignal.timeout(2000) });
      if (!response.ok) throw new Error(await response.text());
    },
  });
  return { ...server, url: `http://127.0.0.1:${port}`, internalUrl };
};

const controlPlaneStart = async (
  name: string,
  home: string,
  { databaseUrl, redisUrl, clickhouseUrl }: Databases,
  environment: Record<string, string> = {},
): Promise<PlaneStart> => {
  const [port, internalPort] = [await freePort(), await freePort()];
  return {
    name,
    program: programOf('control-plane'),
    home,
    port,
    internalPort,
    env: {
      CONTROL_PLANE_PORT: String(port),
      CONTROL_PLANE_INTERNAL_PORT: String(internalPort),
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      CLICKHOUSE_URL: clickhouseUrl,
      BOOTSTRAP_API_KEY: apiKey,
      ...environment,
    },
  };
};

export const startControlPlane = async (...options: Parameters<typeof controlPlaneStart>): Promise<Plane> =>
  start(await controlPlaneStart(...options));

/** A start on a busy machine, or while Redis is away, may not be ready in time; whoever supervises it tries again. */
const startsMax = 10;

const startPatiently = async (options: PlaneStart): Promise<Plane> => {
  for (let tries = 1; ; tries++) {
    try {
      return await start(options);
    } catch (error) {
      if (!(error instanceof StartError) || tries === startsMax) throw error;
    }
  }
};

export interface KillablePlane {
  readonly url: string;
  readonly internalUrl: string;
  /** kill -9 of all its processes. Resolves once they are gone. */
  kill(): Promise<void>;
  /** On the same port, with the same folder. Resolves once it is ready. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedirectorOptions {
  name: string;
  home: string;
  workers: number;
  /** Whether it has the server's core alone. */
  pinned?: boolean;
  databases: Databases;
  controlPlane: Pick<Plane, 'url' | 'internalUrl'>;
  /** Of the control plane, where that has another one than {@link secretKey}. */
  secretKey?: string;
}

const redirectorStart = async ({
  name,
  home,
  workers,
  pinned = false,
  databases: { redisUrl, clickhouseUrl, databaseUrl },
  controlPlane,
  secretKey: key = secretKey,
}: RedirectorOptions): Promise<PlaneStart> => {
  const [port, internalPort] = [await freePort(), await freePort()];
  return {
    name,
    program: programOf('redirector'),
    home,
    port,
    internalPort,
    pinned,
    env: {
      REDIRECTOR_PORT: String(port),
      REDIRECTOR_INTERNAL_PORT: String(internalPort),
      REDIRECTOR_WORKERS: String(workers),
      SECRET_KEY: key,
      CONTROL_PLANE_URL: controlPlane.url,
      CONTROL_PLANE_INTERNAL_URL: controlPlane.internalUrl,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      CLICKHOUSE_URL: clickhouseUrl,
    },
  };
};

export const startRedirector = async (options: RedirectorOptions): Promise<Plane> =>
  start(await redirectorStart(options));

const startKillable = async (options: PlaneStart): Promise<KillablePlane> => {
  let server = await start(options);
  return {
    url: server.url,
    internalUrl: server.internalUrl,
    async kill() {
      // The first process would start others in the place of those that are killed before it.
      process.kill(server.pid, 'SIGSTOP');
      killBelow(server.pid);
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    async startAgain() {
      server = await startPatiently(options);
    },
    stop: () => server.stop(),
  };
};

export const startKillableRedirector = async (redirector: RedirectorOptions): Promise<KillablePlane> =>
  startKillable(await redirectorStart(redirector));

export const startKillableControlPlane = async (
  ...options: Parameters<typeof controlPlaneStart>
): Promise<KillablePlane> => startKillable(await controlPlaneStart(...options));
