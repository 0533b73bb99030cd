/** From a scan at a redirector to the webhook's receiver: both real planes, with a receiver on loopback. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startReceiver } from '../../control-plane/features/webhooks/testing/receiver.ts';
import { secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { phone, startTestRedirector } from '../../redirector/testing/redirector.ts';
import { startTestRedis } from '../testing/redis.ts';

const server = await startTestRedis();
const plane = await startTestControlPlane({
  redisUrl: server.url,
  environment: { WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const waymark = await startTestRedirector({
  REDIS_URL: server.url,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
  SEGMENT_AGE_MS: '50',
  TRUSTED_PROXIES: '127.0.0.1',
  COUNTRY_HEADER: 'cf-ipcountry',
});
await waymark.connected();
const own = await plane.workspace();
const receiver = await startReceiver();
const batches = await startReceiver();

const envelope = z.strictObject({
  id: z.string(),
  type: z.string(),
  createdAt: z.iso.datetime(),
  data: z.looseObject({ qrId: z.string().optional(), events: z.array(z.unknown()).optional() }),
});
const sentTo = ({ received }: typeof receiver) =>
  received.map(({ body }) => envelope.parse(JSON.parse(body)));
const sentOf = (codeId: string) => sentTo(receiver).filter(({ data }) => data.qrId === codeId);

const visitor = { ip: '203.0.113.77', userAgent: `${phone} Secret/1.0` };
const scan = async (codeId: string, init: RequestInit = {}): Promise<void> => {
  const headers = {
    'user-agent': visitor.userAgent,
    'x-forwarded-for': visitor.ip,
    'cf-ipcountry': 'FR',
    ...init.headers,
  };
  // A lookup that takes too long is answered with 503.
  await expect.poll(async () => (await waymark.scan(codeId, { ...init, headers })).status).toBe(302);
};

const create = async (body: object): Promise<void> => {
  expect((await own.call('POST', '/api/webhooks', body)).status).toBe(201);
};

const countTaken = async (): Promise<number> => {
  const { body } = await plane.internal('GET', '/metrics');
  return Number(/^waymark_reported_scans_total\{what="counted"\} (\d+)$/m.exec(String(body))?.[1]);
};

test('each scan is sent once as scan.created with the keys of its payload; non-person scans are not sent, and nothing about the visitor is', async () => {
  const early = await own.createCode();
  await scan(early.id);
  // The workspace is still unknown: the scan is reported, and no webhook follows it.
  await expect.poll(countTaken).toBe(1);
  await create({ url: receiver.url, events: ['scan.created'] });
  // It is known once one of several scans is sent …
  const heard = await own.createCode();
  const sentOfNow = async (): Promise<number> => {
    await scan(heard.id);
    return sentOf(heard.id).length;
  };
  await expect.poll(sentOfNow, { timeout: 60_000, interval: 200 }).toBeGreaterThan(0);
  // … and all of them are taken once a later one is sent, as reports arrive in order.
  const last = await own.createCode();
  await scan(last.id);
  await expect.poll(() => sentOf(last.id).length).toBe(1);
  await create({ url: batches.url, events: ['scan.created'], batch: { maxEvents: 3, maxSeconds: 60 } });
  const plain = await own.createCode();
  const ruled = await own.createCode({
    routingRules: [{ id: 'fr', condition: { country: ['FR'] }, destination: 'https://example.com/fr' }],
  });
  const campaign = await own.createCode({
    campaign: {
      status: 'active',
      variants: [{ id: 'a', name: 'Blue', destination: 'https://example.com/a', weight: 1 }],
    },
  });
  const noPersons: Record<string, string>[] = [
    { 'sec-purpose': 'prefetch' },
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    { 'user-agent': 'facebookexternalhit/1.1' },
  ];
  for (const headers of noPersons) await scan(plain.id, { headers });
  await scan(plain.id, { method: 'HEAD' });
  for (const { id } of [plain, ruled, campaign]) await scan(id);
  await expect.poll(() => sentOf(campaign.id).length).toBe(1);
  await expect.poll(() => sentTo(batches).length, { timeout: 60_000 }).toBe(1);
  const about = ({ id }: { id: string }) => ({ qrId: id, shortId: id, country: 'FR', device: 'mobile' });
  const expected = [
    about(plain),
    { ...about(ruled), routedTo: 'https://example.com/fr' },
    { ...about(campaign), variantId: 'a', variantName: 'Blue' },
  ].map((data) => ({
    id: expect.stringMatching(/^evt_[1-9A-HJ-NP-Za-km-z]{16}$/),
    type: 'scan.created',
    createdAt: expect.any(String),
    data,
  }));
  // Any delivery for the others would have arrived by now, as reports arrive in order.
  const codeIds = [early, plain, ruled, campaign].map(({ id }) => id);
  await expect.poll(() => codeIds.flatMap(sentOf).length).toBe(3);
  expect(codeIds.flatMap(sentOf)).toEqual(expected);
  const [batch] = sentTo(batches);
  expect(batch).toMatchObject({ type: 'scan.created.batch', data: { events: expected } });
  for (const { body, headers } of [...receiver.received, ...batches.received]) {
    const all = body + JSON.stringify(headers);
    for (const secret of [visitor.ip, '203.0.113', 'Secret/1.0', 'iPhone']) expect(all).not.toContain(secret);
  }
}, 300_000);
