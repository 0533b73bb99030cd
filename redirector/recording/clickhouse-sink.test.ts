/** How segments are sent: compressed, or uncompressed if ClickHouse cannot read that. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { afterFile, createTestClickHouse, temporaryFolder } from '../../deploy/testing/index.ts';
import { eventually } from '../testing/eventually.ts';
import { append, batchOf, openTestSpool } from '../testing/spool.ts';
import { createClickHouseSink } from './clickhouse-sink.ts';
import type { Compression } from './insert-body.ts';
import { SegmentRefusedError, startShipper } from './shipper.ts';
import type { Spool } from './spool.ts';

const url = await createTestClickHouse();
const client = createClickHouse(url, 'test', 60_000);
afterFile(() => client.close());

interface Insert {
  encoding: string | undefined;
  body: Buffer;
}

interface Path {
  /** Changes each INSERT on the way to ClickHouse. */
  change?: (insert: Insert) => Insert;
  /** Whether the proxy lets the answer through. */
  answers?: () => boolean;
  /** The status with which the proxy itself refuses a request, if it does. */
  refuses?: (insert: Insert) => number | undefined;
  /** Changes the headers of the answer. */
  changeHeaders?: (headers: http.IncomingHttpHeaders) => http.IncomingHttpHeaders;
}

/** A path to ClickHouse through a proxy. @returns a client of the proxy, and the INSERTs it received */
const openPath = async ({
  change = (insert) => insert,
  answers = () => true,
  refuses = () => undefined,
  changeHeaders = (headers) => headers,
}: Path = {}) => {
  const inserts: Insert[] = [];
  const proxy = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const insert = { encoding: request.headers['content-encoding'], body: Buffer.concat(chunks) };
    inserts.push(insert);
    const status = refuses(insert);
    if (status !== undefined) return response.writeHead(status).end('<html>Refused</html>');
    const { encoding, body } = change(insert);
    const { 'content-encoding': _, 'transfer-encoding': __, ...headers } = request.headers;
    const forwarded = http.request(new URL(request.url!, url), {
      method: 'POST',
      headers: {
        ...headers,
        'content-length': body.length,
        ...(encoding && { 'content-encoding': encoding }),
      },
    });
    forwarded.end(body);
    forwarded.once('response', (answer) => {
      if (!answers()) return request.socket.destroy();
      response.writeHead(answer.statusCode!, changeHeaders(answer.headers));
      answer.pipe(response);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const through = createClickHouse(Object.assign(new URL(url), { port: String(port) }).href, 'test', 60_000);
  afterFile(async () => {
    await through.close();
    proxy.close();
    proxy.closeAllConnections();
  });
  return { through, inserts };
};

const rowsEach = 500;

/** Closes a segment of scans of a code. */
const addSegment = async (spool: Spool, codeId: string): Promise<void> => {
  await append(spool, batchOf(Array.from({ length: rowsEach }, () => ({ codeId }))));
  await spool.rotate();
};

const openSpoolOf = async (codeId: string) => {
  const opened = await openTestSpool();
  await addSegment(opened.spool, codeId);
  return opened;
};

/** Rows of a code in the raw table and in the rollup, and a checksum of their ids. */
const stored = async (codeId: string) => {
  const result = await client.query({
    query: `SELECT toUInt32((SELECT count() FROM scans WHERE code_id = {id:String})) AS raw,
      toUInt32((SELECT sum(scans) FROM scans_daily WHERE code_id = {id:String})) AS daily,
      toUInt32((SELECT uniqExact(event_id) FROM scans WHERE code_id = {id:String} AND device = 'mobile')) AS events`,
    query_params: { id: codeId },
    format: 'JSONEachRow',
  });
  return (await result.json())[0];
};
const once = { raw: rowsEach, daily: rowsEach, events: rowsEach };

/** A logger, and the lines it received. */
const createLog = () => {
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  return { log, logger };
};

const silent = pino({ level: 'silent' });

const send = (spool: Spool, to: ClickHouseClient, compression?: Compression): Promise<void> =>
  createClickHouseSink(to, silent, compression).send(spool.first()!, new AbortController().signal);

test('a segment is compressed to less than a third of its bytes', async () => {
  const { through, inserts } = await openPath();
  const { spool } = await openSpoolOf('compressed');
  await send(spool, through);
  expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd']);
  expect(inserts[0]!.body.length).toBeLessThan((await spool.first()!.read()).length / 3);
  expect(await stored('compressed')).toEqual(once);
});

test('with CLICKHOUSE_COMPRESSION=none a segment is sent uncompressed', async () => {
  const { through, inserts } = await openPath();
  const { spool } = await openSpoolOf('plain');
  await send(spool, through, 'none');
  expect(inserts).toEqual([{ encoding: undefined, body: Buffer.from(await spool.first()!.read()) }]);
  expect(await stored('plain')).toEqual(once);
});

test('a compressed segment whose answer is lost counts once if the next process retries it', async () => {
  const { through, inserts } = await openPath({ answers: () => false });
  const { spool, folder } = await openSpoolOf('unanswered');
  await expect(send(spool, through)).rejects.toThrow();
  expect(await stored('unanswered')).toEqual(once);
  const next = await openTestSpool({ folder });
  expect(next.spool.closedRows()).toBe(rowsEach);
  const shipper = startShipper(next.spool, createClickHouseSink(client, silent), silent);
  expect(await shipper.stop(60_000)).toEqual({ rows: 0 });
  expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd']);
  expect(await stored('unanswered')).toEqual(once);
});

test.each([
  ['drops the compression header', ({ body }: Insert) => ({ encoding: undefined, body })],
  // A row that ends where the length of a string is expected.
  [
    'replaces it with bytes that end within a row',
    () => ({ encoding: undefined, body: Buffer.alloc(24, 1) }),
  ],
  ['names a compression that ClickHouse does not know', ({ body }: Insert) => ({ encoding: 'lzw', body })],
  ['names another compression', ({ body }: Insert) => ({ encoding: 'gzip', body })],
])(
  'a path that %s costs an attempt and a warning: scans are sent uncompressed for a while',
  async (name, change) => {
    const { through, inserts } = await openPath({
      change: (insert) => (insert.encoding ? change(insert) : insert),
    });
    const { spool } = await openSpoolOf(name);
    const { log, logger } = createLog();
    const shipper = startShipper(spool, createClickHouseSink(through, logger), logger);
    await eventually(() => expect(shipper.statistics.segmentsSent).toBe(1));
    await addSegment(spool, name);
    expect(await shipper.stop(60_000)).toEqual({ rows: 0 });
    expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd', undefined, undefined]);
    expect(shipper.statistics).toMatchObject({ segmentsSent: 2, failures: 0 });
    expect(await stored(name)).toEqual({ raw: 2 * rowsEach, daily: 2 * rowsEach, events: 2 * rowsEach });
    expect(log.map(({ msg }) => msg)).toEqual([
      'ClickHouse took a segment only uncompressed: sending all segments so for a while, as with CLICKHOUSE_COMPRESSION=none',
    ]);
  },
);

test('a compressed segment with a byte changed on the way is not stored, and is retried', async () => {
  const flipByte = ({ encoding, body }: Insert, at: number): Insert => {
    const changed = Buffer.from(body);
    changed[Math.floor(body.length * at)]! ^= 0x01;
    return { encoding, body: changed };
  };
  for (const at of [0.3, 0.5, 0.7, 0.9]) {
    const codeId = `flipped at ${at}`;
    const { through, inserts } = await openPath({
      change: (insert) => (insert.encoding ? flipByte(insert, at) : insert),
    });
    const { spool } = await openSpoolOf(codeId);
    await send(spool, through);
    expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd', undefined]);
    expect(await stored(codeId)).toEqual(once);
  }
});

test.each([400, 413, 415, 501])(
  'behind a proxy that refuses compressed requests with a page and %i, scans are sent uncompressed',
  async (status) => {
    const { through, inserts } = await openPath({
      refuses: ({ encoding }) => (encoding ? status : undefined),
    });
    const codeId = `refused with ${status}`;
    const { spool } = await openSpoolOf(codeId);
    const { log, logger } = createLog();
    const shipper = startShipper(spool, createClickHouseSink(through, logger), logger);
    expect(await shipper.stop(60_000)).toEqual({ rows: 0 });
    expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd', undefined]);
    expect(await stored(codeId)).toEqual(once);
    expect(log).toMatchObject([
      {
        msg: expect.stringContaining('CLICKHOUSE_COMPRESSION=none'),
        err: { message: expect.stringContaining(String(status)) },
      },
    ]);
  },
);

test('a proxy that refuses every request is a failure: no segment is refused, and compression stays on', async () => {
  let refused = true;
  const { through, inserts } = await openPath({ refuses: () => (refused ? 413 : undefined) });
  const { spool } = await openSpoolOf('refused for now');
  const sink = createClickHouseSink(through, silent);
  const failure = await sink
    .send(spool.first()!, new AbortController().signal)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringContaining('HTTP 413') });
  expect(failure).not.toBeInstanceOf(SegmentRefusedError);
  refused = false;
  await sink.send(spool.first()!, new AbortController().signal);
  expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd', undefined, 'zstd']);
});

test.each([300, 1200])(
  '%i rows whose compressed body is truncated on the way are all kept: they are retried uncompressed',
  async (rows) => {
    const cut = ({ encoding, body }: Insert): Insert => ({
      encoding,
      body: encoding ? body.subarray(0, body.length / 2) : body,
    });
    const { through, inserts } = await openPath({ change: cut });
    const codeId = `cut of ${rows}`;
    const { spool } = await openTestSpool();
    await append(spool, batchOf(Array.from({ length: rows }, () => ({ codeId }))));
    await spool.rotate();
    await send(spool, through);
    expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd', undefined]);
    expect(await stored(codeId)).toMatchObject({ raw: rows, daily: rows });
  },
);

test('an INSERT whose body is lost on the way is a failure', async () => {
  const { through } = await openPath({ change: () => ({ encoding: undefined, body: Buffer.alloc(0) }) });
  const { spool } = await openSpoolOf('emptied');
  for (const compression of ['zstd', 'none'] as const) {
    await expect(send(spool, through, compression)).rejects.toThrow(/X-ClickHouse-Summary/);
  }
});

test('ClickHouse may count rows read by views: more rows than were sent mean stored, fewer mean a failure', async () => {
  let readRows = 4 * rowsEach;
  const { through } = await openPath({
    changeHeaders: (headers) => ({
      ...headers,
      'x-clickhouse-summary': JSON.stringify({ read_rows: String(readRows) }),
    }),
  });
  const { spool } = await openSpoolOf('counted');
  await send(spool, through);
  readRows = rowsEach - 1;
  for (const compression of ['zstd', 'none'] as const) {
    await expect(send(spool, through, compression)).rejects.toThrow('has read 499 rows of 500');
  }
});

test('compression is retried a while after it failed', async () => {
  let damages = true;
  const flip = ({ encoding, body }: Insert): Insert => {
    if (damages && encoding) body[body.length - 1]! ^= 0x01;
    return { encoding, body };
  };
  const { through, inserts } = await openPath({ change: flip });
  const { spool } = await openSpoolOf('compressed again');
  const plainForMs = 300;
  const sink = createClickHouseSink(through, silent, 'zstd', { answerTimeoutMs: 60_000, plainForMs });
  const { signal } = new AbortController();
  await sink.send(spool.first()!, signal);
  damages = false;
  await eventually(async () => {
    await sink.send(spool.first()!, signal);
    expect(inserts.at(-1)!.encoding).toBe('zstd');
  });
  expect(inserts.slice(0, 2).map(({ encoding }) => encoding)).toEqual(['zstd', undefined]);
  expect(await stored('compressed again')).toEqual(once);
});

test('rows that ClickHouse cannot read either way are refused, and later ones are still compressed', async () => {
  const { through, inserts } = await openPath();
  const { log, logger } = createLog();
  const sink = createClickHouseSink(through, logger);
  const { signal } = new AbortController();
  // Within a value, and before the length of a string.
  for (const bytes of [5, 24]) {
    const read = () => Promise.resolve(Buffer.alloc(bytes, 1));
    const broken = { name: `broken-${bytes}-${Date.now()}`, rows: 1, read };
    await expect(sink.send(broken, signal)).rejects.toThrow(SegmentRefusedError);
  }
  const { spool } = await openSpoolOf('readable');
  await sink.send(spool.first()!, signal);
  expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd', undefined, 'zstd', undefined, 'zstd']);
  expect(log).toEqual([]);
});

test('segments are compressed and sent while a hanging disk holds three threads of the pool', async () => {
  const { through, inserts } = await openPath();
  const { spool } = await openSpoolOf('hanging');
  const rows = Buffer.from(await spool.first()!.read());
  const segment = { name: spool.first()!.name, rows: rowsEach, read: () => Promise.resolve(rows) };
  const folder = await temporaryFolder();
  const hung = ['write', 'queue', 'folder'].map((name) => {
    const fifo = path.join(folder, name);
    execFileSync('mkfifo', [fifo]);
    return { fifo, opened: fs.promises.open(fifo, 'w') };
  });
  await createClickHouseSink(through, silent).send(segment, new AbortController().signal);
  expect(inserts.map(({ encoding }) => encoding)).toEqual(['zstd']);
  // Opening the other end frees the threads.
  for (const { fifo, opened } of hung) {
    const other = fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    await (await opened).close();
    fs.closeSync(other);
  }
});
