/** A port that forwards connections unchanged and counts the ones that a proxy opens, whichever side closes them. */
import { once } from 'node:events';
import net from 'node:net';
import { afterFile } from '../../testing/local.ts';

export interface CountedUpstream {
  readonly port: number;
  /** Since the start. */
  readonly opened: number;
}

/** @param to a port of this machine. Listens until the end of the test file. */
export const countConnections = async (to: number): Promise<CountedUpstream> => {
  const sockets = new Set<net.Socket>();
  let opened = 0;
  const server = net.createServer((socket) => {
    opened++;
    const upstream = net.connect(to, '127.0.0.1');
    socket.pipe(upstream).pipe(socket);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      // A reset of one is a reset of the other.
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => sockets.delete(one));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    get opened() {
      return opened;
    },
  };
};
