/** The connection on which the queue hears of new jobs. */
import type { Pool } from '../platform/db/pool.ts';

type Connected = Parameters<Pool['connect']>[0];

/**
 * The pool as the queue uses it: graphile-worker alone asks it for a connection by a callback, and that one is for LISTEN.
 * It is closed when it is released: its open LISTEN would be in the way of others. It may be released more than once: where
 * LISTEN fails while the queue stops, the queue does so twice, and would not handle that the pool refuses the second.
 */
export const poolForQueue = (pool: Pool): Pool => {
  const connect = (connected?: Connected) => {
    if (!connected) return pool.connect();
    // A pool that has ended gives neither a client nor a release.
    pool.connect((error, client, release) =>
      connected(
        error,
        client,
        once(() => client && release(true)),
      ),
    );
    return undefined;
  };
  return new Proxy(pool, {
    get: (target, key) => (key === 'connect' ? connect : Reflect.get(target, key)),
  });
};

const once = (act: () => unknown): (() => void) => {
  let acted = false;
  return () => {
    if (acted) return;
    acted = true;
    act();
  };
};
