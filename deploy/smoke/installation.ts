/** `npm start` for tests: the same program, on private ports and in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { readRunningEnvironment } from '#shared/running-environment.ts';
import { freePort, temporaryFolder } from '../testing/local.ts';

const root = path.resolve(import.meta.dirname, '../..');

const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

export interface Installation {
  /** {base_url} and {qr_host} in SPEC's terms, as in the environment. */
  baseUrl: string;
  qrHost: string;
  apiKey: string;
  /** PostgreSQL, as the planes use it. */
  databaseUrl(): string;
  /** All output since the latest start. */
  output(): string;
  /** Calls the API with the key. */
  api(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Requests as a phone; redirects are not followed. */
  scan(url: string, init?: RequestInit): Promise<Response>;
  /** Runs a program of the project in the same environment. @returns its standard output */
  run(args: string[]): Promise<string>;
  /** @returns the exit code */
  stop(): Promise<number | null>;
  /** Starts again with the same data. */
  start(): Promise<void>;
}

/** A start takes seconds, or ten times as long on a machine that is busy with other tests. */
export const startTimeoutMs = 240_000;

interface Running {
  child: ChildProcess;
  output: string;
  exited: Promise<number | null>;
}

/** Resolves once the program prints that it is ready. */
const startProgram = async (program: string, environment: NodeJS.ProcessEnv): Promise<Running> => {
  const child = spawn(process.execPath, [program], { cwd: root, env: environment });
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const running: Running = { child, output: '', exited };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      running.output += chunk.toString();
    });
  }
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`ended with code ${child.exitCode}:\n${running.output}`);
      expect(running.output).toContain('ready in');
    },
    { timeout: startTimeoutMs, interval: 50 },
  );
  return running;
};

const newEnvironment = async (changes: NodeJS.ProcessEnv) => {
  const [controlPlane, controlPlaneInternal, redirector, redirectorInternal] = await Promise.all(
    Array.from({ length: 4 }, () => freePort()),
  );
  const baseUrl = `http://127.0.0.1:${controlPlane}`;
  const qrHost = `http://127.0.0.1:${redirector}`;
  const folder = await temporaryFolder();
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    DATA_DIR: path.join(folder, 'with a space'),
    CONTROL_PLANE_PORT: String(controlPlane),
    CONTROL_PLANE_INTERNAL_PORT: String(controlPlaneInternal),
    REDIRECTOR_PORT: String(redirector),
    REDIRECTOR_INTERNAL_PORT: String(redirectorInternal),
    BASE_URL: baseUrl,
    QR_HOST: qrHost,
    EXAMPLES: 'false',
    ...changes,
  };
  return { environment, baseUrl, qrHost };
};

/**
 * @param program runs instead of the program of `npm start`
 * @throws with its output, if the program ends before it is ready
 */
export const startInstallation = async (
  changes: NodeJS.ProcessEnv = {},
  program = 'deploy/embedded/main.ts',
): Promise<Installation> => {
  const { environment, baseUrl, qrHost } = await newEnvironment(changes);
  let running = await startProgram(program, environment);
  const apiKey = /^API key +(\S+)$/m.exec(running.output)![1]!;
  return {
    baseUrl,
    qrHost,
    apiKey,
    databaseUrl: () => readRunningEnvironment(environment.DATA_DIR!)!.DATABASE_URL!,
    output: () => running.output,
    api: (method, target, body, headers) =>
      fetch(`${baseUrl}${target}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    scan: (url, init = {}) =>
      fetch(url, { redirect: 'manual', ...init, headers: { 'user-agent': phone, ...init.headers } }),
    async run(args) {
      const child = spawn(process.execPath, args, { cwd: root, env: environment });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      await new Promise((resolve) => child.once('close', resolve));
      return output;
    },
    async stop() {
      running.child.kill('SIGTERM');
      return await running.exited;
    },
    async start() {
      running = await startProgram(program, environment);
    },
  };
};
