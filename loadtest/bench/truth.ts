/**
 * What stands in for the control plane: the redirector compares the versions of the codes that it holds with it, and every
 * record of the load test is of version 1. What PostgreSQL would spend on that is not measured here.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

export interface Truth {
  readonly url: string;
  close(): Promise<void>;
}

const question = z.object({ ids: z.string() });

const answer = async (req: http.IncomingMessage, res: http.ServerResponse): Promise<void> => {
  if (req.url !== '/internal/codes/versions') return void res.writeHead(503).end();
  const { ids } = question.parse(JSON.parse(await text(req)));
  res.end(JSON.stringify({ timeline: 0, versions: ids.split(',').map(() => 1) }));
};

export const startTruth = async (): Promise<Truth> => {
  const server = http.createServer((req, res) => {
    answer(req, res).catch(() => res.writeHead(400).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
