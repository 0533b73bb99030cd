/** ClickHouse: the embedded engine behind its HTTP interface, in a process of its own. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Part, StartError, startChild, untilReady } from '../child/part.ts';
import type { Options } from '../clickhouse-server/main.ts';

export interface ClickHouseOptions {
  /** The root folder; the data is in clickhouse/. */
  home: string;
  port: number;
  password: string;
  /** Named in the URL; created by the migrations. */
  database: string;
}

const user = 'default';

const program = fileURLToPath(new URL('../clickhouse-server/main.ts', import.meta.url));

/**
 * The library is an optional dependency, since some platforms lack it.
 * @throws {StartError} on these
 */
export const checkLibrary = (): void => {
  try {
    createRequire(import.meta.url).resolve('chdb');
  } catch (error) {
    throw new StartError(
      `there is no embedded ClickHouse for ${process.platform}-${process.arch}: set CLICKHOUSE_URL`,
      { cause: error },
    );
  }
};

/** Its URL once it runs. */
export const clickhouseUrl = ({ password, port, database }: ClickHouseOptions): string =>
  `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

const selectOne = async (url: string): Promise<void> => {
  const { username, password, origin } = new URL(url);
  const authorization = `Basic ${btoa(`${username}:${decodeURIComponent(password)}`)}`;
  const response = await fetch(`${origin}/?query=SELECT%201`, { headers: { authorization } });
  if (!response.ok) throw new Error(await response.text());
};

/** @throws {StartError} if it does not start */
export const startClickHouse = async (options: ClickHouseOptions): Promise<Part> => {
  const { home, port, password } = options;
  const serverOptions: Options = { dir: path.join(home, 'clickhouse'), port, user, password };
  const childOptions = {
    name: 'clickhouse',
    command: process.execPath,
    args: [program],
    // Each statement under way holds a thread of the pool, so more are needed than the default of 4.
    env: { PATH: process.env.PATH, TZ: 'UTC', UV_THREADPOOL_SIZE: '16' },
    home,
    stopSignal: 'SIGTERM' as const,
    stopTimeoutMs: 10_000,
    input: `${JSON.stringify(serverOptions)}\n`,
  };
  const child = await startChild(childOptions);
  const url = clickhouseUrl(options);
  await untilReady(childOptions, child, () => selectOne(url), 60_000);
  return { name: 'clickhouse', url, ...child };
};
