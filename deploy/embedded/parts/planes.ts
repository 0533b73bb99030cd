/** The programs of Waymark itself as parts: the two planes, and the migrations that run before them. */
import { fileURLToPath } from 'node:url';
import { closeTimeoutMs } from '#shared/lifecycle.ts';
import { type Child, logFileOf, type Part, StartError, startChild, untilReady } from '../child/part.ts';

/** Files to run, relative to the root of the project, with their arguments. */
export interface Programs {
  migratePostgres: string[];
  migrateClickHouse: string[];
  controlPlane: string[];
  redirector: string[];
}

export const programs: Programs = {
  migratePostgres: ['control-plane/admin.ts', 'migrate', '--only', 'postgres'],
  migrateClickHouse: ['control-plane/admin.ts', 'migrate', '--only', 'clickhouse'],
  controlPlane: ['control-plane/main.ts'],
  redirector: ['redirector/main.ts'],
};

interface ProgramOptions {
  name: string;
  program: string[];
  home: string;
  env: NodeJS.ProcessEnv;
  /** How long it keeps serving after it is asked to stop. */
  graceMs?: number;
}

const start = ({
  name,
  program: [file = '', ...args],
  home,
  env,
  graceMs = 0,
}: ProgramOptions): Promise<Child> =>
  startChild({
    name,
    command: process.execPath,
    args: [fileURLToPath(new URL(file, new URL('../../../', import.meta.url))), ...args],
    env,
    home,
    stopSignal: 'SIGTERM',
    // Longer than a plane allows itself for closing.
    stopTimeoutMs: graceMs + closeTimeoutMs + 2000,
  });

/**
 * Runs a program to its end.
 * @param signal asks the program to stop
 * @throws {StartError} with the last lines of its log, if it fails
 */
export const runProgram = async (options: ProgramOptions, signal?: AbortSignal): Promise<void> => {
  const child = await start(options);
  signal?.addEventListener('abort', () => child.stop(), { once: true });
  if (signal?.aborted) await child.stop();
  const code = await child.exited;
  if (code === 0) return;
  const logFile = logFileOf(options.home, options.name);
  throw new StartError(`${options.name} failed: ${child.lastWords()} (${logFile})`);
};

export interface PlaneOptions extends ProgramOptions {
  /** Its public listener. */
  url: string;
  /** Its internal listener. */
  internalUrl: string;
}

const checkReady = async (url: string): Promise<void> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
};

/** @throws {StartError} if it ends, or is not ready in time */
export const startPlane = async (options: PlaneOptions): Promise<Part> => {
  const child = await start(options);
  await untilReady(options, child, () => checkReady(`${options.internalUrl}/health/ready`), 60_000);
  return { name: options.name, url: options.url, ...child };
};
