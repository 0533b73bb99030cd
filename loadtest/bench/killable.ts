/** Servers that can be killed and started again at the same URL, with the same files. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../../deploy/embedded/child/part.ts';
import { startPostgres } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { startRedis } from '../../deploy/embedded/parts/redis.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { killBelow } from './abort.ts';
import { type Plane, type PlaneStart, startPlane } from './planes.ts';

export interface Killable {
  readonly url: string;
  /** kill -9, except as the server says. Resolves once it is gone. @param index of the kill, from 0 on */
  kill(index: number): Promise<void>;
  /** Resolves once it is ready. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

export interface KillablePlane extends Killable {
  readonly internalUrl: string;
}

export interface KillableRedis extends Killable {
  /** Its file is gone, as after a failover to a replica that had nothing. Only while it is killed. */
  loseFile(): Promise<void>;
}

/** A start on a busy machine, or while Redis is away, may not be ready in time; a supervisor tries again. */
const startsMax = 10;

const startPatiently = async (start: PlaneStart): Promise<Plane> => {
  for (let tries = 1; ; tries++) {
    try {
      return await startPlane(start);
    } catch (error) {
      if (!(error instanceof StartError) || tries === startsMax) throw error;
    }
  }
};

/** Kills all processes of a plane at once. */
export const startKillablePlane = async (start: PlaneStart): Promise<KillablePlane> => {
  let server = await startPlane(start);
  return {
    url: server.url,
    internalUrl: server.internalUrl,
    async kill() {
      // The first process would start others in the place of processes that are killed before it.
      process.kill(server.pid, 'SIGSTOP');
      killBelow(server.pid);
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    async startAgain() {
      server = await startPatiently(start);
    },
    stop: () => server.stop(),
  };
};

/** A Redis with its file. @param home its folder */
export const startKillableRedis = async (home: string): Promise<KillableRedis> => {
  const options = { home, port: await freePort(), password: 'chaos', durable: true };
  let server = await startRedis(options);
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

/** A PostgreSQL that waits for its disk: what has committed survives. @param home its folder */
export const startKillablePostgres = async (home: string): Promise<Killable> => {
  const password = 'faults';
  const options = { home, port: await freePort(), password, adminPassword: password, database: 'waymark' };
  let server = await startPostgres(options);
  return {
    url: server.url,
    /** In turn: a stop that ends all transactions, and kill -9 of the postmaster, whose backends then end by themselves. */
    async kill(index) {
      if (index % 2 === 0) return server.stop();
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    async startAgain() {
      server = await startPostgres(options);
    },
    stop: () => server.stop(),
  };
};
