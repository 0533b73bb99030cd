/** A PostgreSQL that can be stopped or killed, and started again at the same URL. */
import { startPostgres } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import type { Killable } from '../bench/killer.ts';

export interface KillablePostgres extends Killable {
  readonly url: string;
  stop(): Promise<void>;
}

const password = 'faults';

/** It waits for its disk: what has committed survives. @param home its folder */
export const startKillablePostgres = async (home: string): Promise<KillablePostgres> => {
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
