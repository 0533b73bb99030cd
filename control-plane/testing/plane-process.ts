/** For tests: a control plane in its own process, which can be stopped and killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  freePort,
  programEnvironment,
  redisUrl,
  temporaryFolder,
} from '../../deploy/testing/index.ts';
import { type Call, caller, secretKey } from './control-plane.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** A start takes a second or two, and far longer on a busy machine. */
const readyMsMax = 90_000;
/** The end of its output, shown if it does not become ready. */
const saidCharactersMax = 10_000;

export interface PlaneProcess {
  /** Of the API, and of the internal listener. */
  url: string;
  internalUrl: string;
  child: ChildProcess;
  /** Calls the API with a key. */
  callWith(apiKey: string): Call;
  /** Its exit code and its signal. */
  exited: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  /** The end of its output, once it has ended. */
  lastWords(): Promise<string>;
  /** The status of its readiness, or 0 if nothing answers. */
  readiness(): Promise<number>;
  /**
   * Resolves once it is ready.
   * @throws if it ends before, or takes too long, with its output
   */
  ready(): Promise<void>;
  /** By SIGKILL; resolves once it is gone. */
  kill(): Promise<void>;
}

/** With its own databases, unless the environment names some. */
const environmentOf = async (port: number, internalPort: number, environment: Record<string, string>) => ({
  ...programEnvironment(),
  DATA_DIR: await temporaryFolder(),
  HOST: '127.0.0.1',
  CONTROL_PLANE_PORT: String(port),
  CONTROL_PLANE_INTERNAL_PORT: String(internalPort),
  DATABASE_URL: environment.DATABASE_URL ?? (await createTestDatabase()),
  REDIS_URL: redisUrl(),
  CLICKHOUSE_URL: environment.CLICKHOUSE_URL ?? (await createTestClickHouse()),
  SECRET_KEY: secretKey,
  ...environment,
});

/** Both outputs are read continuously: a full pipe would block it. @returns a function that gives their end */
const listenTo = (child: ChildProcess): (() => string) => {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-saidCharactersMax);
    });
  return () => said;
};

/**
 * Starts a program, and waits for nothing. It is killed after the test file.
 * @param program of the project, from its root
 * @param environment additional variables, as an operator would set them; its ports are free ones if it names none
 */
export const startPlaneProcess = async (
  program = 'control-plane/main.ts',
  environment: Record<string, string> = {},
): Promise<PlaneProcess> => {
  const port = Number(environment.CONTROL_PLANE_PORT ?? (await freePort()));
  const internalPort = Number(environment.CONTROL_PLANE_INTERNAL_PORT ?? (await freePort()));
  const child = spawn(process.execPath, [program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: await environmentOf(port, internalPort, environment),
  });
  afterFile(() => child.kill('SIGKILL'));
  const said = listenTo(child);
  const exited = once(child, 'exit') as PlaneProcess['exited'];
  // Its output is complete only then.
  const closed = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  const readiness = () =>
    request(`${internalUrl}/health/ready`).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => 0,
    );
  return {
    url,
    internalUrl,
    child,
    callWith: (apiKey) => caller(url, apiKey),
    exited,
    lastWords: () => closed.then(said),
    readiness,
    async ready() {
      const givesUpAtMs = performance.now() + readyMsMax;
      while ((await readiness()) !== 200) {
        if (child.exitCode !== null || child.signalCode !== null) {
          await closed;
          throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}:\n${said()}`);
        }
        if (performance.now() > givesUpAtMs)
          throw new Error(`${program} is not ready after ${readyMsMax} ms:\n${said()}`);
        await sleep(50);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
