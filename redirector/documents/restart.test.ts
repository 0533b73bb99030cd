/** A redirector that restarts while everything behind it is stopped has the documents that it held. */
import { pino } from 'pino';
import { beforeAll, expect, test, vi } from 'vitest';
import {
  type DomainDocument,
  documentKey,
  domainDocumentId,
  type Gs1Document,
  gs1DocumentId,
  serializeDocument,
} from '#schemas/documents.ts';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl } from '../../deploy/testing/index.ts';
import { createAsk } from '../testing/ask.ts';
import { createInstance } from '../testing/instance.ts';
import { createRecord } from '../testing/redirector.ts';

const domain = 'restart.example.com';
const gs1Path = '/01/09506000134352';
const mine = createRecord({ workspaceId: 'ws_1' });
const foreign = createRecord({ workspaceId: 'ws_2' });

const domainDocument: DomainDocument = {
  id: domainDocumentId(domain),
  version: 1,
  workspaceId: 'ws_1',
  domain,
  active: true,
  path: '/',
};
const link = { linkType: 'https://ref.gs1.org/voc/pip', href: 'https://example.com/rice', title: 'Rice' };
const gs1Document: Gs1Document = {
  id: gs1DocumentId(gs1Path.slice(1)),
  version: 1,
  workspaceId: 'ws_1',
  entries: [{ id: 'gs1_1', path: gs1Path, itemDescription: 'Rice', links: [link] }],
};

/** Statuses of the requests: three of codes, on the domain and beside it, and one of a GS1 key. */
let before: number[];
let whileAway: number[];
let afterRestart: number[];

beforeAll(async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: '1' });
  const ask = createAsk(instance.url, false);
  const redis = createRedis(
    redisUrl(),
    { name: 'test', commandTimeoutMs: 30_000 },
    pino({ level: 'silent' }),
  );
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  for (const document of [domainDocument, gs1Document]) {
    instance.controlPlane.documents.set(document.id, document);
    await redis.set(documentKey(document.id), serializeDocument(document));
  }
  for (const record of [mine, foreign]) await instance.publish(record);
  const statuses = async (): Promise<number[]> => {
    const answers = await Promise.all([
      ask(domain, `/${mine.id}`),
      ask(domain, `/r/${foreign.id}`),
      ask('localhost', `/r/${foreign.id}`),
      ask('localhost', gs1Path),
    ]);
    return answers.map(({ status }) => status);
  };

  const first = await instance.start();
  before = await statuses();
  instance.controlPlane.away = true;
  whileAway = await statuses();
  first.kill('SIGTERM');
  await first.exited;

  const second = instance.spawn({
    REDIS_URL: 'redis://127.0.0.1:1',
    CLICKHOUSE_URL: 'http://127.0.0.1:1/none',
  });
  await vi.waitFor(statuses, { timeout: 100_000 });
  afterRestart = await statuses();
  // It would wait for a ClickHouse that is not there.
  second.kill('SIGKILL');
  await second.exited;
}, 240_000);

test('a redirector goes on serving a domain while everything behind it is stopped, also after a restart', () => {
  for (const statuses of [before, whileAway, afterRestart])
    expect(statuses.slice(0, 3)).toEqual([302, 404, 302]);
});

test('a redirector that restarts while everything behind it is stopped resolves the GS1 keys that it held', () => {
  for (const statuses of [before, whileAway, afterRestart]) expect(statuses[3]).toBe(307);
});
