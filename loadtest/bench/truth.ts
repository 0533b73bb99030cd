/**
 * A stand-in for the control plane: the redirector compares the versions of the codes that it holds with it, and every
 * record of the load test is of version 1. It has whole documents. The cost of PostgreSQL for that is not measured here.
 * It takes reports of scans: a redirector reports a scan that comes before it holds the workspace, and while its reports are not
 * taken it is not idle.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { z } from 'zod';

export interface Truth {
  readonly url: string;
  close(): Promise<void>;
}

const question = z.object({ ids: z.string() });

const documentsPath = '/internal/documents?ids=';

const answer = async (
  documents: ReadonlyMap<string, string>,
  req: http.IncomingMessage,
  res: http.ServerResponse,
): Promise<void> => {
  if (req.url?.startsWith(documentsPath)) {
    const ids = req.url.slice(documentsPath.length).split(',').map(decodeURIComponent);
    return void res.end(JSON.stringify(ids.flatMap((id) => documents.get(id) ?? [])));
  }
  if (req.url?.startsWith('/internal/scans?')) {
    await buffer(req);
    return void res.end();
  }
  if (req.url !== '/internal/codes/versions') return void res.writeHead(503).end();
  const { ids } = question.parse(JSON.parse(await text(req)));
  res.end(JSON.stringify({ timeline: 0, versions: ids.split(',').map(() => 1) }));
};

/** @param documents their texts by id */
export const startTruth = async (documents: ReadonlyMap<string, string> = new Map()): Promise<Truth> => {
  const server = http.createServer((req, res) => {
    answer(documents, req, res).catch(() => res.writeHead(400).end());
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
