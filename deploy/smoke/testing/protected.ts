/** Caps, passwords, rules and campaigns. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { waymark } from './shared-installation.ts';

const explanation = z.object({
  decision: z.object({ kind: z.string(), location: z.string().nullable(), status: z.number() }),
  decidedBy: z.string(),
  cap: z.object({ max: z.number(), taken: z.number(), exact: z.boolean() }).nullable(),
});

const codeObject = z.object({ id: z.string(), redirectUrl: z.string() });

const create = async (body: Record<string, unknown>): Promise<z.infer<typeof codeObject>> => {
  const response = await waymark.api('POST', '/api/qr/codes', { data: 'https://example.com/plain', ...body });
  expect(response.status, await response.clone().text()).toBe(201);
  return codeObject.parse(await response.json());
};

/**
 * A new connection each time, so that every process is asked. Retries if a slot or a lookup could not be had in time:
 * this uses up no slot.
 */
const scanOnce = async (
  url: string,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<Response> => {
  for (;;) {
    const answer = await waymark.scan(url, { ...init, headers: { connection: 'close', ...headers } });
    if (answer.status !== 503) return answer;
    await answer.body?.cancel();
  }
};

const statusesOf = (responses: Response[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const analytics = z.object({
  totalScans: z.number(),
  variants: z.array(z.object({ variant: z.string(), scans: z.number() })),
  rules: z.array(z.object({ rule: z.string(), scans: z.number() })),
  countries: z.array(z.object({ country: z.string(), scans: z.number() })),
});

const analyticsOf = async (id: string): Promise<z.infer<typeof analytics>> =>
  analytics.parse(await (await waymark.api('GET', `/api/qr/codes/${id}/analytics?days=2`)).json());

const postPassword = (url: string, password: string): Promise<Response> =>
  scanOnce(
    url,
    { 'content-type': 'application/x-www-form-urlencoded' },
    { method: 'POST', body: new URLSearchParams({ password }).toString() },
  );

test('a scan cap lets exactly that many scans through, over all processes, and the API shows it', async () => {
  const code = await create({ maxScans: 20 });
  const answers = await Promise.all(Array.from({ length: 60 }, () => scanOnce(code.redirectUrl)));
  expect(statusesOf(answers)).toEqual({ 302: 20, 410: 40 });
  await expect.poll(() => analyticsOf(code.id)).toMatchObject({ totalScans: 20 });
  expect(await (await waymark.api('GET', `/api/qr/codes/${code.id}`)).json()).toMatchObject({ maxScans: 20 });

  // A higher cap keeps the count. Each process learns of it in its own time.
  expect((await waymark.api('PUT', `/api/qr/codes/${code.id}`, { maxScans: 25 })).status).toBe(200);
  let through = 0;
  const scanMore = async () => {
    if ((await scanOnce(code.redirectUrl)).status === 302) through++;
    return through;
  };
  await expect.poll(scanMore).toBe(5);
  const further = await Promise.all(Array.from({ length: 10 }, () => scanOnce(code.redirectUrl)));
  expect(statusesOf(further)).toEqual({ 410: 10 });
});

test('explain describes the answer for a used-up code, and the answer before', async () => {
  const code = await create({ maxScans: 2 });
  const explained = async () =>
    explanation.parse(await (await waymark.api('GET', `/api/qr/codes/${code.id}/explain`)).json());
  expect(await explained()).toMatchObject({ decision: { kind: 'redirect', status: 302 }, cap: { max: 2 } });
  expect((await scanOnce(code.redirectUrl)).status).toBe(302);
  await expect.poll(explained).toMatchObject({
    decision: { kind: 'redirect', status: 302 },
    decidedBy: 'destination',
    cap: { max: 2, taken: 1, exact: true },
  });
  expect((await scanOnce(code.redirectUrl)).status).toBe(302);
  const refused = await scanOnce(code.redirectUrl);
  expect(refused.status).toBe(410);
  expect(await explained()).toMatchObject({
    decision: { kind: 'capped', location: null, status: refused.status },
    decidedBy: 'cap',
    cap: { max: 2, taken: 2, exact: true },
  });
});

test('a password opens a code with 303, a wrong one is 401, and the cap counts after it', async () => {
  const code = await create({ secure: ['password'], password: 'open sesame', maxScans: 2 });
  const asked = await scanOnce(code.redirectUrl, { accept: 'text/html' });
  expect([asked.status, asked.headers.get('location')]).toEqual([200, null]);
  expect(await asked.text()).toContain('type="password"');
  expect((await postPassword(code.redirectUrl, 'open sesam')).status).toBe(401);
  const opened = await postPassword(code.redirectUrl, 'open sesame');
  expect([opened.status, opened.headers.get('location')]).toEqual([303, 'https://example.com/plain']);
  expect((await postPassword(code.redirectUrl, 'open sesame')).status).toBe(303);
  expect((await postPassword(code.redirectUrl, 'open sesame')).status).toBe(410);
  // The password page and the wrong password are not scans.
  await expect.poll(() => analyticsOf(code.id)).toMatchObject({ totalScans: 2 });
});

test('the first matching rule decides, and the rest goes to the campaign, as analytics show', async () => {
  const code = await create({
    routingRules: [
      { id: 'germans', condition: { country: ['DE'] }, destination: 'https://example.de/' },
      { id: 'androids', condition: { os: ['android'] }, destination: 'https://android.example/' },
    ],
    campaign: {
      status: 'active',
      variants: [
        { id: 'a', name: 'A', destination: 'https://example.com/a', weight: 50 },
        { id: 'b', name: 'B', destination: 'https://example.com/b', weight: 50 },
      ],
    },
  });
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Mobile/15E148 Safari/604.1';
  const location = async (headers: Record<string, string>) =>
    (await scanOnce(code.redirectUrl, headers)).headers.get('location');
  expect(await location({ 'cf-ipcountry': 'DE' })).toBe('https://example.de/');
  expect(await location({ 'cf-ipcountry': 'FR' })).toBe('https://android.example/');
  const drawn = await Promise.all(
    Array.from({ length: 40 }, () => location({ 'cf-ipcountry': 'FR', 'user-agent': iphone })),
  );
  const [a, b] = ['a', 'b'].map((variant) =>
    drawn.filter((each) => each === `https://example.com/${variant}`),
  );
  // 40 fair draws all come out the same once in 2^39 runs.
  expect(a!.length).toBeGreaterThan(0);
  expect(b!.length).toBeGreaterThan(0);
  expect(a!.length + b!.length).toBe(40);
  const reported = async () => {
    const { variants, rules, countries } = await analyticsOf(code.id);
    return {
      variants: Object.fromEntries(variants.map(({ variant, scans }) => [variant, scans])),
      rules: rules.length,
      countries,
    };
  };
  await expect.poll(reported).toEqual({
    variants: { a: a!.length, b: b!.length },
    rules: 2,
    countries: [
      { country: 'FR', scans: 41 },
      { country: 'DE', scans: 1 },
    ],
  });
});
