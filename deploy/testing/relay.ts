/** For tests: a connection to a server that can be cut. */
import { once } from 'node:events';
import net from 'node:net';
import { afterFile } from './local.ts';

export interface Relay {
  /** The server’s URL through the relay. */
  url: string;
  /** Ends every connection, and accepts no new one. */
  cut(): void;
  /** Accepts connections again. */
  mend(): void;
}

export const startRelay = async (target: string): Promise<Relay> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const keep = (socket: net.Socket): net.Socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Cut connections fail; that is the purpose.
    socket.on('error', () => undefined);
    return socket;
  };
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = net.createServer((client) => {
    keep(client);
    if (isCut) return client.destroy();
    const upstream = keep(net.connect(Number(port), hostname));
    client.pipe(upstream).pipe(client);
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    cut();
    server.close();
  });
  const own = Object.assign(new URL(target), { port: (server.address() as net.AddressInfo).port });
  return {
    url: own.href,
    cut,
    mend() {
      isCut = false;
    },
  };
};
