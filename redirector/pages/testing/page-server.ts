/** Serves pages to a browser, on an origin that it considers secure. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '../page.ts';

/** Answers a request with a page, or with a redirect. */
export type Responder = (request: {
  method: string;
  path: string;
  body: string;
}) => Page | { location: string };

export interface PageServer {
  readonly origin: string;
  /** Methods and paths of all requests, in order. */
  readonly requests: string[];
  close(): Promise<void>;
}

const readAll = async (request: http.IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

export const servePages = async (respond: Responder): Promise<PageServer> => {
  const requests: string[] = [];
  const server = http.createServer(async (request, response) => {
    const { method = '', url: path = '' } = request;
    requests.push(`${method} ${path}`);
    const answer = respond({ method, path, body: await readAll(request) });
    if ('location' in answer) {
      response.writeHead(303, { Location: answer.location }).end();
    } else {
      response.writeHead(Number.parseInt(answer.status, 10), answer.headers.flat());
      response.end(answer.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
