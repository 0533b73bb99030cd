/** For tests: an HTTP server on loopback that records its requests. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../../../../deploy/testing/local.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The client's port: the same if the connection was kept. */
  readonly remotePort: number | undefined;
}

export type Answer = (request: Received, response: http.ServerResponse) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** By default 204. */
  answer: Answer;
  /** Drops all connections. */
  hangUp(): void;
}

export const answering =
  (status: number, headers: http.OutgoingHttpHeaders = {}, body = ''): Answer =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

/** Accepts the request, and never answers. */
export const hanging: Answer = () => {};

/** Resets the connection instead of answering. */
export const resetting: Answer = (_, response) => void response.socket?.resetAndDestroy();

export const startReceiver = async (answer: Answer = answering(204)): Promise<Receiver> => {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    // An aborted request is not recorded.
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const one: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      remotePort: request.socket.remotePort,
    };
    receiver.received.push(one);
    receiver.answer(one, response);
  });
  // Senders close idle connections, however busy the machine is.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    answer,
    hangUp: () => server.closeAllConnections(),
  };
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
};
