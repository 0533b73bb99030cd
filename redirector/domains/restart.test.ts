import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type DomainDocument, documentKey, domainDocumentId, serializeDocument } from '#schemas/documents.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl } from '../../deploy/testing/index.ts';
import { createAsk } from '../testing/ask.ts';
import { createInstance } from '../testing/instance.ts';
import { createRecord } from '../testing/redirector.ts';

test('a redirector goes on serving a domain while everything behind it is stopped, also after a restart', async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: '1' });
  const ask = createAsk(instance.url, false);
  const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 5000 }, pino({ level: 'silent' }));
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const domain = `restart-${Date.now()}.example.com`;
  const id = domainDocumentId(domain);
  const document: DomainDocument = { id, version: 1, workspaceId: 'ws_1', domain, active: true, path: '/' };
  await redis.set(documentKey(id), serializeDocument(document));
  const mine = createRecord({ workspaceId: 'ws_1' });
  const foreign = createRecord({ workspaceId: 'ws_2' });
  await Promise.all([mine, foreign].map((record) => instance.publish(record)));
  const statuses = async () =>
    Promise.all([
      ask(domain, `/${mine.id}`),
      ask(domain, `/r/${foreign.id}`),
      ask('localhost', `/r/${foreign.id}`),
    ])
      .then((answers) => answers.map(({ status }) => status))
      .catch(() => []);

  const first = await instance.start();
  expect(await statuses()).toEqual([302, 404, 302]);
  instance.controlPlane.away = true;
  expect(await statuses()).toEqual([302, 404, 302]);
  first.kill('SIGTERM');
  await first.exited;

  const second = instance.spawn({
    REDIS_URL: 'redis://127.0.0.1:1',
    CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
  });
  await expect.poll(statuses, { timeout: 30_000 }).toEqual([302, 404, 302]);
  // It would wait for a ClickHouse that is not there.
  second.kill('SIGKILL');
  await second.exited;
}, 60_000);
