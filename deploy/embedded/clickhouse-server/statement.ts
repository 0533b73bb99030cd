/**
 * Turns a request into a statement that the engine may run.
 *
 * The rows of an INSERT never reach the engine as part of the statement: it takes the first blank line for their end and
 * runs what follows as SQL, which breaks RowBinary (0x0A0A) and lets a row's content be executed. They go through a file.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Statement } from './engine.ts';
import type { HttpQuery } from './request.ts';
import { checkStatement, type InsertStatement, isInsert, parseInsert, quoteString } from './sql.ts';

const decompressors = {
  none: (bytes: Buffer) => Promise.resolve(bytes),
  gzip: promisify<Buffer, Buffer>(zlib.gunzip),
  zstd: promisify<Buffer, Buffer>(zlib.zstdDecompress),
};

export interface Prepared {
  /** Undefined if there is nothing to do: an INSERT without rows. */
  statement: Statement | undefined;
  /** Removes the file that holds the rows. */
  discard(): Promise<void>;
}

const nothingToDiscard = () => Promise.resolve();

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const statementOf = (sql: string, http: HttpQuery): Statement => {
  checkStatement(sql, http.parameters);
  return {
    sql,
    id: http.id,
    database: http.database,
    settings: http.settings,
    format: http.defaultFormat,
    kind: isInsert(sql) ? 'write' : 'read',
  };
};

/** The rows are written to a file as they arrive, still compressed: the engine decompresses them itself. */
const prepareInsert = async (
  rows: Readable,
  insert: InsertStatement,
  encoding: HttpQuery['encoding'],
  http: HttpQuery,
  folder: string,
): Promise<Prepared> => {
  const file = path.join(folder, randomUUID());
  const discard = () => unlink(file);
  try {
    await pipeline(rows, createWriteStream(file, { mode: 0o600 }));
    if ((await stat(file)).size === 0) return { statement: undefined, discard };
    const source = `FROM INFILE ${quoteString(file)} COMPRESSION ${quoteString(encoding)}`;
    const sql = `${insert.target} ${source}${insert.settings} FORMAT ${insert.format}`;
    return { statement: statementOf(sql, http), discard };
  } catch (error) {
    await discard();
    throw error;
  }
};

/**
 * @param folder for the rows of an INSERT; the caller removes its files by `discard`
 * @throws {Error} with ClickHouse's code and message
 */
export const prepareStatement = async (
  request: IncomingMessage,
  http: HttpQuery,
  folder: string,
): Promise<Prepared> => {
  const insert = parseInsert(http.query);
  if (insert && insert.rows === '') return prepareInsert(request, insert, http.encoding, http, folder);
  const raw = await readAll(request);
  const body = raw.length > 0 ? await decompressors[http.encoding](raw) : raw;
  const sql = [http.query, body.toString()].filter(Boolean).join('\n');
  const inline = parseInsert(sql);
  if (inline) return prepareInsert(Readable.from([inline.rows]), inline, 'none', http, folder);
  return { statement: statementOf(sql, http), discard: nothingToDiscard };
};
