/**
 * ClickHouse in a backup: each partition of each table as ClickHouse writes it (`FORMAT Native`). This needs no disk that ClickHouse
 * could write to, as its own BACKUP does; but everything passes through this process and is sorted and compressed again.
 */
import { Readable } from 'node:stream';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { ConfigError } from '#shared/config.ts';
import { VerbFailure } from '../../framework/verb.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type Content, putContent, readContent } from './contents.ts';

const keyShape = /^clickhouse\/([a-z_]+)\/([A-Za-z0-9-]+)\.native$/;

/** For one partition; ClickHouse sends as it reads. */
const timeoutMs = 3_600_000;

/** The table of migrations is filled by the migrations. */
const migrationsTable = 'schema_migrations';

export const isPartition = ({ key }: Content): boolean => keyShape.test(key);

/** @throws {ConfigError} if no ClickHouse is set */
export const requireClickHouse = (url: string | undefined): string => {
  if (url === undefined) throw new ConfigError('CLICKHOUSE_URL must be set');
  return url;
};

export const openClickHouse = (url: string): ClickHouseClient =>
  createClickHouse(url, 'waymark-admin', timeoutMs);

/** Does work with a connection, which is closed afterwards. */
export const withClickHouse = async <Result>(
  url: string,
  work: (clickhouse: ClickHouseClient) => Promise<Result>,
): Promise<Result> => {
  const clickhouse = openClickHouse(url);
  try {
    return await work(clickhouse);
  } finally {
    await clickhouse.close();
  }
};

const column = async (
  clickhouse: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<string[]> => {
  const result = await clickhouse.query({ query, query_params, format: 'JSONCompactEachRow' });
  return (await result.json<[string]>()).map(([value]) => String(value));
};

export const databaseOf = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.slice(1)) || 'default';

/** How many tables the database of the URL has; it need not exist. */
export const countTables = async (url: string): Promise<number> => {
  const server = new URL(url);
  server.pathname = '';
  const query = 'SELECT count() FROM system.tables WHERE database = {database:String}';
  const [tables] = await withClickHouse(server.href, (clickhouse) =>
    column(clickhouse, query, { database: databaseOf(url) }),
  );
  return Number(tables);
};

export const appliedMigrations = (clickhouse: ClickHouseClient): Promise<string[]> =>
  column(clickhouse, `SELECT name FROM ${migrationsTable} ORDER BY name`);

const failureBytes = 16_384;

/**
 * Once an answer has begun, ClickHouse can report a failure only in it: as its end.
 * @returns the failure that an answer ends with, if any
 */
export const failureAt = (end: Buffer): string | undefined =>
  /DB::Exception: .*\(version [^\n]*\)\s*(?:\d+ \S+\s*__exception__\s*)?$/s.exec(end.toString('latin1'))?.[0];

async function* rowsOf(
  clickhouse: ClickHouseClient,
  table: string,
  partition: string,
): AsyncGenerator<Uint8Array> {
  const { stream } = await clickhouse.exec({
    query: 'SELECT * FROM {table:Identifier} WHERE _partition_id = {partition:String} FORMAT Native',
    query_params: { table, partition },
  });
  let end = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    end = Buffer.concat([end, chunk.subarray(-failureBytes)]).subarray(-failureBytes);
    yield chunk;
  }
  const failure = failureAt(end);
  if (failure !== undefined)
    throw new VerbFailure(`ClickHouse failed while ${table} was read: ${failure.slice(0, 500)}`);
}

/** Copies every partition into the backup. Scans that are recorded meanwhile may be in some tables and not in others. */
export async function* backUpTables(url: string, place: Storage): AsyncGenerator<Content> {
  const clickhouse = openClickHouse(url);
  try {
    yield* partitionsOf(clickhouse, place);
  } finally {
    await clickhouse.close();
  }
}

async function* partitionsOf(clickhouse: ClickHouseClient, place: Storage): AsyncGenerator<Content> {
  const tables = await column(
    clickhouse,
    `SELECT name FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != '${migrationsTable}' ORDER BY name`,
  );
  for (const table of tables) {
    const partitions = await column(
      clickhouse,
      `SELECT DISTINCT partition_id FROM system.parts
       WHERE database = currentDatabase() AND table = {table:String} AND active AND rows > 0 ORDER BY partition_id`,
      { table },
    );
    for (const partition of partitions)
      yield await putContent(
        place,
        `clickhouse/${table}/${partition}.native`,
        rowsOf(clickhouse, table, partition),
      );
  }
}

/**
 * Restores one partition: into a table of the same shape, whose parts are then attached. An INSERT into the table itself would also
 * fill the views on it, whose tables are restored by themselves. Redirectors may send scans meanwhile.
 */
export const restorePartition = async (
  clickhouse: ClickHouseClient,
  place: Storage,
  content: Content,
): Promise<void> => {
  const [, table = '', partition = ''] = keyShape.exec(content.key) ?? [];
  const staging = `restoring_${table}`;
  await clickhouse.command({ query: `CREATE TABLE ${staging} AS ${table}` });
  const { stream } = await clickhouse.exec({
    query: `INSERT INTO ${staging} FORMAT Native`,
    values: Readable.from(readContent(place, content), { objectMode: false }),
    clickhouse_settings: { insert_deduplicate: 0 },
  });
  stream.resume();
  await clickhouse.command({
    query: `ALTER TABLE ${table} ATTACH PARTITION ID '${partition}' FROM ${staging}`,
  });
  await clickhouse.command({ query: `DROP TABLE ${staging} SYNC` });
};
