/** An HTTP listener with limits on how long anything may take, and a close that lets requests finish. */
import type http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Closeable } from '#shared/lifecycle.ts';
import { createStrictServer, type StrictServerOptions } from '#shared/strict-server.ts';
import { noteRequest } from './delivery.ts';

const limits: StrictServerOptions = {
  /** Request line and headers, in bytes. */
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** Headers and body: 25 MB at 3.4 Mbit/s. */
  requestTimeout: 60_000,
  /** Longer than the idle time of the proxies in front, so that it is they who close a connection. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

/** Requests that are under way at close get this long. */
const defaultDrainTimeoutMs = 10_000;
const idleCheckIntervalMs = 50;
/**
 * A client that takes nothing of a finished answer for so long is given up: its connection is reset, and what it did not take is freed.
 * Up to twice as long, since that it took something at the beginning is seen only when the time has passed for the first time.
 */
const defaultStallTimeoutMs = 30_000;

export interface Listener extends Closeable {
  /** The port listened on, also where 0 was asked for. */
  port: number;
  /** From now on answers say `Connection: close`, and their connections are closed after them. */
  retire(): void;
}

export interface ListenOptions {
  /** Whether the port may be that of another process, which shares it (shared-ports.ts). Default: no. */
  shared?: boolean;
  drainTimeoutMs?: number;
  stallTimeoutMs?: number;
}

export interface Address {
  host: string;
  port: number;
}

/**
 * @throws the system's error when the address cannot be bound
 */
export const listen = async (
  handler: http.RequestListener,
  address: Address,
  options: ListenOptions = {},
): Promise<Listener> => {
  const { shared = false } = options;
  const { drainTimeoutMs = defaultDrainTimeoutMs, stallTimeoutMs = defaultStallTimeoutMs } = options;
  let retiring = false;
  const server = createStrictServer(limits, (request, response) => {
    noteRequest(request.socket);
    response.shouldKeepAlive &&= !retiring;
    resetStalled(response, stallTimeoutMs);
    handler(request, response);
  });
  const sockets = openSockets(server);
  if (!shared) await requireFree(address);
  await bind(server, { ...address, reusePort: canShare });
  let closed: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    retire() {
      retiring = true;
    },
    close() {
      retiring = true;
      closed ??= drain(server, sockets, drainTimeoutMs);
      return closed;
    },
  };
};

/** Elsewhere Node refuses to share a port, or the kernel gives all connections to one of the listeners. */
const canShare = process.platform === 'linux';

const bind = (server: net.Server, options: net.ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** A listener that shares its port would take its place beside any other that does, also of another installation. */
const requireFree = async (address: Address): Promise<void> => {
  if (!canShare || address.port === 0) return;
  const probe = net.createServer();
  await bind(probe, address);
  await new Promise((resolve) => probe.close(resolve));
};

/** From the end of the answer, as we write it, to the end of it, as the kernel takes it. Streams have their own limit before. */
const resetStalled = (response: http.ServerResponse, stallTimeoutMs: number): void => {
  response.once('prefinish', () =>
    response.setTimeout(stallTimeoutMs, () => response.socket?.resetAndDestroy()),
  );
  // Before the server sets the time that the connection may be idle.
  response.prependOnceListener('finish', () => response.setTimeout(0));
};

/** The connections of a server, for as long as they are open. */
const openSockets = (server: http.Server): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
};

/** To a client of HTTP/1.0 a mere close in the middle of an answer is its end. */
const resetAll = (sockets: ReadonlySet<Socket>): void => {
  for (const socket of sockets) socket.resetAndDestroy();
};

/** Stops accepting, lets requests finish, and ends connections as they fall idle. */
const drain = (server: http.Server, sockets: ReadonlySet<Socket>, drainTimeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckIntervalMs);
    const deadline = setTimeout(() => resetAll(sockets), drainTimeoutMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(deadline);
      resolve();
    });
  });
