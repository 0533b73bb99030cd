/** Previews and suspensions from the API and the operator's command line to the phone, on the shared host and on a domain. */
import { expect, test } from 'vitest';
import { type CodeRecord, parseRecord, recordKey } from '#schemas/code-record.ts';
import { features } from '../../control-plane/app.ts';
import { startDnsServer } from '../../control-plane/features/domains/testing/dns-server.ts';
import { createDomainOwner } from '../../control-plane/features/domains/testing/domain-owner.ts';
import { consumersOf, verbsOf } from '../../control-plane/framework/feature.ts';
import { createOutbox } from '../../control-plane/framework/outbox.ts';
import type { AdminContext } from '../../control-plane/framework/verb.ts';
import { qrHost, secretKey, startTestControlPlane } from '../../control-plane/testing/control-plane.ts';
import { createAsk } from '../../redirector/testing/ask.ts';
import { startTestRedirector } from '../../redirector/testing/redirector.ts';

const dns = await startDnsServer();
const plane = await startTestControlPlane({ environment: { DNS_SERVERS: dns.address } });
const waymark = await startTestRedirector({
  QR_HOST: qrHost,
  REDIS_URL: plane.redisUrl,
  CLICKHOUSE_URL: plane.clickhouseUrl,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_URL: plane.url,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
});
await waymark.connected();
const ask = createAsk(waymark.url);
const own = await plane.workspace();
const domain = await createDomainOwner(dns, own).addVerified();
const shared = new URL(qrHost).host;

const operator = (verb: string, flags: Record<string, string>) =>
  verbsOf(features)[verb]!.run(flags, {
    pool: plane.pool,
    outbox: createOutbox(consumersOf(features)),
  } as unknown as AdminContext);

test('a plus sign after an id or an alias shows where the code leads, on the shared host and on a domain', async () => {
  const code = await own.createCode({ data: 'https://example.com/previewed' });
  const aliases = `/api/qr/codes/${code.id}/aliases`;
  await own.call('POST', aliases, { alias: 'look-first', domain: shared });
  await own.call('POST', aliases, { alias: 'look-first', domain: domain.domain });
  const places = [
    [shared, `/r/${code.id}+`],
    [shared, '/r/Look-First+'],
    [domain.domain, `/r/${code.id}+`],
    [domain.domain, '/look-first+'],
    [domain.domain, '/look-first%2B'],
  ] as const;
  for (const [host, target] of places)
    await expect
      .poll(async () => {
        const { status, location, text } = await ask(host, target);
        return { target, status, location, text };
      })
      .toMatchObject({
        target,
        status: 200,
        location: undefined,
        text: expect.stringContaining('https://example.com/previewed'),
      });
});

test('a suspended code leads nowhere within seconds, whatever its owner changes, until it is lifted', async () => {
  const code = await own.createCode({ data: 'https://example.com/suspended' });
  const scan = async () => (await ask(shared, `/r/${code.id}`)).status;
  expect(await scan()).toBe(302);
  await operator('suspend-code', { code: code.id, reason: 'Reported as phishing' });
  await expect.poll(scan, { timeout: 20_000 }).toBe(403);
  await own.call('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.com/other' });
  await own.call('DELETE', `/api/qr/codes/${code.id}`);
  await own.call('POST', `/api/qr/codes/${code.id}/activate`);
  expect(await scan()).toBe(403);
  await operator('lift-suspension', { code: code.id });
  await expect.poll(scan, { timeout: 20_000 }).toBe(302);
});

test('a suspension that an earlier control plane published as an active code under the same version counts again after admin republish', async () => {
  const code = await own.createCode({ data: 'https://example.com/upgraded' });
  const scan = async () => (await ask(shared, `/r/${code.id}`)).status;
  const published = async (): Promise<CodeRecord> =>
    parseRecord((await waymark.redis.get(recordKey(code.id)))!);
  expect(await scan()).toBe(302);
  await operator('suspend-code', { code: code.id, reason: 'Reported as phishing' });
  await expect.poll(scan).toBe(403);
  // As the sweep of a release that knows no suspensions.
  const { suspended: _, ...known } = await published();
  await waymark.publish({ ...known, active: true });
  await expect.poll(scan).toBe(302);
  await operator('republish', {});
  await expect.poll(scan).toBe(403);
  await expect.poll(published).toMatchObject({ active: false, suspended: true });
});
