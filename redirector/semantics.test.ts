/** The answers to scans, from a whole redirector. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CodeRecord, capKey } from '#schemas/code-record.ts';
import { setCounter } from './testing/counter.ts';
import { startTestRedirector, type TestRedirector } from './testing/redirector.ts';

let waymark: TestRedirector;

beforeAll(async () => {
  waymark = await startTestRedirector({ TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'CF-IPCountry' });
  await waymark.connected();
});

const published = (changes: Partial<CodeRecord> = {}) => waymark.published(changes);

/** The scans of a code, ordered by the columns: some are of the same millisecond. */
const recorded = (columns: string, { id }: CodeRecord) =>
  waymark.query(`SELECT ${columns} FROM scans WHERE code_id = {id:String} ORDER BY ALL`, { id });

/** A phone retries while it gets 503: a slot may be released unused. */
const untilDecided = async (...scan: Parameters<TestRedirector['scan']>): Promise<Response> => {
  for (;;) {
    const answer = await waymark.scan(...scan);
    if (answer.status !== 503) return answer;
  }
};

/** Sets the clock of this process, and so the redirector's, back; it stands still until the test ends. */
const setClock = (nowMs: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
};

const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

test('an expired code is 410, even right after a redirect', async () => {
  const expiresAtMs = Date.now();
  const record = await published({ expiresAtMs });
  setClock(expiresAtMs - 1);
  expect((await waymark.scan(record.id)).status).toBe(302);
  setClock(expiresAtMs);
  const expired = await waymark.scan(record.id);
  expect(expired.status).toBe(410);
  expect(await expired.json()).toEqual({ error: 'This code has expired', code: 'CODE_EXPIRED' });
});

describe('routing rules', () => {
  test('route by country, device and operating system, and the rule is recorded', async () => {
    const record = await published({
      rules: [
        { id: 'germans', condition: { country: ['DE'] }, destination: 'https://example.de/' },
        {
          id: 'androids',
          condition: { os: ['android'], device: ['mobile'] },
          destination: 'https://a.example/',
        },
      ],
    });
    const scans: { headers: Record<string, string> }[] = [
      { headers: { 'cf-ipcountry': 'de' } },
      { headers: { 'cf-ipcountry': 'FR', 'user-agent': android } },
      { headers: { 'cf-ipcountry': 'FR' } },
    ];
    const locations = [];
    for (const scan of scans) locations.push((await waymark.scan(record.id, scan)).headers.get('location'));
    expect(locations).toEqual(['https://example.de/', 'https://a.example/', record.destination]);
    await expect
      .poll(() => recorded('rule_id, country', record))
      .toEqual([
        { rule_id: '', country: 'FR' },
        { rule_id: 'androids', country: 'FR' },
        { rule_id: 'germans', country: 'DE' },
      ]);
  });

  test('without a header the country comes from the address', async () => {
    const record = await published({
      rules: [{ id: 'us', condition: { country: ['US'] }, destination: 'https://us.example/' }],
    });
    const scan = await waymark.scan(record.id, { headers: { 'x-forwarded-for': '8.8.8.8' } });
    expect(scan.headers.get('location')).toBe('https://us.example/');
  });
});

test('a campaign splits its scans by weight; the variant is recorded', async () => {
  const record = await published({
    variants: [
      { id: 'a', name: 'A', destination: 'https://a.example/', weight: 1 },
      { id: 'b', name: 'B', destination: 'https://b.example/', weight: 1 },
    ],
  });
  const locations: Record<string, number> = {};
  for (let i = 0; i < 40; i++) {
    const location = (await waymark.scan(record.id)).headers.get('location') ?? '';
    locations[location] = (locations[location] ?? 0) + 1;
  }
  expect(Object.keys(locations).sort()).toEqual(['https://a.example/', 'https://b.example/']);
  await vi.waitFor(
    async () => {
      const variants = (await recorded('variant_id', record)).map(({ variant_id }) => variant_id);
      expect(variants.filter((id) => id === 'a')).toHaveLength(locations['https://a.example/']!);
      expect(variants.filter((id) => id === 'b')).toHaveLength(locations['https://b.example/']!);
      expect(variants).toHaveLength(40);
    },
    { timeout: 30_000 },
  );
});

test('an https deep link is redirected to; another scheme gets a page with the destination; other devices get the destination', async () => {
  const record = await published({
    deepLink: { ios: { url: 'https://app.example/item/1' }, android: { url: 'shop://item/1' } },
  });
  expect((await waymark.scan(record.id)).headers.get('location')).toBe('https://app.example/item/1');
  const page = await waymark.scan(record.id, { headers: { 'user-agent': android, accept: 'text/html' } });
  expect(page.status).toBe(200);
  const text = await page.text();
  expect(text).toContain('shop://item/1');
  expect(text).toContain('https://example.com/landing');
  const desktop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0';
  const other = await waymark.scan(record.id, { headers: { 'user-agent': desktop } });
  expect(other.headers.get('location')).toBe(record.destination);
});

test('a source of the code is recorded, an unknown one is not', async () => {
  const record = await published({ sources: ['flyer', 'poster'] });
  for (const source of ['flyer', 'invented', '%0d%0aX: y']) await waymark.scan(`${record.id}?s=${source}`);
  await expect
    .poll(() => recorded('source', record))
    .toEqual([{ source: '' }, { source: '' }, { source: 'flyer' }]);
});

test('other data types show their content, and count', async () => {
  const record = await published({ dataType: 'wifi', destination: 'WIFI:T:WPA;S:Caf\\;e;P:p4ss;;' });
  const page = await waymark.scan(record.id, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('Caf;e');
  const json = await waymark.scan(record.id);
  expect(await json.json()).toEqual({ dataType: 'wifi', data: record.destination });
  await expect.poll(() => recorded('kind', record)).toHaveLength(2);
});

test('an encrypted code shows a page that has the JWE and cannot connect to any server', async () => {
  const record = await published({ encrypted: 'AES', destination: 'eyJhbGciOiJQQkVTMiJ9.a.b.c.d' });
  const page = await waymark.scan(record.id, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('content-security-policy')).not.toContain('http');
  expect(await page.text()).toContain(record.destination);
});

describe('a password', () => {
  test('is asked for; nothing counts before it is right; then the scan continues with 303', async () => {
    const record = await published({ passwordProtected: true });
    waymark.controlPlane.passwords.set(record.id, 'open sesame');
    const form = await waymark.scan(record.id, { headers: { accept: 'text/html' } });
    expect(form.status).toBe(200);
    expect(await form.text()).toMatch(/<form[^>]+method="post"/i);
    expect((await waymark.scan(record.id)).status).toBe(401);
    const post = (password: string) =>
      waymark.scan(record.id, {
        method: 'POST',
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password }),
      });
    expect((await post('wrong')).status).toBe(401);
    expect((await post('x'.repeat(5000))).status).toBe(401);
    const right = await post('open sesame');
    expect([right.status, right.headers.get('location')]).toEqual([303, record.destination]);
    await expect.poll(() => recorded('kind', record)).toEqual([{ kind: 'scan' }]);
  });

  test('cannot be checked without the control plane: 503, and the form stays closed', async () => {
    const record = await published({ passwordProtected: true });
    await waymark.scan(record.id);
    waymark.controlPlane.away = true;
    const answer = await waymark.scan(record.id, {
      method: 'POST',
      body: new URLSearchParams({ password: 'x' }),
    });
    waymark.controlPlane.away = false;
    expect(answer.status).toBe(503);
  });

  test('too many attempts are 429 with Retry-After', async () => {
    const record = await published({ passwordProtected: true });
    waymark.controlPlane.passwords.set(record.id, 'too many attempts');
    const answer = await waymark.scan(record.id, {
      method: 'POST',
      body: new URLSearchParams({ password: 'x' }),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30']);
  });

  test('posted to a code without one is 405', async () => {
    const record = await published();
    const answer = await waymark.scan(record.id, {
      method: 'POST',
      body: new URLSearchParams({ password: 'x' }),
    });
    expect(answer.status).toBe(405);
  });
});

test('scans after the cap are 410; before it bots pass and use up nothing', async () => {
  const record = await published({ cap: { max: 3, epoch: 1 } });
  await setCounter(waymark.redis, capKey(record.id, 1), 0);
  const bot = { headers: { 'user-agent': 'Googlebot/2.1' } };
  expect((await untilDecided(record.id, bot)).status).toBe(302);
  const answers = await Promise.all(Array.from({ length: 10 }, () => untilDecided(record.id)));
  expect(answers.filter(({ status }) => status === 302)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 410)).toHaveLength(7);
  expect((await untilDecided(record.id, bot)).status).toBe(410);
  // Raised: the count continues.
  await waymark.publish({ ...record, version: 2, cap: { max: 4, epoch: 1 } });
  await expect.poll(async () => (await waymark.scan(record.id)).status).toBe(302);
  expect((await untilDecided(record.id)).status).toBe(410);
});

test('the cap after a password: forms and wrong passwords use up nothing, right ones do, and then it is 410', async () => {
  const record = await published({ passwordProtected: true, cap: { max: 2, epoch: 1 } });
  await setCounter(waymark.redis, capKey(record.id, 1), 0);
  waymark.controlPlane.passwords.set(record.id, 'open sesame');
  const enter = (password: string) =>
    untilDecided(record.id, { method: 'POST', body: new URLSearchParams({ password }) });
  for (let i = 0; i < 3; i++) expect((await waymark.scan(record.id)).status).toBe(401);
  for (let i = 0; i < 3; i++) expect((await enter('wrong')).status).toBe(401);
  expect(await waymark.redis.get(capKey(record.id, 1))).toBe('0');
  const answers = await Promise.all(Array.from({ length: 6 }, () => enter('open sesame')));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 410, 410, 410, 410]);
  expect(await waymark.redis.get(capKey(record.id, 1))).toBe('2');
  expect((await enter('open sesame')).status).toBe(410);
});

test('a cap known to be reached is 410 without a password being checked', async () => {
  const record = await published({ passwordProtected: true, cap: { max: 1, epoch: 1 } });
  await setCounter(waymark.redis, capKey(record.id, 1), 0);
  waymark.controlPlane.passwords.set(record.id, 'open sesame');
  const enter = (password: string) =>
    untilDecided(record.id, { method: 'POST', body: new URLSearchParams({ password }) });
  expect((await enter('open sesame')).status).toBe(303);
  // This first refusal makes it known.
  expect((await enter('open sesame')).status).toBe(410);
  const checked = () => waymark.controlPlane.passwordChecks.filter((id) => id === record.id).length;
  expect(checked()).toBe(2);
  for (const password of ['open sesame', 'wrong']) expect((await enter(password)).status).toBe(410);
  expect(checked()).toBe(2);
  // Raised: passwords are checked again.
  await waymark.publish({ ...record, version: 2, cap: { max: 2, epoch: 1 } });
  await expect.poll(async () => (await enter('open sesame')).status).toBe(303);
});

test('600 scans a minute from one address, 4xx not counted; then 429 with draft-7 headers and Retry-After', async () => {
  const record = await published();
  // The window is a minute of the clock: the test must not cross its end.
  setClock(Date.now());
  const from = { headers: { 'x-forwarded-for': '198.51.100.77' } };
  for (let i = 0; i < 50; i++) await waymark.scan('nope', from);
  const first = await waymark.scan(record.id, from);
  expect(first.headers.get('ratelimit-policy')).toBe('600;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^limit=600, remaining=599, reset=\d+$/);
  const statuses: number[] = [first.status];
  for (let i = 0; i < 601; i += 50) {
    const batch = await Promise.all(Array.from({ length: 50 }, () => waymark.scan(record.id, from)));
    statuses.push(...batch.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 302)).toHaveLength(600);
  const refused = await waymark.scan(record.id, from);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('ratelimit')).toMatch(/^limit=600, remaining=0, reset=\d+$/);
  expect((await waymark.scan(record.id, { headers: { 'x-forwarded-for': '198.51.100.78' } })).status).toBe(
    302,
  );
});

test('a stored destination and a query cannot add a header or split the response', async () => {
  const record = await published({ destination: 'https://example.com/?q=%0d%0aSet-Cookie:%20a=b' });
  const answer = await waymark.scan(`${record.id}?s=%0d%0aX-Injected:%201`);
  expect(answer.headers.get('location')).toBe(record.destination);
  expect(answer.headers.get('x-injected')).toBeNull();
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test('many passwords that cannot be checked log one line', async () => {
  const record = await published({ passwordProtected: true });
  await waymark.scan(record.id);
  const logged = () => waymark.logged().filter(({ msg }) => msg === 'password cannot be checked').length;
  const before = logged();
  waymark.controlPlane.away = true;
  const body = () => new URLSearchParams({ password: 'x' });
  const post = () => waymark.scan(record.id, { method: 'POST', body: body() });
  const answers = await Promise.all(Array.from({ length: 20 }, post));
  waymark.controlPlane.away = false;
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(503));
  expect(logged() - before).toBeLessThanOrEqual(1 + 1);
});
