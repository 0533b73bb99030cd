/** How requests get to a server: over connections that stay open, or each over a new one. */
import net from 'node:net';
import tls from 'node:tls';
import { type Connection, connect, responseLength } from './connection.ts';

/** Carries requests and tells of their answers. */
export interface Carrier {
  /** Whether another request can go now. */
  isFree(): boolean;
  /** @param request its number, which the call with its answer has */
  carry(request: number, bytes: Buffer): void;
  close(): void;
}

export interface CarrierEvents {
  /** @param response head and body */
  onAnswered(request: number, response: string): void;
  /** A connection failed, or closed before its answer. */
  onFailed(reason: string): void;
}

/**
 * Connections that stay open.
 * @param roundRobin whether they take turns, so that the server closes none of them for being idle; else the one that
 * was free last is taken first
 * @throws {Error} if no process listens
 */
export const openKeptConnections = async (
  port: number,
  connections: number,
  { onAnswered, onFailed }: CarrierEvents,
  roundRobin = false,
): Promise<Carrier> => {
  const open: Connection[] = [];
  const idle: number[] = [];
  /** The request that each connection carries. */
  const carried = new Int32Array(connections);
  for (let slot = 0; slot < connections; slot++) {
    const onResponse = (response: string): void => {
      idle.push(slot);
      onAnswered(carried[slot]!, response);
    };
    open.push(await connect(port, { onResponse, onClosed: () => onFailed('a connection was closed') }));
    idle.push(slot);
  }
  return {
    isFree: () => idle.length > 0,
    carry(request, bytes) {
      const slot = roundRobin ? idle.shift()! : idle.pop()!;
      carried[slot] = request;
      open[slot]!.send(bytes);
    },
    close() {
      for (const connection of open) connection.close();
    },
  };
};

/** TLS 1.3 with a full handshake each time: no session is kept, so that none is resumed. */
const secureContext = tls.createSecureContext({ minVersion: 'TLSv1.3' });

/** `localhost` is the name in the handshake (SNI). The certificate is the load test's own: its chain is not checked. */
export const connectTls = (port: number): net.Socket =>
  tls.connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    rejectUnauthorized: false,
    secureContext,
  });

export const connectPlain = (port: number): net.Socket =>
  net.connect({ port, host: '127.0.0.1', noDelay: true });

export interface NewConnectionsOptions {
  port: number;
  isTls: boolean;
  /** Connections at a time: requests beyond them wait. */
  connections: number;
}

/** So few that no server closes one of them for being idle. */
const keptConnections = 16;

/** As new connections, except for the requests that come over one that stays open. */
export const openMixedConnections = async (
  options: NewConnectionsOptions,
  isKept: (request: number) => boolean,
  events: CarrierEvents,
): Promise<Carrier> => {
  const fresh = createNewConnections(options, events);
  const kept = await openKeptConnections(options.port, keptConnections, events, true);
  return {
    isFree: () => kept.isFree() && fresh.isFree(),
    carry: (request, bytes) => (isKept(request) ? kept : fresh).carry(request, bytes),
    close() {
      kept.close();
      fresh.close();
    },
  };
};

/** A connection for each request; the client closes it once the answer is there. */
export const createNewConnections = (
  { port, isTls, connections }: NewConnectionsOptions,
  { onAnswered, onFailed }: CarrierEvents,
): Carrier => {
  const open = new Set<net.Socket>();
  let isClosing = false;
  const carry = (request: number, bytes: Buffer): void => {
    const socket = isTls ? connectTls(port) : connectPlain(port);
    let received = '';
    let isAnswered = false;
    let reason = 'a connection was closed before its answer';
    open.add(socket);
    socket.write(bytes);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (isAnswered || responseLength(received) === undefined) return;
      isAnswered = true;
      open.delete(socket);
      socket.destroy();
      onAnswered(request, received);
    });
    socket.once('error', (error) => {
      reason = error.message;
    });
    socket.once('close', () => {
      open.delete(socket);
      if (!isAnswered && !isClosing) onFailed(reason);
    });
  };
  return {
    isFree: () => open.size < connections,
    carry,
    close() {
      isClosing = true;
      for (const socket of open) socket.destroy();
    },
  };
};
