import { pino } from 'pino';
import { expect, test } from 'vitest';
import { documentKey, type Gs1Document, gs1DocumentId, serializeDocument } from '#schemas/documents.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl } from '../../deploy/testing/index.ts';
import { createInstance } from '../testing/instance.ts';

test('a redirector that restarts while everything behind it is stopped resolves what it held', async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: '1' });
  const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 5000 }, pino({ level: 'silent' }));
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const path = '/01/09506000134352';
  const id = gs1DocumentId(path.slice(1));
  const link = { linkType: 'https://ref.gs1.org/voc/pip', href: 'https://example.com/rice', title: 'Rice' };
  const entries = [{ id: 'gs1_1', path, itemDescription: 'Rice', links: [link] }];
  const document: Gs1Document = { id, version: 1, workspaceId: 'ws_1', entries };
  await redis.set(documentKey(id), serializeDocument(document));
  const statusOf = async () =>
    (await fetch(instance.url + path, { redirect: 'manual' }).catch(() => undefined))?.status;

  const first = await instance.start();
  expect(await statusOf()).toBe(307);
  first.kill('SIGTERM');
  await first.exited;

  instance.controlPlane.away = true;
  const second = instance.spawn({
    REDIS_URL: 'redis://127.0.0.1:1',
    CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
  });
  await expect.poll(statusOf, { timeout: 30_000 }).toBe(307);
  second.kill('SIGTERM');
  await second.exited;
}, 60_000);
