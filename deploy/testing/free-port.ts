/**
 * Ports for tests. Several test files run at once, and a port may be used long after it was chosen: each process
 * holds the first port of its stretch, so that no other one chooses from it.
 */
import net from 'node:net';
import { createFreePort, firstPortOf, stretches } from '../embedded/ports/ports.ts';

/** Listens on a port until the process ends. @returns false if another process does */
const hold = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
    server.unref();
  });

const claimStretch = async (): Promise<number> => {
  for (let attempt = 0; attempt < stretches; attempt++) {
    const stretch = (process.pid + attempt) % stretches;
    if (await hold(firstPortOf(stretch))) return stretch;
  }
  throw new Error('no stretch of ports is free: do many processes of tests still run?');
};

let own: Promise<number> | undefined;

/** A port that was free a moment ago, on 127.0.0.1; a different one each time, and in each test process. */
export const freePort = createFreePort(() => {
  own ??= claimStretch();
  return own;
});
