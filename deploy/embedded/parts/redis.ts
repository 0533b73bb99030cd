/** Redis: the machine's redis-server or valkey-server, with an append-only file. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { type Part, StartError, startChild, untilReady } from '../child/part.ts';

export interface RedisOptions {
  /** The root folder; the data is in redis/. */
  home: string;
  port: number;
  password: string;
  /** False for expendable data: nothing is written to disk. */
  durable?: boolean;
}

/** @throws {StartError} if the machine has neither */
const findServer = (): string => {
  const found = ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  );
  if (found) return found;
  throw new StartError(
    'redis-server is not installed: apt-get install redis-server, or brew install redis, or set REDIS_URL',
  );
};

/** A value in redis.conf: quoted, so that a path may have spaces. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

const configuration = (dir: string, { port, password, durable = true }: RedisOptions): string =>
  [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${quoted(dir)}`,
    `requirepass ${quoted(password)}`,
    `appendonly ${durable ? 'yes' : 'no'}`,
    // A reply is sent after write(2): a kill loses nothing, a power cut at most a second.
    'appendfsync everysec',
    // A kill during a write leaves half a command at the end of the file. It was never acknowledged.
    'aof-load-truncated yes',
    'save ""',
    'daemonize no',
    'tcp-keepalive 60',
    '',
  ].join('\n');

const ping = async (url: string): Promise<void> => {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2000 });
  // `connect` rejects with the same errors.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    // Refused with LOADING until Redis has read the append-only file.
    await redis.get('waymark');
  } finally {
    redis.disconnect();
  }
};

/** @throws {StartError} if there is no Redis on the machine, or if it does not start */
export const startRedis = async (options: RedisOptions): Promise<Part> => {
  const command = findServer();
  const dir = path.join(options.home, 'redis');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // In a file, as every user of the machine can read a command line.
  const file = path.join(dir, 'redis.conf');
  await writeFile(file, configuration(dir, options), { mode: 0o600 });
  await chmod(file, 0o600);
  const childOptions = {
    name: 'redis',
    command,
    args: [file],
    env: { PATH: process.env.PATH },
    home: options.home,
    stopSignal: 'SIGTERM' as const,
    stopTimeoutMs: 5000,
  };
  const child = await startChild(childOptions);
  const url = `redis://:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}`;
  await untilReady(childOptions, child, () => ping(url), 60_000);
  return { name: 'redis', url, ...child };
};
