/** Erased codes at the phone: both real planes. */
import { expect, test } from 'vitest';
import type { AliasObject } from '#schemas/api/aliases.ts';
import { qrHost, secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { createAsk } from '../../redirector/testing/ask.ts';
import { startTestRedirector } from '../../redirector/testing/redirector.ts';
import { createTestClickHouse } from '../testing/index.ts';
import { startTestRedis } from '../testing/redis.ts';

const redis = await startTestRedis();
const clickhouseUrl = await createTestClickHouse();
const plane = await startTestControlPlane({ redisUrl: redis.url, clickhouseUrl });
const environment = {
  QR_HOST: qrHost,
  REDIS_URL: redis.url,
  CLICKHOUSE_URL: clickhouseUrl,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
  SEGMENT_AGE_MS: '50',
};

const host = new URL(qrHost).host;

test('scans of an erased code and of its aliases are 410 with a page that says so, held before or not', async () => {
  const own = await plane.workspace();
  const code = await own.createCode({
    messages: { inactive: { title: 'Words of the owner' } },
    expiredUrl: 'https://example.com/over',
  });
  const given = await own.call('POST', `/api/qr/codes/${code.id}/aliases`, { alias: 'printed-once' });
  const { alias } = given.body as AliasObject;
  const held = await startTestRedirector(environment);
  await held.connected();
  const paths = [`/r/${code.id}`, `/r/${alias}`];
  for (const path of paths) expect((await createAsk(held.url)(host, path)).status).toBe(302);
  expect((await own.call('POST', `/api/qr/codes/${code.id}/erase`)).status).toBe(202);
  const fresh = await startTestRedirector(environment);
  await fresh.connected();
  for (const redirector of [held, fresh])
    for (const path of paths) {
      const ask = createAsk(redirector.url);
      await expect.poll(async () => (await ask(host, path)).status, { timeout: 20_000 }).toBe(410);
      const [page, answer] = [
        await ask(host, path, { headers: { accept: 'text/html' } }),
        await ask(host, path),
      ];
      expect(page.status).toBe(410);
      expect(page.text).toContain('This code was erased');
      expect(page.text).not.toContain('Words of the owner');
      expect(answer.text).toContain('CODE_ERASED');
    }
});
