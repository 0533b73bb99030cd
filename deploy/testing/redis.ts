/** A test's own Redis, which can be stalled, killed, stopped and restarted. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { startRedis } from '../embedded/parts/redis.ts';
import { afterFile } from './after-file.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Holds its data, `appendonlydir`, if it is durable. */
  readonly folder: string;
  /** Stops its process with SIGSTOP, until {@link resume}. */
  stall(): void;
  resume(): void;
  /** Ends it like a crash. Resolves once it is gone. */
  kill(): Promise<void>;
  /** Stops it cleanly. Resolves once it is gone. */
  stop(): Promise<void>;
  /** Restarts it at the same URL, with the data of its folder unless `empty` is set. */
  startAgain(options?: { empty?: boolean }): Promise<void>;
}

/** @param options.durable whether its data outlives it */
export const startTestRedis = async ({ durable = false } = {}): Promise<TestRedis> => {
  const [home, port] = [await temporaryFolder(), await freePort()];
  const options = { home, port, password: 'secret', durable };
  let server = await startRedis(options);
  afterFile(() => server.stop());
  return {
    url: server.url,
    port,
    folder: path.join(home, 'redis'),
    stall: () => void process.kill(server.pid, 'SIGSTOP'),
    resume: () => void process.kill(server.pid, 'SIGCONT'),
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    stop: () => server.stop(),
    async startAgain({ empty = false } = {}) {
      if (empty) await fs.rm(path.join(home, 'redis'), { recursive: true, force: true });
      server = await startRedis(options);
    },
  };
};
