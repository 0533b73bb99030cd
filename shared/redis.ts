/** Connections to Redis. */
import { Redis } from 'ioredis';
import type { Logger } from './logger.ts';

export type { Redis };

export interface RedisOptions {
  /** Shown by CLIENT LIST. */
  name: string;
  /** A longer command fails, so that a stalled Redis holds no caller. */
  commandTimeoutMs: number;
  /** Commands issued in one event-loop iteration are sent in one write. */
  pipelining?: boolean;
  /** Commands that are sent by themselves all the same: ioredis builds an object with every script for each pipeline. */
  unpipelined?: string[];
}

/** How many different errors of one outage are logged. */
const messagesMax = 20;

/**
 * A connection that reconnects for ever, at most once a second, and whose commands fail at once while it is down: every
 * caller can do without Redis, and none can wait for it.
 */
export const createRedis = (url: string, options: RedisOptions, logger: Logger): Redis => {
  const redis = new Redis(url, {
    connectionName: options.name,
    commandTimeout: options.commandTimeoutMs,
    connectTimeout: 2000,
    enableOfflineQueue: false,
    enableAutoPipelining: options.pipelining ?? false,
    autoPipeliningIgnoredCommands: options.unpipelined ?? [],
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
  });
  // Errors that alternate once a second are logged once each, until the connection is back.
  const said = new Set<string>();
  redis.on('error', (error: Error) => {
    if (said.has(error.message) || said.size >= messagesMax) return;
    said.add(error.message);
    logger.warn({ err: error, redis: options.name }, 'redis connection failed');
  });
  redis.on('ready', () => {
    said.clear();
    logger.debug({ redis: options.name }, 'redis connected');
  });
  return redis;
};

/** Reconnects. Resolves once the previous connection is closed: ending it twice adds listeners to it. */
export const reconnect = (redis: Redis): Promise<void> =>
  new Promise((resolve) => {
    redis.once('close', () => resolve());
    redis.disconnect(true);
  });

/** Resolves once the connection is usable. */
export const untilReady = (redis: Redis): Promise<void> =>
  redis.status === 'ready'
    ? Promise.resolve()
    : new Promise((resolve) => {
        redis.once('ready', () => resolve());
      });
