/** Answers that do not prove that the rows are stored. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createClickHouse } from '#shared/clickhouse.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { append, batchOf, openTestSpool } from '../testing/spool.ts';
import { createClickHouseSink } from './clickhouse-sink.ts';
import { startShipper } from './shipper.ts';

const silent = pino({ level: 'silent' });
/** Two or more pieces of a request body. */
const segment = { name: 'answered', rows: 2, read: () => Promise.resolve(Buffer.alloc(2 ** 18, 'rows')) };

/** @returns a client of a server that answers with `answer` */
const openServer = async (answer: (request: http.IncomingMessage, response: http.ServerResponse) => void) => {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createClickHouse(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/default`,
    'test',
    60_000,
  );
  afterFile(async () => {
    await client.close();
    server.close();
    server.closeAllConnections();
  });
  return client;
};

const summary = { 'X-ClickHouse-Summary': '{"read_rows":"2","written_rows":"2"}' };
const html = '<html><body>Welcome</body></html>';

test.each<[string, (request: http.IncomingMessage, response: http.ServerResponse) => void]>([
  ['200 before the body is read', (_, response) => response.end()],
  [
    '200 and the end of the connection',
    (_, response) => response.writeHead(200, { Connection: 'close' }).end(),
  ],
  ['204', (request, response) => request.resume().once('end', () => response.writeHead(204).end())],
  ['a page', (request, response) => request.resume().once('end', () => response.end(html))],
  [
    'a page of 10 MB',
    (request, response) => request.resume().once('end', () => response.end('x'.repeat(1e7))),
  ],
  [
    'a page, and a summary',
    (request, response) => request.resume().once('end', () => response.writeHead(200, summary).end(html)),
  ],
  [
    'a summary that is not JSON',
    (request, response) =>
      request.resume().once('end', () => response.writeHead(200, { 'X-ClickHouse-Summary': '{' }).end()),
  ],
  [
    'a summary without rows',
    (request, response) =>
      request.resume().once('end', () => response.writeHead(200, { 'X-ClickHouse-Summary': '{}' }).end()),
  ],
  [
    'a summary, and a body that never ends',
    (request, response) =>
      request.resume().once('end', () => response.writeHead(200, summary).flushHeaders()),
  ],
])('a segment answered with %s is not stored, and is retried', async (_, answer) => {
  const client = await openServer(answer);
  const { signal } = new AbortController();
  const sink = createClickHouseSink(client, silent, 'zstd', { answerTimeoutMs: 200, plainForMs: 0 });
  await expect(sink.send(segment, signal)).rejects.toThrow();
  await expect(sink.send(segment, signal)).rejects.toThrow();
});

test('a segment answered with a page stays in the spool, and the log shows the answer', async () => {
  const client = await openServer((request, response) =>
    request.resume().once('end', () => response.end(html)),
  );
  const { spool } = await openTestSpool();
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  await append(spool, batchOf([{ codeId: 'paged' }]));
  await spool.rotate();
  const shipper = startShipper(spool, createClickHouseSink(client, logger), logger);
  await eventually(() => expect(shipper.statistics.failures).toBeGreaterThan(1));
  expect(await shipper.stop(0)).toEqual({ rows: 1 });
  expect(log).toMatchObject([
    { segment: spool.first()!.name, err: { message: expect.stringContaining('Welcome') } },
  ]);
});

test('a segment is stored if the answer says that all its rows were read', async () => {
  const client = await openServer((request, response) =>
    request.resume().once('end', () => response.writeHead(200, summary).end()),
  );
  await createClickHouseSink(client, silent).send(segment, new AbortController().signal);
});
