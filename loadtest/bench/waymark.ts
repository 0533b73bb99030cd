/** Waymark's redirector as a server under test: the real process, with everything on. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';
import { type Environment, secretKey } from './environment.ts';

const ownProgram = fileURLToPath(new URL('../../redirector/main.ts', import.meta.url));

export interface Waymark extends ServerProcess {
  /** Health and metrics. */
  internalPort: number;
  /** The sum of a metric over its labels, such as `record_hits_total`. */
  metric(name: string): Promise<number>;
  /** Resolves once ClickHouse has every scan. @throws {Error} when that takes longer than a minute */
  drained(): Promise<void>;
}

const drainMsMax = 60_000;

const untilDrained = async (metric: Waymark['metric']): Promise<void> => {
  const endMs = performance.now() + drainMsMax;
  while ((await metric('spool_bytes')) > 0) {
    if (performance.now() > endMs) throw new Error(`the spool is not empty after ${drainMsMax / 1000} s`);
    await sleep(50);
  }
};

/** Adds up the lines of a metric in Prometheus' text format; 0 where there is none. */
export const sumOfMetric = (text: string, name: string): number =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

export interface WaymarkOptions {
  /** Names its folder: a second start with the same name finds the data of the first one. */
  name?: string;
  environment?: Record<string, string>;
  /** The same again after a restart. */
  port?: number;
  pinned?: boolean;
  /** Another build's redirector/main.ts, to compare a change with this one. */
  program?: string;
}

export const startRedirector = async (
  environment: Environment,
  options: WaymarkOptions = {},
): Promise<Waymark> => {
  const { name = 'waymark', pinned, program = ownProgram } = options;
  const home = path.join(environment.home, name);
  const port = options.port ?? (await freePort());
  const internalPort = await freePort();
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  // Nobody listens there: no row's scans need the API.
  const nowhere = 'http://127.0.0.1:9';
  const server = await startServer({
    name,
    command: process.execPath,
    args: [program],
    home,
    port,
    ...(pinned === undefined ? {} : { pinned }),
    env: {
      NODE_ENV: 'production',
      DATA_DIR: home,
      HOST: '127.0.0.1',
      // As the requests of the load say (load/traffic.ts).
      QR_HOST: 'http://qr.example',
      REDIRECTOR_PORT: String(port),
      REDIRECTOR_INTERNAL_PORT: String(internalPort),
      REDIRECTOR_WORKERS: '1',
      CONTROL_PLANE_URL: nowhere,
      CONTROL_PLANE_INTERNAL_URL: environment.truthUrl,
      DATABASE_URL: environment.databaseUrl,
      REDIS_URL: environment.redisUrl,
      CLICKHOUSE_URL: environment.clickhouseUrl,
      SECRET_KEY: secretKey,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...options.environment,
    },
    ready: async () => {
      const response = await fetch(`${internalUrl}/health/ready`);
      if (!response.ok) throw new Error(await response.text());
    },
  });
  const metric = async (each: string): Promise<number> => {
    const response = await fetch(`${internalUrl}/metrics`);
    return sumOfMetric(await response.text(), `waymark_redirector_${each}`);
  };
  return { ...server, internalPort, metric, drained: () => untilDrained(metric) };
};
