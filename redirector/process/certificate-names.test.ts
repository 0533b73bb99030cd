/** Whether the edge may get a certificate for a name: real processes, a stand-in for the control plane. */
import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DomainDocument, documentKey, domainDocumentId, serializeDocument } from '#schemas/documents.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile, freePort, redisUrl } from '../../deploy/testing/index.ts';
import { createInstance, type Instance, type RedirectorProcess } from '../testing/instance.ts';
import { logger } from '../testing/redirector.ts';

const documentOf = (domain: string, changes: Partial<DomainDocument> = {}): DomainDocument => ({
  id: domainDocumentId(domain),
  version: 1,
  workspaceId: 'ws_brand',
  domain,
  active: true,
  path: '/',
  certified: true,
  ...changes,
});

describe.each(['1', '2'])('GET /internal/domains/ask of a redirector with %s workers', (workers) => {
  const named = (name: string): string => `${name}-${workers}.brand.example`;
  let instance: Instance;
  let redis: Redis;
  let internalUrl: string;
  let redirector: RedirectorProcess;

  /** Publishes a domain, and has a phone scan it on several connections: each worker holds what it has served. */
  const serve = async (document: DomainDocument): Promise<void> => {
    instance.controlPlane.documents.set(document.id, document);
    await redis.set(documentKey(document.id), serializeDocument(document));
    for (let times = 0; times < 8; times++)
      await request(`${instance.url}/r/none`, { headers: { host: document.domain }, reset: true }).then(
        ({ body }) => body.dump(),
      );
  };

  const ask = async (domain: string) => {
    const answer = await fetch(`${internalUrl}/internal/domains/ask?domain=${encodeURIComponent(domain)}`);
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.json(),
    };
  };

  const asked = async (domain: string): Promise<{ status: number; wasPassedOn: boolean }> => {
    instance.controlPlane.askedCertificates = [];
    const { status } = await ask(domain);
    return { status, wasPassedOn: instance.controlPlane.askedCertificates.length > 0 };
  };

  beforeAll(async () => {
    const internalPort = await freePort();
    internalUrl = `http://127.0.0.1:${internalPort}`;
    instance = await createInstance({
      REDIRECTOR_WORKERS: workers,
      REDIRECTOR_INTERNAL_PORT: String(internalPort),
      QR_HOST: 'http://qr.example.com',
      BASE_URL: 'http://api.example.com',
    });
    redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 2000 }, logger);
    afterFile(() => redis.disconnect());
    await untilReady(redis);
    redirector = await instance.start();
  });

  test('a name that was allowed before is allowed without the control plane, and so are our own hosts', async () => {
    await serve(documentOf(named('known')));
    for (const name of [
      named('known'),
      named('known').toUpperCase(),
      `${named('known')}.`,
      'qr.example.com',
      'api.example.com',
    ])
      expect([name, await asked(name)]).toEqual([name, { status: 200, wasPassedOn: false }]);
  });

  test('a name that it does not hold is not looked up, allowed or not', async () => {
    const document = documentOf(named('unserved'));
    await redis.set(documentKey(document.id), serializeDocument(document));
    expect(await asked(named('unserved'))).toEqual({ status: 404, wasPassedOn: true });
  });

  test('any other name is the control plane’s to decide: new, switched off, unknown, or no name', async () => {
    await serve(documentOf(named('new'), { certified: undefined }));
    await serve(documentOf(named('off'), { active: false }));
    const { certificates } = instance.controlPlane;
    certificates.set(named('new'), 200);
    expect(await asked(named('new'))).toEqual({ status: 200, wasPassedOn: true });
    certificates.set(named('new'), 429);
    expect(await ask(named('new'))).toMatchObject({
      status: 429,
      retryAfter: '17',
      body: { code: 'REFUSED' },
    });
    for (const name of [named('off'), named('unknown'), '', 'x y', 'a.'.repeat(1_000)])
      expect([name, await asked(name)]).toEqual([name, { status: 404, wasPassedOn: true }]);
  });

  test('a name that was scanned, and not allowed yet, is not allowed by the redirector', async () => {
    await serve(documentOf(named('scanned'), { certified: undefined }));
    expect(await asked(named('scanned'))).toEqual({ status: 404, wasPassedOn: true });
  });

  test('after a restart without Redis and control planes, names that it holds are allowed, and others are 503', async () => {
    await serve(documentOf(named('held')));
    expect((await ask(named('held'))).status).toBe(200);
    redirector.kill('SIGTERM');
    expect(await redirector.exited).toBe(0);
    instance.controlPlane.away = true;
    redirector = await instance.start({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    expect((await ask(named('held'))).status).toBe(200);
    expect(await ask(named('unheld'))).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { code: 'UNAVAILABLE' },
    });
  });
});
