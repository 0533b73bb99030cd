import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../deploy/testing/index.ts';
import { createPool } from '../platform/db/pool.ts';
import { poolForQueue } from './listening.ts';
import { startQueue } from './queue.ts';

/** Forwards to PostgreSQL all but LISTEN and the statements after it on that connection. */
const startDeafProxy = async (databaseUrl: string) => {
  const { hostname, port } = new URL(databaseUrl);
  const silent: Socket[] = [];
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname);
    for (const end of [socket, upstream]) end.on('error', () => undefined);
    upstream.pipe(socket);
    socket.on('data', (bytes) => {
      if (bytes.includes('LISTEN')) silent.push(socket);
      if (!silent.includes(socket)) upstream.write(bytes);
    });
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, silent };
};

test('a queue that stops while its LISTEN is not answered ends without an unhandled rejection', async () => {
  const rejections: unknown[] = [];
  const hear = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  const { url, silent } = await startDeafProxy(await createTestDatabase());
  const logger = createLogger('test', 'silent');
  const pool = createPool(url, 'test', logger);
  const queue = await startQueue(pool, { tasks: {}, crontab: '' }, logger);
  await expect.poll(() => silent).toHaveLength(1);
  queue.stop();
  await queue.ended;
  silent[0]?.destroy();
  await pool.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(rejections).toEqual([]);
});

test('a pool that has ended gives the queue no connection, and there is nothing to release', async () => {
  const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'));
  await pool.end();
  const error = await new Promise((resolve) => {
    poolForQueue(pool).connect((failure, _, release) => {
      release();
      resolve(failure);
    });
  });
  expect(error).toEqual(new Error('Cannot use a pool after calling end on the pool'));
});
