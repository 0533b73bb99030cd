/** Numbers the connections to Redis: a failover may lose a write that was acknowledged on an earlier connection. */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Redis } from '#shared/redis.ts';

export interface ConnectionCount extends Closeable {
  /** Grows whenever a connection is made. */
  readonly number: number;
}

/** @param onConnected called after each connect */
export const countConnections = (redis: Redis, onConnected: () => void): ConnectionCount => {
  let number = 0;
  const onReady = () => {
    number++;
    onConnected();
  };
  redis.on('ready', onReady);
  return {
    get number() {
      return number;
    },
    async close() {
      redis.off('ready', onReady);
    },
  };
};
