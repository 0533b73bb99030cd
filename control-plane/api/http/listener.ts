/** An HTTP listener with a time limit on every phase, and a close that lets requests finish. */
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
  /** Longer than the idle time of the proxies in front, so that the proxies are the ones to close a connection. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};

/** Requests in progress at close get this long. */
const defaultDrainTimeoutMs = 10_000;
const idleCheckIntervalMs = 50;
/**
 * A client that reads nothing of a finished response for this long is given up: its connection is reset, and the unread
 * rest is freed. It may take twice as long, since only the first expiry of the timer shows that the client read
 * something at first.
 */
const defaultStallTimeoutMs = 30_000;

export interface Listener extends Closeable {
  /** The port listened on, even if 0 was asked for. */
  port: number;
  /** From now on responses say `Connection: close`, and their connections are closed after them. */
  retire(): void;
}

export interface ListenOptions {
  /** Whether the port may belong to another process that shares it (shared-ports.ts). Default: no. */
  shared?: boolean;
  drainTimeoutMs?: number;
  stallTimeoutMs?: number;
}

export interface Address {
  host: string;
  port: number;
}

/** @throws the system's error if the address cannot be bound */
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

/** On other systems Node refuses to share a port, or the kernel gives all connections to one listener. */
const canShare = process.platform === 'linux';

const bind = (server: net.Server, options: net.ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** A listener that shares its port would join any other that shares it, even of another installation. */
const requireFree = async (address: Address): Promise<void> => {
  if (!canShare || address.port === 0) return;
  const probe = net.createServer();
  await bind(probe, address);
  await new Promise((resolve) => probe.close(resolve));
};

/** Runs from our last write of a response until the kernel has taken all of it. Streams have an earlier limit. */
const resetStalled = (response: http.ServerResponse, stallTimeoutMs: number): void => {
  response.once('prefinish', () =>
    response.setTimeout(stallTimeoutMs, () => response.socket?.resetAndDestroy()),
  );
  // Before the server sets the connection's idle timeout.
  response.prependOnceListener('finish', () => response.setTimeout(0));
};

/** The open connections of a server. */
const openSockets = (server: http.Server): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
};

/** A client of HTTP/1.0 takes a mere close in mid-response for its end. */
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
