/** Aliases from the API to the phone: both real planes, two workspaces and their domains. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AliasObject } from '#schemas/api/aliases.ts';
import type { DomainObject } from '#schemas/api/domains.ts';
import { startDnsServer } from '../../control-plane/features/domains/testing/dns-server.ts';
import { createDomainOwner } from '../../control-plane/features/domains/testing/domain-owner.ts';
import { startReceiver } from '../../control-plane/features/webhooks/testing/receiver.ts';
import {
  qrHost,
  secretKey,
  startTestControlPlane,
  type Workspace,
} from '../../control-plane/testing/control-plane.ts';
import { createAsk } from '../../redirector/testing/ask.ts';
import { startTestRedirector } from '../../redirector/testing/redirector.ts';
import { createTestClickHouse, temporaryFolder } from '../testing/index.ts';
import { startTestRedis } from '../testing/redis.ts';

const redis = await startTestRedis();
const dns = await startDnsServer();
const clickhouseUrl = await createTestClickHouse();
const plane = await startTestControlPlane({
  redisUrl: redis.url,
  clickhouseUrl,
  environment: { DNS_SERVERS: dns.address, WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const environment = {
  QR_HOST: qrHost,
  BASE_URL: 'https://api.example.com',
  REDIS_URL: redis.url,
  CLICKHOUSE_URL: clickhouseUrl,
  SECRET_KEY: secretKey,
  CONTROL_PLANE_INTERNAL_URL: plane.internalUrl,
  SEGMENT_AGE_MS: '50',
  TRUSTED_PROXIES: '127.0.0.1',
};
const waymark = await startTestRedirector(environment);
await waymark.connected();
const ask = createAsk(waymark.url);
const [own, other] = [await plane.workspace(), await plane.workspace()];
const shared = new URL(qrHost).host;
const people = { accept: 'text/html' };

const owner = createDomainOwner(dns, own);
const first = await owner.addVerified();
const second = await owner.addVerified({ path: '/' });

/** @returns the alias */
const give = async (id: string, body: object, by: Workspace = own): Promise<AliasObject> => {
  const answer = await by.call('POST', `/api/qr/codes/${id}/aliases`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as AliasObject;
};
const refusalOf = async (id: string, body: object, by: Workspace = own): Promise<string> => {
  const { status, body: answer } = await by.call('POST', `/api/qr/codes/${id}/aliases`, body);
  return `${status} ${(answer as { error: string }).error}`;
};
const remove = (id: string, alias: string, domain = shared) =>
  own.call('DELETE', `/api/qr/codes/${id}/aliases?alias=${encodeURIComponent(alias)}&domain=${domain}`);
const availability = async (alias: string, domain = shared, by: Workspace = own) => {
  const query = `alias=${encodeURIComponent(alias)}&domain=${domain}`;
  return (await by.call('GET', `/api/qr/aliases/availability?${query}`)).body;
};
const change = async ({ id }: DomainObject, body: object) => own.call('PATCH', `/api/domains/${id}`, body);
/** A domain is looked up within a bound that tests beside this one share. */
const eventually = (host: string, target: string, headers: Record<string, string> = {}) =>
  expect.poll(async () => (await ask(host, target, { headers })).location ?? 'none');

describe('an alias', () => {
  test('leads where its code leads at once, in any case, on GET and HEAD, with a slash at the end, and counts for the code', async () => {
    const code = await own.createCode({ data: 'https://example.com/sale' });
    expect(await give(code.id, { alias: 'Summer-Sale' })).toEqual({
      alias: 'Summer-Sale',
      domain: null,
      url: `${qrHost}/r/Summer-Sale`,
      createdAt: expect.any(String),
    });
    for (const target of ['/r/Summer-Sale', '/r/summer-sale', '/r/SUMMER-SALE/', '/r/summer%2Dsale'])
      expect([target, (await ask(shared, target)).location]).toEqual([target, 'https://example.com/sale']);
    expect((await ask(shared, '/r/summer-sale', { method: 'HEAD' })).status).toBe(302);
    await expect
      .poll(async () => (await own.call('GET', `/api/qr/codes/${code.id}`)).body, { timeout: 20_000 })
      .toMatchObject({ scanCount: 4, redirectUrl: code.redirectUrl, aliases: [`${qrHost}/r/Summer-Sale`] });
    await own.call('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.com/next' });
    await eventually(shared, '/r/summer-sale').toBe('https://example.com/next');
  });

  test('behaves as the id of its code: inactive, protected by a password, and for programs', async () => {
    const code = await own.createCode({ secure: ['password'], password: 'sesame' });
    await give(code.id, { alias: 'behind-a-password' });
    const asked = await ask(shared, '/r/behind-a-password', { headers: people });
    expect(asked.text).toContain('action="/r/behind-a-password"');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const enter = (password: string) =>
      ask(shared, '/r/behind-a-password', { method: 'POST', headers: form, body: `password=${password}` });
    expect((await enter('wrong')).status).toBe(401);
    expect(await enter('sesame')).toMatchObject({ status: 303, location: 'https://example.com/' });
    await own.call('DELETE', `/api/qr/codes/${code.id}`);
    await expect
      .poll(async () => {
        const off = await ask(shared, '/r/behind-a-password');
        return [off.status, off.status === 410 && JSON.parse(off.text).code];
      })
      .toEqual([410, 'CODE_INACTIVE']);
  });

  test('is deleted at once, stays reserved for its workspace, and goes to another code only with reassign', async () => {
    const [before, after] = [await own.createCode(), await own.createCode({ data: 'https://example.com/2' })];
    const foreign = await other.createCode();
    await give(before.id, { alias: 'printed' });
    expect((await ask(shared, '/r/printed')).status).toBe(302);
    expect((await remove(before.id, 'PRINTED')).status).toBe(204);
    await expect
      .poll(() => ask(shared, '/r/printed'))
      .toMatchObject({ status: 404, text: (await ask(shared, '/r/never-made')).text });
    expect((await remove(before.id, 'printed')).status).toBe(404);
    expect(await availability('printed')).toEqual({ available: false, reason: 'deleted' });
    expect(await availability('printed', shared, other)).toEqual({ available: false, reason: 'taken' });
    expect(await refusalOf(foreign.id, { alias: 'Printed', reassign: true }, other)).toBe(
      "409 alias: 'Printed' is taken",
    );
    expect(await refusalOf(after.id, { alias: 'printed' })).toMatch(/^409 alias: 'printed' led to the code/);
    await give(after.id, { alias: 'printed', reassign: true });
    await eventually(shared, '/r/printed').toBe('https://example.com/2');
  });

  test('of another workspace is never given, moved, deleted or listed', async () => {
    const [mine, foreign] = [await own.createCode(), await other.createCode()];
    await give(foreign.id, { alias: 'of-another', domain: null }, other);
    expect(await refusalOf(mine.id, { alias: 'OF-another', reassign: true })).toBe(
      "409 alias: 'OF-another' is taken",
    );
    for (const [method, target, status] of [
      ['GET', `/api/qr/codes/${foreign.id}/aliases`, 403],
      ['POST', `/api/qr/codes/${foreign.id}/aliases`, 403],
      ['DELETE', `/api/qr/codes/${foreign.id}/aliases?alias=of-another`, 403],
      ['DELETE', `/api/qr/codes/${mine.id}/aliases?alias=of-another`, 404],
      ['DELETE', `/api/qr/codes/${mine.id}/aliases?alias=of-another&domain=${shared}`, 404],
      ['GET', '/api/qr/codes/of-another/explain', 404],
    ] as const) {
      const body = method === 'POST' ? { alias: 'mine-now' } : undefined;
      expect([target, (await own.call(method, target, body)).status]).toEqual([target, status]);
    }
    expect((await ask(shared, '/r/of-another')).status).toBe(302);
  });

  test('emits qr.updated with the changed key aliases when it is made and when it is deleted', async () => {
    const receiver = await startReceiver();
    await own.call('POST', '/api/webhooks', { url: receiver.url, events: ['qr.updated'] });
    const code = await own.createCode();
    await give(code.id, { alias: 'told-of' });
    await remove(code.id, 'told-of');
    const sent = () => receiver.received.map(({ body }) => JSON.parse(body).data);
    await expect
      .poll(
        () =>
          sent()
            .filter(({ qrId }) => qrId === code.id)
            .map(({ changedKeys }) => changedKeys),
        {
          timeout: 30_000,
        },
      )
      .toEqual([['aliases'], ['aliases']]);
  });
});

describe('on a domain', () => {
  test('an alias belongs to the domain alone, and each domain has its own', async () => {
    const codes = await Promise.all(
      ['a', 'b', 'c'].map((name) => own.createCode({ data: `https://example.com/${name}` })),
    );
    for (const [at, domain] of [first.domain, second.domain, null].entries())
      await give(codes[at]!.id, { alias: 'menu', domain });
    await eventually(first.domain, '/menu').toBe('https://example.com/a');
    await eventually(second.domain, '/Menu/').toBe('https://example.com/b');
    expect((await ask(shared, '/r/menu')).location).toBe('https://example.com/c');
    for (const target of ['/r/menu', '/go/menu', '/menu/menu'])
      expect([target, (await ask(first.domain, target)).status]).toEqual([target, 404]);
    expect((await own.call('GET', `/api/qr/codes/menu/explain?domain=${second.domain}`)).body).toMatchObject({
      id: codes[1]!.id,
    });
    expect((await own.call('GET', '/api/qr/codes/menu/explain')).status).toBe(400);
  });

  test('letters are the same in each Unicode form, percent-encoded once, and of one script', async () => {
    const code = await own.createCode({ data: 'https://example.com/cafe' });
    const composed = 'Café-Été'.normalize('NFC');
    expect((await give(code.id, { alias: composed.normalize('NFD'), domain: first.domain })).alias).toBe(
      composed,
    );
    for (const form of [composed, composed.normalize('NFD'), composed.toUpperCase(), 'CAFÉ-été'])
      await eventually(first.domain, `/${encodeURIComponent(form)}`).toBe('https://example.com/cafe');
    expect((await ask(first.domain, `/${encodeURIComponent(encodeURIComponent(composed))}`)).status).toBe(
      404,
    );
    expect(await refusalOf(code.id, { alias: 'CAFÉ-ÉTÉ'.normalize('NFD'), domain: first.domain })).toMatch(
      /^409 alias: the code has/,
    );
    for (const alias of ['ѕсhool', 'ｍｅｎｕ', 'a/b', 'a b', '\u0301a', 'a\u200bb'])
      expect([alias, await refusalOf(code.id, { alias, domain: first.domain })]).toEqual([
        alias,
        expect.stringMatching(/^422 alias must/),
      ]);
  });

  test('aliasCase exact tells upper from lower case, and fold is refused while aliases differ by case only', async () => {
    const [upper, lower] = [
      await own.createCode({ data: 'https://example.com/upper' }),
      await own.createCode({ data: 'https://example.com/lower' }),
    ];
    await change(second, { aliasCase: 'exact' });
    await give(upper.id, { alias: 'Both', domain: second.domain });
    expect(await availability('both', second.domain)).toEqual({ available: true, reason: null });
    await give(lower.id, { alias: 'both', domain: second.domain });
    await eventually(second.domain, '/Both').toBe('https://example.com/upper');
    await eventually(second.domain, '/both').toBe('https://example.com/lower');
    await eventually(second.domain, '/BOTH').toBe('none');
    expect(await change(second, { aliasCase: 'fold' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('Both, both') },
    });
    expect((await change(first, { aliasCase: 'exact' })).status).toBe(200);
    expect((await change(first, { aliasCase: 'fold' })).status).toBe(200);
  });

  test('a domain that is added again does not begin to fold aliases that differ by case only', async () => {
    const domain = await owner.addVerified();
    await change(domain, { aliasCase: 'exact' });
    for (const alias of ['Twice', 'twice'])
      await give((await own.createCode()).id, { alias, domain: domain.domain });
    await own.call('DELETE', `/api/domains/${domain.id}?force=true`);
    const again = (body: object) => own.call('POST', '/api/domains', { domain: domain.domain, ...body });
    expect(await again({})).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('Twice, twice'), param: 'aliasCase' },
    });
    expect((await again({ aliasCase: 'exact' })).status).toBe(201);
  });

  test('a new owner begins without aliases, and those of the earlier owner lead nowhere', async () => {
    const domain = await owner.addVerified();
    const [before, after] = [
      await own.createCode({ data: 'https://example.com/before' }),
      await other.createCode({ data: 'https://example.com/after' }),
    ];
    for (const alias of ['kept', 'deleted']) await give(before.id, { alias, domain: domain.domain });
    await remove(before.id, 'deleted', domain.domain);
    await eventually(domain.domain, '/kept').toBe('https://example.com/before');
    await own.call('DELETE', `/api/domains/${domain.id}`);
    await owner.addVerified({ domain: domain.domain }, other);
    await give(after.id, { alias: 'deleted', domain: domain.domain }, other);
    await eventually(domain.domain, '/deleted').toBe('https://example.com/after');
    expect((await ask(domain.domain, '/kept')).status).toBe(404);
    await give(after.id, { alias: 'Kept', domain: domain.domain }, other);
    await eventually(domain.domain, '/kept').toBe('https://example.com/after');
  });

  test('notFoundUrl takes people from unknown paths, and expiredUrl from codes that have ended; programs get 404 and 410', async () => {
    const urls = { notFoundUrl: 'https://example.com/lost', expiredUrl: 'https://example.com/ended' };
    expect((await change(first, urls)).body).toMatchObject(urls);
    const plain = await own.createCode();
    const worded = await own.createCode({ messages: { inactive: { title: 'Sold out' } } });
    for (const { id } of [plain, worded]) await own.call('DELETE', `/api/qr/codes/${id}`);
    await give(plain.id, { alias: 'ended', domain: first.domain });
    for (const target of ['/nothing/here', '/no-alias', '/', '/r/zzzzzzzzz'])
      await eventually(first.domain, target, people).toBe(urls.notFoundUrl);
    expect((await ask(first.domain, '/no-alias')).status).toBe(404);
    for (const target of ['/ended', `/r/${plain.id}`])
      await eventually(first.domain, target, people).toBe(urls.expiredUrl);
    expect((await ask(first.domain, '/ended')).status).toBe(410);
    expect((await ask(first.domain, `/r/${worded.id}`, { headers: people })).text).toContain('Sold out');
    expect((await ask(shared, `/r/${plain.id}`, { headers: people })).status).toBe(410);
    expect((await change(first, { notFoundUrl: `https://${first.domain}/other` })).status).toBe(422);
    expect((await change(first, { notFoundUrl: null, expiredUrl: null })).status).toBe(200);
  });
});

describe('a redirector', () => {
  test('that starts while all else is down redirects the aliases of its snapshot', async () => {
    const code = await own.createCode({ data: 'https://example.com/still' });
    await give(code.id, { alias: 'still-here' });
    const folder = await temporaryFolder();
    const data = { ...environment, DATA_DIR: folder, RUNTIME_DIR: path.join(folder, 'runtime') };
    const before = await startTestRedirector(data);
    await before.connected();
    expect((await createAsk(before.url, false)(shared, '/r/still-here')).status).toBe(302);
    await before.redirector.close();
    const away = { REDIS_URL: 'redis://127.0.0.1:9', CONTROL_PLANE_INTERNAL_URL: 'http://127.0.0.1:9' };
    const alone = await startTestRedirector({ ...data, ...away }, { waitForRedis: false });
    expect((await createAsk(alone.url)(shared, '/r/still-here')).location).toBe('https://example.com/still');
  });

  test('bounds the lookups of invented aliases by address and in all, and goes on finding known ones', async () => {
    const code = await own.createCode({ data: 'https://example.com/known' });
    for (const alias of ['known-and-held', 'known-to-redis']) await give(code.id, { alias });
    const from = (address: string, target: string) =>
      ask(shared, target, { headers: { 'x-forwarded-for': address } });
    await from('192.0.2.1', '/r/known-and-held');
    const invented = (network: number, name: number) =>
      from(`198.51.100.${network}`, `/r/invented-${network}-${name}`);
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, name) => invented(1, name)));
    const limited = statuses.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(80);
    expect(limited[0]!.headers['retry-after']).toMatch(/^\d+$/);
    expect((await from('198.51.100.1', '/r/known-and-held')).status).toBe(302);
    await Promise.all(Array.from({ length: 500 }, (_, at) => invented(2 + (at % 50), at)));
    expect((await from('203.0.113.9', '/r/known-to-redis')).location).toBe('https://example.com/known');
  });
});
