/** ClickHouse's HTTP interface over the embedded engine, as far as an unmodified @clickhouse/client uses it. */
import http from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ChdbResult } from 'chdb';
import { equalInConstantTime } from '#shared/signing.ts';
import type { Engine, Statement } from './engine.ts';
import { clickHouseError, errorReply } from './errors.ts';
import { readQuery } from './request.ts';
import { outputFormat } from './sql.ts';
import { prepareStatement } from './statement.ts';

const gzip = promisify(zlib.gzip);

export interface ServerOptions {
  engine: Engine;
  user: string;
  password: string;
  /** For the rows of inserts on their way into the engine. */
  folder: string;
}

const contentType = (format: string): string => {
  if (!format.startsWith('JSON')) return 'text/plain; charset=UTF-8';
  return format.includes('EachRow') ? 'application/x-ndjson' : 'application/json; charset=UTF-8';
};

/** The engine reports one pair of figures; whether rows were read or written depends on the statement. */
const summaryOf = ({ rowsRead, bytesRead, elapsed }: ChdbResult, kind: Statement['kind']): string => {
  const [rows, bytes] = [String(rowsRead), String(bytesRead)];
  return JSON.stringify({
    read_rows: rows,
    read_bytes: bytes,
    written_rows: kind === 'write' ? rows : '0',
    written_bytes: kind === 'write' ? bytes : '0',
    total_rows_to_read: '0',
    result_rows: rows,
    result_bytes: bytes,
    elapsed_ns: String(Math.round(elapsed * 1e9)),
  });
};

const answer = async (
  { engine, user, password, folder }: ServerOptions,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> => {
  const query = readQuery(request);
  response.setHeader('X-ClickHouse-Query-Id', query.id);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  // Both are compared, whatever the first comparison says.
  const [userMatches, passwordMatches] = [
    equalInConstantTime(query.user, user),
    equalInConstantTime(query.password, password),
  ];
  if (!userMatches || !passwordMatches) {
    const message = `${query.user}: Authentication failed: password is incorrect, or there is no user with such name`;
    throw clickHouseError(516, 'AUTHENTICATION_FAILED', message);
  }
  const { statement, discard } = await prepareStatement(request, query, folder);
  try {
    if (statement === undefined) {
      response.end();
      return;
    }
    const clientGone = new AbortController();
    // An INSERT continues if the client has left: its token makes the retry harmless.
    if (statement.kind === 'read') {
      response.once('close', () => response.writableFinished || clientGone.abort());
    }
    const result = await engine.run(statement, clientGone.signal);
    const format = outputFormat(statement.sql) ?? query.defaultFormat;
    response.setHeader('X-ClickHouse-Summary', summaryOf(result, statement.kind));
    response.setHeader('X-ClickHouse-Format', format);
    response.setHeader('Content-Type', contentType(format));
    const bytes = Buffer.from(result.bytes());
    if (!query.gzip) {
      response.end(bytes);
      return;
    }
    response.setHeader('Content-Encoding', 'gzip');
    response.end(await gzip(bytes, { level: 1 }));
  } finally {
    await discard();
  }
};

export const createServer = (options: ServerOptions): http.Server => {
  const server = http.createServer((request, response) => {
    if (request.url === '/ping') {
      response.end('Ok.\n');
      return;
    }
    answer(options, request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return;
      }
      const { status, code, text } = errorReply(error, options.engine.version);
      response.writeHead(status, {
        'Content-Type': 'text/plain; charset=UTF-8',
        'X-ClickHouse-Exception-Code': code,
      });
      response.end(text);
      // The rest of the body is read and dropped, so that the connection can be reused.
      request.resume();
    });
  });
  server.keepAliveTimeout = 30_000;
  return server;
};
