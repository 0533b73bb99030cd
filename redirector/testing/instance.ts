/**
 * The redirector as in production: a process of its own with its workers, which tests can kill, with real Redis and
 * ClickHouse. Each start finds the files of the previous one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { z } from 'zod';
import { type CodeRecord, recordKey, serializeRecord } from '#schemas/code-record.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import {
  afterFile,
  createTestClickHouse,
  freePort,
  programEnvironment,
  redisUrl,
  temporaryFolder,
} from '../../deploy/testing/index.ts';
import { type ControlPlaneStandIn, logger, startControlPlaneStandIn } from './redirector.ts';

interface LogLine {
  msg: string;
  pid?: number;
  [field: string]: unknown;
}

export interface RedirectorProcess {
  pid: number;
  /** Every line that it and its workers have logged so far. */
  log: LogLine[];
  /** Output lines that are not log lines. */
  output: string[];
  kill(signal: NodeJS.Signals): void;
  /** Resolves with its exit code, or the signal that ended it, once it and its workers are gone. */
  exited: Promise<number | string>;
  /** Pids of its workers, oldest first. */
  workers(): number[];
  /** The status of /health/ready; 0 if there is no answer. */
  ready(): Promise<number>;
  /** Whether all its workers redirect. */
  complete(): Promise<boolean>;
  /** The sum of a metric over its labels; undefined if it does not exist. */
  metric(name: string): Promise<number | undefined>;
}

export interface Instance {
  url: string;
  dataDir: string;
  clickhouseUrl: string;
  controlPlane: ControlPlaneStandIn;
  /** Writes a record to Redis. */
  publish(record: CodeRecord): Promise<void>;
  /**
   * Starts the redirector. Does not wait until it is ready.
   * @param through a command that executes it, with arguments, such as prlimit
   */
  spawn(environment?: Record<string, string>, through?: readonly string[]): RedirectorProcess;
  /** Starts the redirector, and waits until all its workers are ready. */
  start(environment?: Record<string, string>, through?: readonly string[]): Promise<RedirectorProcess>;
  /** The folders that processes have taken. */
  folders(): string[];
}

const root = path.resolve(import.meta.dirname, '../..');

/** For conditions that must come true: several processes start at once, on a busy machine. */
export const patient = { timeout: 200_000, interval: 100 };
// A test waits for several of them.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** Parents of all processes, by pid. */
const parents = (): Map<number, number> =>
  new Map(
    fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
          return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]] as const;
        } catch {
          return []; // It ended meanwhile.
        }
      }),
  );

const isRunning = (pid: number): boolean => {
  try {
    return !fs.readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

const readLines = (child: ChildProcess, log: LogLine[], output: string[]): void => {
  let rest = '';
  const read = (chunk: Buffer): void => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('{')) log.push(JSON.parse(line));
      else output.push(line);
    }
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
};

const exitOf = (child: ChildProcess, workers: Set<number>): Promise<number | string> =>
  new Promise((resolve) => {
    // `close` follows `exit`, once its last line has been read and no worker can write another.
    child.once('close', async (code, signal) => {
      await vi.waitFor(() => {
        if ([...workers].some(isRunning)) throw new Error('a worker still runs');
      }, patient);
      resolve(signal ?? code ?? 0);
    });
  });

const spawnRedirector = (
  internalUrl: string,
  environment: Record<string, string>,
  through: readonly string[],
): RedirectorProcess => {
  const [command, ...args] = [...through, process.execPath];
  const child = spawn(command!, [...args, 'redirector/main.ts'], { cwd: root, env: environment });
  const log: LogLine[] = [];
  const output: string[] = [];
  const seen = new Set<number>();
  readLines(child, log, output);
  const ownWorkers = (): number[] => {
    const pids = [...parents()].filter(([, parent]) => parent === child.pid).map(([pid]) => pid);
    for (const pid of pids) seen.add(pid);
    return pids.sort((a, b) => a - b);
  };
  const exited = exitOf(child, seen);
  afterFile(() => child.kill('SIGKILL'));
  return {
    pid: child.pid!,
    log,
    output,
    kill(signal) {
      ownWorkers();
      child.kill(signal);
    },
    exited,
    workers: ownWorkers,
    async ready() {
      const response = await fetch(`${internalUrl}/health/ready`).catch(() => undefined);
      await response?.body?.cancel();
      return response?.status ?? 0;
    },
    async complete() {
      const response = await fetch(`${internalUrl}/health/ready`);
      return z.object({ workers: z.boolean() }).parse(await response.json()).workers;
    },
    async metric(name) {
      const response = await fetch(`${internalUrl}/metrics`).catch((error) => {
        throw new Error(`no metrics: ${JSON.stringify(log.slice(-5))} ${output.join('\n')}`, {
          cause: error,
        });
      });
      const text = await response.text();
      const lines = text
        .split('\n')
        .filter((line) => line.startsWith(`waymark_redirector_${name}`))
        .filter((line) => /^[ {]/.test(line.slice(`waymark_redirector_${name}`.length)));
      if (lines.length === 0) return undefined;
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
  };
};

/** @param environment further settings */
export const createInstance = async (environment: Record<string, string> = {}): Promise<Instance> => {
  const [port, dataDir, controlPlane, clickhouseUrl] = await Promise.all([
    freePort(),
    temporaryFolder(),
    startControlPlaneStandIn(),
    createTestClickHouse(),
  ]);
  const internalPort = await freePort();
  const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const common = {
    ...programEnvironment(),
    DATA_DIR: dataDir,
    RUNTIME_DIR: path.join(dataDir, 'runtime'),
    HOST: '127.0.0.1',
    REDIRECTOR_PORT: String(port),
    REDIRECTOR_INTERNAL_PORT: String(internalPort),
    REDIRECTOR_CODES_MAX: '1000',
    TRUSTED_PROXIES: '127.0.0.1',
    CONTROL_PLANE_INTERNAL_URL: controlPlane.url,
    CONTROL_PLANE_URL: controlPlane.url,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    REDIS_URL: redisUrl(),
    CLICKHOUSE_URL: clickhouseUrl,
    SECRET_KEY: 'a secret of the tests, forty letters long',
    ...environment,
  };
  const spawnHere: Instance['spawn'] = (further = {}, through = []) => {
    const all: Record<string, string> = { ...common, ...further };
    return spawnRedirector(`http://127.0.0.1:${all.REDIRECTOR_INTERNAL_PORT}`, all, through);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    clickhouseUrl,
    controlPlane,
    async publish(record) {
      controlPlane.published.set(record.id, record);
      await redis.set(recordKey(record.id), serializeRecord(record));
    },
    spawn: spawnHere,
    async start(further, through) {
      const started = spawnHere(further, through);
      await vi.waitFor(async () => {
        if ((await started.ready()) !== 200) {
          throw new Error(`not ready: ${JSON.stringify(started.log)} ${started.output.join('\n')}`);
        }
      }, patient);
      return started;
    },
    folders: () =>
      fs
        .readdirSync(path.join(dataDir, 'redirector'))
        .sort()
        .map((name) => path.join(dataDir, 'redirector', name)),
  };
};
