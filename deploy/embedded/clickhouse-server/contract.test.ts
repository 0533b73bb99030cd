/** An unmodified @clickhouse/client finds the behaviour of a ClickHouse server here. */
import { randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { afterFile, createTestClickHouse } from '../../testing/index.ts';

let url: string;
let clickhouse: ClickHouseClient;

/** A client with settings of its own, closed after the file. */
const client = (options: Parameters<typeof createClient>[0] = {}): ClickHouseClient => {
  const created = createClient({ url, log: { level: ClickHouseLogLevel.OFF }, ...options });
  afterFile(() => created.close());
  return created;
};

beforeAll(async () => {
  url = await createTestClickHouse();
  clickhouse = client();
});

const changed = (parts: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
  Object.assign(new URL(url), parts).href;

const rows = async <T>(query: string, query_params?: Record<string, unknown>): Promise<T[]> => {
  const result = await clickhouse.query({
    query,
    format: 'JSONEachRow',
    ...(query_params && { query_params }),
  });
  return result.json<T>();
};

const failure = async (query: string, using = clickhouse): Promise<ClickHouseError> => {
  const error = await using.query({ query }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ClickHouseError)) throw new Error(`expected a ClickHouseError, got ${error}`);
  return error;
};

/** RowBinary of one String column: LEB128 length, bytes. */
const rowBinaryStrings = (values: Buffer[]): Buffer =>
  Buffer.concat(
    values.flatMap((value) => {
      const length = value.length < 128 ? [value.length] : [(value.length & 127) | 128, value.length >> 7];
      return [Buffer.from(length), value];
    }),
  );

describe('queries', () => {
  test('a ping succeeds', async () => {
    expect(await clickhouse.ping()).toEqual({ success: true });
    expect(await clickhouse.ping({ select: true })).toEqual({ success: true });
  });

  test('query_params are bound by type and never become SQL', async () => {
    const text = `it's "quoted" \\ and\ta tab\n\n; DROP TABLE scans -- {n:UInt8}`;
    const query =
      'SELECT {text:String} AS text, {n:UInt64} AS n, {list:Array(String)} AS list, {day:Date} AS day';
    const found = await rows(query, { text, n: 7, list: ['a', "b'c"], day: '2026-02-28' });
    expect(found).toEqual([{ text, n: 7, list: ['a', "b'c"], day: '2026-02-28' }]);
  });

  test('concurrent queries each see their own parameters', async () => {
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    const found = await Promise.all(
      numbers.map(
        async (n) => (await rows<{ n: number }>('SELECT {n:UInt32} AS n, sleep(0.01)', { n }))[0]?.n,
      ),
    );
    expect(found).toEqual(numbers);
  });

  test('database= selects the database, and a missing one is an error', async () => {
    const inDefault = client({ url: changed({ pathname: '/default' }) });
    await inDefault.command({
      query: 'CREATE DATABASE IF NOT EXISTS {name:Identifier}',
      query_params: { name: 'a-b' },
    });
    const inOther = client({ url: changed({ pathname: '/a-b' }) });
    const result = await inOther.query({ query: 'SELECT currentDatabase() AS name', format: 'JSONEachRow' });
    expect(await result.json()).toEqual([{ name: 'a-b' }]);
    await inDefault.command({ query: 'DROP DATABASE `a-b`' });
    expect(await failure('SELECT 1', inOther)).toMatchObject({ code: '81', type: 'UNKNOWN_DATABASE' });
  });

  test.each([true, { codec: 'zstd' as const }])(
    'compressed requests (%j) and responses are understood',
    async (request) => {
      const compressing = client({ compression: { request, response: true } });
      await compressing.command({
        query: 'CREATE OR REPLACE TABLE zipped (n UInt32) ENGINE = MergeTree ORDER BY n',
      });
      const values = Array.from({ length: 5000 }, (_, n) => ({ n }));
      await compressing.insert({ table: 'zipped', values, format: 'JSONEachRow' });
      const result = await compressing.query({
        query: 'SELECT sum(n) AS sum FROM zipped',
        format: 'JSONEachRow',
      });
      expect(await result.json()).toEqual([{ sum: 12_497_500 }]);
    },
  );

  test('a setting holds for its request only', async () => {
    const query = `SELECT getSetting('max_block_size') AS size`;
    const seen = Array.from({ length: 12 }, async (_, n) => {
      const clickhouse_settings = n % 2 ? { max_block_size: '777' } : {};
      const result = await clickhouse.query({ query, format: 'JSONEachRow', clickhouse_settings });
      return (await result.json<{ size: number }>())[0]?.size === 777;
    });
    expect(await Promise.all(seen)).toEqual(Array.from({ length: 12 }, (_, n) => n % 2 === 1));
  });

  test('X-ClickHouse-Summary says how much an insert wrote', async () => {
    await clickhouse.command({ query: 'CREATE TABLE summed (n UInt32) ENGINE = MergeTree ORDER BY n' });
    const { summary } = await clickhouse.insert({
      table: 'summed',
      values: [{ n: 1 }, { n: 2 }, { n: 3 }],
      format: 'JSONEachRow',
    });
    expect(summary?.written_rows).toBe('3');
  });
});

describe('errors', () => {
  test.each([
    ['SELEC 1', '62', 'SYNTAX_ERROR'],
    ['SELECT * FROM no_such_table', '60', 'UNKNOWN_TABLE'],
    ['SELECT no_such_column FROM scans', '47', 'UNKNOWN_IDENTIFIER'],
    ['SELECT {missing:String}', '456', 'UNKNOWN_QUERY_PARAMETER'],
    ["SELECT throwIf(1, 'on purpose')", '395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'],
    ['SELECT 1; SELECT 2', '62', 'SYNTAX_ERROR'],
  ])('%s fails with code %s', async (query, code, type) => {
    expect(await failure(query)).toMatchObject({ code, type });
  });

  test('a wrong password or user is refused with 403', async () => {
    expect(await failure('SELECT 1', client({ url: changed({ password: 'wrong' }) }))).toMatchObject({
      code: '516',
    });
    expect(await failure('SELECT 1', client({ url: changed({ username: 'who' }) }))).toMatchObject({
      code: '516',
    });
    const { origin } = new URL(url);
    expect((await fetch(`${origin}/?query=SELECT%201`)).status).toBe(403);
  });

  test('a failed query does not leak into the next result', async () => {
    for (let round = 0; round < 12; round++) {
      await failure(
        'SELECT number, throwIf(number = 150000) FROM numbers(200000) SETTINGS max_block_size = 1000',
      );
      expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    }
  });

  test('a query is ended once its time is up', async () => {
    const slow = clickhouse.query({
      query: 'SELECT count() FROM numbers(100000000000) WHERE NOT ignore(sipHash64(number))',
      clickhouse_settings: { max_execution_time: 0.3 },
    });
    await expect(slow).rejects.toMatchObject({ code: '159' });
  });

  test('a query is ended when its client goes away', async () => {
    const abort = new AbortController();
    const mark = randomInt(2 ** 40);
    const query = `SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number, ${mark}))`;
    const running = async (): Promise<number | undefined> => {
      const isIt = `query LIKE '%number, ${mark}%' AND query NOT LIKE '%processes%'`;
      return (await rows<{ n: number }>(`SELECT count() AS n FROM system.processes WHERE ${isIt}`))[0]?.n;
    };
    const ended = expect(clickhouse.query({ query, abort_signal: abort.signal })).rejects.toThrow();
    await expect.poll(running).toBe(1);
    abort.abort();
    await ended;
    await expect.poll(running).toBe(0);
  });
});

describe('inserts', () => {
  const hostile = [
    Buffer.from('\n\n\n\n'),
    Buffer.from("\n\nDROP TABLE hostile;\n\nINSERT INTO hostile VALUES ('injected')\n\n"),
    Buffer.from("'; SELECT 1; --"),
    Buffer.alloc(10, 0x0a),
    Buffer.from([0, 255, 10, 10, 39, 92]),
  ];

  const countHostile = async (): Promise<string[]> =>
    (await rows<{ bytes: string }>('SELECT hex(text) AS bytes FROM hostile ORDER BY n')).map(
      ({ bytes }) => bytes,
    );

  const withNumbers = (values: Buffer[]): Buffer =>
    Buffer.concat(values.flatMap((value, n) => [Buffer.from([n]), rowBinaryStrings([value])]));

  beforeAll(async () => {
    await clickhouse.command({
      query: 'CREATE TABLE hostile (n UInt8, text String) ENGINE = MergeTree ORDER BY n',
    });
  });

  test.each([
    ['plain', (body: Buffer) => body, {}],
    ['gzip', gzipSync, { 'Content-Encoding': 'gzip' }],
    ['zstd', zstdCompressSync, { 'Content-Encoding': 'zstd' }],
  ])('a RowBinary body may hold blank lines and SQL (%s)', async (_, encode, http_headers) => {
    await clickhouse.command({ query: 'TRUNCATE TABLE hostile' });
    const { stream } = await client({ http_headers }).exec({
      query: 'INSERT INTO hostile (n, text) FORMAT RowBinary',
      values: Readable.from([encode(withNumbers(hostile))], { objectMode: false }),
    });
    stream.resume();
    expect(await countHostile()).toEqual(hostile.map((value) => value.toString('hex').toUpperCase()));
  });

  test('rows in the text of the statement may hold blank lines and SQL, too', async () => {
    await clickhouse.command({ query: 'TRUNCATE TABLE hostile' });
    const text = "a\n\nDROP TABLE hostile;\n\nb'c";
    await clickhouse.command({
      query: `INSERT INTO hostile (n, text) VALUES (1, {text:String}), (2, 'x\n\ny; z')`,
      query_params: { text },
    });
    await clickhouse.command({
      query: `INSERT INTO hostile FORMAT JSONEachRow\n${JSON.stringify({ n: 3, text })}\n\n${JSON.stringify({ n: 4, text: '' })}`,
    });
    const expected = [text, 'x\n\ny; z', text, ''].map((value) =>
      Buffer.from(value).toString('hex').toUpperCase(),
    );
    expect(await countHostile()).toEqual(expected);
  });

  test('an INSERT without rows succeeds and inserts nothing', async () => {
    await clickhouse.command({ query: 'TRUNCATE TABLE hostile' });
    await clickhouse.insert({ table: 'hostile', values: [], format: 'JSONEachRow' });
    expect(await countHostile()).toEqual([]);
  });

  test('INSERT … SELECT runs as it is written', async () => {
    await clickhouse.command({ query: 'TRUNCATE TABLE hostile' });
    await clickhouse.command({ query: "INSERT INTO hostile SELECT number, 'x' FROM numbers(3)" });
    expect(await countHostile()).toEqual(['78', '78', '78']);
  });

  test('a body that breaks off inserts nothing', async () => {
    await clickhouse.command({ query: 'TRUNCATE TABLE hostile' });
    const broken = withNumbers(hostile).subarray(0, -3);
    const insert = clickhouse.exec({
      query: 'INSERT INTO hostile (n, text) FORMAT RowBinary',
      values: Readable.from([broken], { objectMode: false }),
    });
    await expect(insert).rejects.toBeInstanceOf(ClickHouseError);
    expect(await countHostile()).toEqual([]);
  });

  test('readers are answered while rows are inserted', async () => {
    await clickhouse.command({ query: 'CREATE TABLE busy (n UInt32) ENGINE = MergeTree ORDER BY n' });
    const values = Array.from({ length: 2000 }, (_, n) => ({ n }));
    const inserts = Array.from({ length: 20 }, () =>
      clickhouse.insert({ table: 'busy', values, format: 'JSONEachRow' }),
    );
    const counts = Array.from({ length: 40 }, () => rows<{ n: number }>('SELECT count() AS n FROM busy'));
    for (const [count] of await Promise.all(counts)) expect(count!.n % 2000).toBe(0);
    await Promise.all(inserts);
    expect(await rows('SELECT count() AS n FROM busy')).toEqual([{ n: 40_000 }]);
  });
});
