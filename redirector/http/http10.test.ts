/** The port for HTTP/1.0. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { freePort } from '../../deploy/testing/local.ts';
import { eventually } from '../testing/eventually.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { createRecord, phone, startTestRedirector, type TestRedirector } from '../testing/redirector.ts';

const german = '91.0.0.1';

const start = async (environment: Record<string, string> = {}) => {
  const port = await freePort();
  const waymark = await startTestRedirector({
    REDIRECTOR_HTTP10_PORT: String(port),
    SEGMENT_AGE_MS: '50',
    COUNTRY_HEADER: 'CF-IPCountry',
    ...environment,
  });
  await waymark.connected();
  const ask = (method: string, path: string, lines: string[] = [], body = '') =>
    rawRequest({ port }, [`${method} ${path} HTTP/1.0`, `User-Agent: ${phone}`, ...lines], body);
  return { waymark, ask, port };
};

const scansOf = (waymark: TestRedirector, { id }: CodeRecord) =>
  waymark.query(
    'SELECT kind, country, device FROM scans WHERE code_id = {id:String} ORDER BY kind, country',
    {
      id,
    },
  );

describe('an HTTP/1.0 request', () => {
  let waymark: TestRedirector;
  let ask: Awaited<ReturnType<typeof start>>['ask'];
  let port: number;

  beforeAll(async () => {
    ({ waymark, ask, port } = await start({ TRUSTED_PROXIES: '10.0.0.0/8' }));
  });

  test('is redirected, without a Host header, and counted', async () => {
    const code = await waymark.published();
    const get = await ask('GET', `/r/${code.id}`);
    expect([get.status, get.headers.location, get.body]).toEqual([302, code.destination, '']);
    expect(get.headers['cache-control']).toBe('private, no-store');
    expect(get.headers.ratelimit).toMatch(/^limit=600, remaining=\d+/);
    const head = await ask('HEAD', `/r/${code.id}`);
    expect([head.status, head.headers.location]).toEqual([302, code.destination]);
    await eventually(async () =>
      expect(await scansOf(waymark, code)).toEqual([
        { kind: 'scan', country: '', device: 'mobile' },
        { kind: 'bot', country: '', device: 'mobile' },
      ]),
    );
  });

  test('gets pages, errors and upstream answers like an HTTP/1.1 request', async () => {
    const { id } = await waymark.published({ active: false });
    for (const [path, status, text] of [
      [`/r/${id}`, 410, 'This code is inactive'],
      [`/r/${createRecord().id}`, 404, 'No code has this id'],
      ['/p/page_1?x=1', 200, 'passed: GET /p/page_1?x=1'],
    ] as const) {
      const answer = await ask('GET', path, ['Accept: application/json']);
      expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(text)]);
      expect(answer.headers['transfer-encoding']).toBeUndefined();
    }
  });

  test('opens a code with its password', async () => {
    const code = await waymark.published({ passwordProtected: true });
    waymark.controlPlane.passwords.set(code.id, 'open sesame');
    const post = (password: string) => {
      const body = String(new URLSearchParams({ password }));
      const type = 'Content-Type: application/x-www-form-urlencoded';
      return ask('POST', `/r/${code.id}`, [type, `Content-Length: ${body.length}`], body);
    };
    expect((await post('wrong')).status).toBe(401);
    const right = await post('open sesame');
    expect([right.status, right.headers.location]).toEqual([303, code.destination]);
  });

  test('is answered without the header uWebSockets', async () => {
    const code = await waymark.published();
    for (const path of [`/r/${code.id}`, `/r/${createRecord().id}`, '/p/page_1']) {
      const { headers } = await ask('GET', path);
      expect(Object.keys(headers)).not.toContain('uwebsockets');
    }
  });

  test('may have a head of 15 kB, and keeps its connection if it asks to', async () => {
    const code = await waymark.published();
    const long = await ask('GET', `/r/${code.id}`, [
      `Cookie: ${'c'.repeat(14.5 * 1024)}`,
      'Connection: keep-alive',
    ]);
    expect([long.status, long.headers.connection]).toEqual([302, 'keep-alive']);
  });

  test('may have 94 headers; more are 431, in the same form as every other error', async () => {
    const code = await waymark.published();
    const asked = (count: number) =>
      // The User-Agent is one of them.
      ask(
        'GET',
        `/r/${code.id}`,
        Array.from({ length: count - 1 }, (_, index) => `X-${index}: 1`),
      );
    expect((await asked(94)).status).toBe(302);
    const refused = await asked(95);
    expect([refused.status, refused.body]).toEqual([
      431,
      '{"error":"A request must not have more than 94 headers","code":"INVALID_REQUEST"}',
    ]);
  });

  test('HTTP/1.1 is spoken there too; the public port refuses HTTP/1.0', async () => {
    const code = await waymark.published();
    const modern = await rawRequest({ port }, [
      `GET /r/${code.id} HTTP/1.1`,
      'Host: x',
      `User-Agent: ${phone}`,
    ]);
    expect([modern.status, modern.headers.location]).toEqual([302, code.destination]);
    const publicPort = Number(new URL(waymark.url).port);
    expect((await rawRequest({ port: publicPort }, [`GET /r/${code.id} HTTP/1.0`])).status).toBe(505);
  });

  test("a stranger's proxy headers are not trusted, and a warning is logged", async () => {
    const code = await waymark.published();
    await ask('GET', `/r/${code.id}`, ['CF-IPCountry: FR', `X-Forwarded-For: ${german}`]);
    await eventually(async () => expect(await scansOf(waymark, code)).toMatchObject([{ country: '' }]));
    // Redis may be slow on a busy machine, which is logged too.
    const logged = waymark.logged().filter(({ redis }) => redis === undefined);
    expect(logged).toMatchObject([{ peer: '127.0.0.1', msg: expect.stringContaining('TRUSTED_PROXIES') }]);
  });
});

test('behind a trusted proxy the client is the one the proxy saw, and the country header counts', async () => {
  const { waymark, ask } = await start({ TRUSTED_PROXIES: '127.0.0.1' });
  const code = await waymark.published();
  await ask('GET', `/r/${code.id}`, ['X-Forwarded-For: 8.8.8.8', `X-Forwarded-For: ${german}`]);
  await ask('GET', `/r/${code.id}`, [`X-Forwarded-For: ${german}`, 'CF-IPCountry: FR']);
  await eventually(async () =>
    expect(await scansOf(waymark, code)).toMatchObject([{ country: 'DE' }, { country: 'FR' }]),
  );
});
