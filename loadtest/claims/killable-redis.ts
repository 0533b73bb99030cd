/** A Redis with its file, to be killed and started again at the same URL. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Part } from '../../deploy/embedded/child/part.ts';
import { startRedis } from '../../deploy/embedded/parts/redis.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';

export interface KillableRedis {
  readonly url: string;
  /** kill -9. Resolves once it is gone. */
  kill(): Promise<void>;
  /** Its file is gone, as after a failover to a replica that had nothing. Only while it is killed. */
  loseFile(): Promise<void>;
  /** Resolves once it has read its file. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** @param home its folder */
export const startKillableRedis = async (home: string): Promise<KillableRedis> => {
  const options = { home, port: await freePort(), password: 'chaos', durable: true };
  let server: Part = await startRedis(options);
  return {
    url: server.url,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    loseFile: () => rm(path.join(home, 'redis/appendonlydir'), { recursive: true }),
    async startAgain() {
      server = await startRedis(options);
    },
    stop: () => server.stop(),
  };
};
