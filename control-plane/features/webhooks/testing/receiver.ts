/** For tests: an HTTP server on loopback that keeps what it is sent. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from '../../../../deploy/testing/index.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Of its connection: the same where it was kept. */
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

/** Takes the request, and never answers. */
export const hanging: Answer = () => {};

/** Closes the connection in place of an answer. */
export const resetting: Answer = (_, response) => void response.socket?.resetAndDestroy();

export const startReceiver = async (answer: Answer = answering(204)): Promise<Receiver> => {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    // A sender that breaks off has sent nothing.
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
  // Its senders close what is idle, however busy the machine is.
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
