/** The `nginx-map` export is loaded by the real nginx, and its codes are scanned. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createClickHouse } from '#shared/clickhouse.ts';
import { createCodeIds } from '#shared/ids.ts';
import { placeCertificate, startNginx } from '../../../../../deploy/edge/testing/proxy.ts';
import { afterFile, freePort, temporaryFolder } from '../../../../../deploy/testing/local.ts';
import { hasProgram } from '../../../../../deploy/testing/programs.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../../testing/control-plane.ts';
import { createEntries } from './entries.ts';
import { head, tail } from './layout.ts';

let plane: TestControlPlane;
let workspace: Workspace;
let port: number;
/** The loaded file. */
let conf: string;

const hostileText = `a "quoted" 'text'; return 200; } # $uri \${host} $ { \\ \\" \\\\n\r\n\ttab\nü 日本語 😀 \\`;
const hostileUrls = [
  `https://example.com/$uri?q=$request_uri&$filter=\${host}`,
  `https://example.com/a'b;c{d}?x="}\\ü日#frag"$;\\`,
  'https://example.com/";\n} server { listen 1; } #',
  'https://example.com/?a=\\"&b=\\$host\\',
  `https://example.com/?${'$'.repeat(4_000)}`,
  `https://example.com/?${'\\'.repeat(4_000)}`,
  `https://example.com/${'x'.repeat(4_070)}`,
];

const ids = createCodeIds(Buffer.alloc(32));

/** A code that no API call could make. @returns its id */
const insert = async (dataType: string, destination: string, id = ids.create()): Promise<string> => {
  await plane.pool.query(
    'INSERT INTO codes (id, workspace_id, data_type, destination) VALUES ($1, $2, $3, $4)',
    [id, workspace.workspaceId, dataType, destination],
  );
  return id;
};

/** The same for many codes. @returns the destinations with their ids */
const insertAll = async (
  dataType: string,
  destinations: readonly string[],
): Promise<(readonly [id: string, destination: string])[]> => {
  const rows = destinations.map((destination) => [ids.create(), destination] as const);
  await plane.pool.query(
    `INSERT INTO codes (id, workspace_id, data_type, destination)
     SELECT id, $1, $2, destination FROM unnest($3::text[], $4::text[]) AS code (id, destination)`,
    [workspace.workspaceId, dataType, rows.map(([id]) => id), destinations],
  );
  return rows;
};

const idOf = async (body: object): Promise<string> => (await workspace.createCode(body)).id;

/** The inserted codes, by kind. */
let code: Record<string, string>;
let urlCodes: (readonly [id: string, url: string])[];
let textCodes: (readonly [id: string, text: string])[];

const variants = [
  { id: 'a', name: 'A', destination: 'https://a.example/', weight: 1 },
  { id: 'b', name: 'B', destination: 'https://b.example/', weight: 3 },
];
const routingRules = [{ id: 'r', condition: { country: ['DE'] }, destination: 'https://rule.example/' }];
const deepLinkConfig = { ios: { url: 'myapp://open' } };

const makeCodes = async (): Promise<void> => {
  code = {
    plain: await idOf({ data: 'https://example.com/menu' }),
    gs1: await idOf({ dataType: 'gs1', data: 'https://example.com/01/09506000134352' }),
    wifi: await idOf({
      dataType: 'wifi',
      data: { ssid: 'Gäste; "x"', password: 'pass$word', encryption: 'WPA' },
    }),
    password: await idOf({ data: 'https://secret.example/', secure: ['password'], password: 'open sesame' }),
    encrypted: await idOf({
      data: 'https://sealed.example/',
      secure: ['encrypt'],
      encryption: { type: 'AES', key: 'a long passphrase' },
    }),
    inactive: await idOf({ data: 'https://inactive.example/' }),
    expired: await idOf({ data: 'https://expired.example/' }),
    expiring: await idOf({ data: 'https://expiring.example/', expiresAt: '2099-01-01T00:00:00Z' }),
    capped: await idOf({ data: 'https://capped.example/', maxScans: 5 }),
    capReached: await idOf({ data: 'https://reached.example/', maxScans: 2 }),
    campaign: await idOf({ data: 'https://example.com/', campaign: { status: 'active', variants } }),
    pausedCampaign: await idOf({ data: 'https://paused.example/', campaign: { status: 'paused', variants } }),
    rules: await idOf({ data: 'https://no-rule.example/', routingRules }),
    deepLink: await idOf({ data: 'https://web.example/', deepLinkConfig }),
    notStarted: await idOf({
      data: 'https://early.example/',
      startsAt: '2098-01-01T00:00:00Z',
      beforeStartUrl: 'https://soon.example/',
    }),
    scheduled: await idOf({
      data: 'https://today.example/',
      schedule: [{ at: '2099-01-01T00:00:00Z', destination: 'https://later.example/' }],
    }),
    parameters: await idOf({ data: 'https://bare.example/', forwardQuery: true, parameters: { a: '1' } }),
    lower: await insert('url', 'https://lower.example/', 'abcdefgh2'),
    upper: await insert('url', 'https://upper.example/', 'ABCDEFGH2'),
    unreadable: await insert('url', 'no URL at all'),
  };
  for (const alias of ['Summer-Sale', 'menu'])
    await workspace.call('POST', `/api/qr/codes/${code.plain}/aliases`, { alias });
  await plane.pool.query(
    `INSERT INTO domains (id, workspace_id, domain, token, path, status, verified_at, alias_case)
     VALUES ('dom_1111111111111111', $1, 'fold.brand.example', '', '/r/', 'verified', now(), 'fold'),
       ('dom_1111111111111112', $1, 'exact.brand.example', '', '/r/', 'verified', now(), 'exact')`,
    [workspace.workspaceId],
  );
  for (const [id, domain, alias] of [
    [code.gs1, 'fold.brand.example', 'Café'],
    [code.expiring, 'exact.brand.example', 'Both'],
    [code.capped, 'exact.brand.example', 'both'],
    [code.capped, 'fold.brand.example', '日'.repeat(64)],
  ])
    await workspace.call('POST', `/api/qr/codes/${id}/aliases`, { alias, domain });
  await insert('url', 'https://example.com/', `a";}\nserver { listen 1; }\n`);
  await workspace.call('DELETE', `/api/qr/codes/${code.inactive}`);
  await plane.pool.query('UPDATE codes SET link_base = $2 WHERE id = $1', [code.plain, domainLinks[0]]);
  await plane.pool.query('UPDATE codes SET link_base = $2 WHERE id = $1', [code.gs1, domainLinks[1]]);
  await plane.pool.query(`UPDATE codes SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
    code.expired,
  ]);
  const texts = fc.sample(
    fc.string({
      unit: fc.oneof(
        fc.constantFrom(...`"'$;\\{}# \n\r\t~^%`),
        fc.string({ unit: 'grapheme', maxLength: 1 }),
      ),
    }),
    { numRuns: 100, seed: 1 },
  );
  const storable = texts.filter((text) => text !== '' && text.isWellFormed() && !text.includes('\0'));
  // Longer than a word of nginx, and together more than is held back before a second map begins.
  const long = Array.from({ length: 80 }, (_, n) => `${n}${'日$"'.repeat(1_300)}`);
  textCodes = await insertAll('text', [hostileText, ...storable, ...long]);
  urlCodes = await insertAll('url', hostileUrls);
};

const recordTwoScans = async (id: string): Promise<void> => {
  const clickhouse = createClickHouse(plane.clickhouseUrl, 'test', 10_000);
  await clickhouse.command({
    query: `INSERT INTO scans (event_id, ts, workspace_id, code_id, kind) SELECT generateUUIDv4(), now64(3), {workspaceId:String},
      {id:String}, 'scan' FROM numbers(2)`,
    query_params: { workspaceId: workspace.workspaceId, id },
  });
  await clickhouse.close();
};

const scan = async (target: string, method: 'GET' | 'HEAD' | 'POST' = 'GET', host = 'qr.example.com') => {
  const { statusCode, headers, body } = await request(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: { host },
  });
  return { status: statusCode, headers, location: headers.location, text: await body.text() };
};

const scanOf = (id: string | undefined) => scan(`/r/${id}`);

/** Two of the codes were printed with these. */
const domainLinks = ['https://go.brand.example/', `https://${'a'.repeat(60)}.brand.example/go/`];

const lineOf = (id: string): string => conf.split('\n').find((line) => line.includes(id)) ?? '';

describe.runIf(hasProgram('nginx'))('nginx without Waymark, with the exported file', () => {
  beforeAll(async () => {
    plane = await startTestControlPlane();
    workspace = await plane.workspace();
    await makeCodes();
    await recordTwoScans(code.capReached!);
    const answer = await workspace.call('GET', '/api/qr/codes/export?format=nginx-map');
    conf = String(answer.body);
    port = await freePort();
    const folder = await temporaryFolder();
    expect(conf).toContain('  listen 80;\n');
    await writeFile(
      path.join(folder, 'waymark.conf'),
      conf.replace('listen 80;', `listen 127.0.0.1:${port};`),
    );
    const file = path.join(folder, 'nginx.conf');
    await writeFile(file, 'events {}\nhttp { access_log off; include waymark.conf; }\n');
    const nginx = startNginx(folder, file);
    afterFile(() => expect(nginx.said()).not.toMatch(/warn|emerg|error/));
    await vi.waitFor(
      async () => {
        if (nginx.hasEnded()) throw new Error(nginx.said());
        expect((await scan('/')).status).toBe(404);
      },
      { timeout: 60_000, interval: 50 },
    );
  });

  test('redirects as Waymark does', async () => {
    for (const [id, location] of [
      [code.plain, 'https://example.com/menu'],
      [code.gs1, 'https://example.com/01/09506000134352'],
      [code.expiring, 'https://expiring.example/'],
      [code.pausedCampaign, 'https://paused.example/'],
      [code.capped, 'https://capped.example/'],
    ]) {
      const answer = await scanOf(id);
      expect([answer.status, answer.location]).toEqual([302, location]);
      expect(answer.headers['cache-control']).toBe('private, no-store');
    }
    expect((await scan(`/r/${code.plain}/?s=flyer`)).location).toBe('https://example.com/menu');
    expect((await scan(`/r/${code.plain}`, 'HEAD')).status).toBe(302);
    expect((await scan(`/r/${code.plain}`, 'POST')).status).toBe(405);
  });

  test('redirects aliases on their hosts, in any case or in theirs alone', async () => {
    for (const [host, target, location] of [
      ['qr.example.com', '/r/summer-sale', 'https://example.com/menu'],
      ['qr.example.com', '/r/MENU/', 'https://example.com/menu'],
      ['fold.brand.example', `/${encodeURIComponent('café')}`, 'https://example.com/01/09506000134352'],
      ['fold.brand.example', `/${encodeURIComponent('日'.repeat(64))}`, 'https://capped.example/'],
      ['exact.brand.example', '/Both', 'https://expiring.example/'],
      ['exact.brand.example', '/both', 'https://capped.example/'],
      ['exact.brand.example', '/BOTH', undefined],
      ['fold.brand.example', '/menu', undefined],
      ['qr.example.com', '/menu', undefined],
    ] as const)
      expect([host, target, (await scan(target, 'GET', host)).location]).toEqual([host, target, location]);
  });

  test('answers at the domains of workspaces, for the links that codes were printed with', async () => {
    for (const [linkBase, id, location] of [
      [domainLinks[0], code.plain, 'https://example.com/menu'],
      [domainLinks[1], code.gs1, 'https://example.com/01/09506000134352'],
    ]) {
      const { host, pathname } = new URL(linkBase!);
      expect((await scan(`${pathname}${id}`, 'GET', host)).location).toBe(location);
      expect((await scan(`/r/${id}`, 'GET', host)).location).toBe(location);
    }
  });

  test('leads to the exact URL, whatever its characters and length', async () => {
    for (const [id, url] of urlCodes) expect((await scanOf(id)).location).toBe(new URL(url).href);
  });

  test('shows payloads as text, whatever their characters and length', async () => {
    for (const [id, text] of textCodes) expect((await scanOf(id)).text).toBe(text);
    const { status, headers, text } = await scanOf(code.wifi);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^WIFI:.*Gäste/);
    expect(conf).toContain('map $waymark_key $waymark_answer_2 {');
  });

  test('tells apart ids that differ only in case', async () => {
    expect((await scanOf(code.lower)).location).toBe('https://lower.example/');
    expect((await scanOf(code.upper)).location).toBe('https://upper.example/');
    expect((await scanOf('aBCDEFGH2')).status).toBe(404);
  });

  test('never bypasses a password or a seal, and the file does not contain the protected content', async () => {
    for (const id of [code.password, code.encrypted]) expect((await scanOf(id)).status).toBe(403);
    expect(conf).not.toMatch(/secret\.example|sealed\.example/);
  });

  test('answers 410 for inactive and expired codes, and for codes whose cap was reached', async () => {
    for (const id of [code.inactive, code.expired, code.capReached])
      expect((await scanOf(id)).status).toBe(410);
  });

  test('sends a campaign to its heaviest variant, and leaves out rules and deep links', async () => {
    expect((await scanOf(code.campaign)).location).toBe('https://b.example/');
    expect((await scanOf(code.rules)).location).toBe('https://no-rule.example/');
    expect((await scanOf(code.deepLink)).location).toBe('https://web.example/');
  });

  test('answers 404 for a code before its start, and leads to the destination of the day without parameters', async () => {
    expect((await scanOf(code.notStarted)).status).toBe(404);
    expect((await scanOf(code.scheduled)).location).toBe('https://today.example/');
    expect((await scanOf(code.parameters)).location).toBe('https://bare.example/');
  });

  test('answers 404 for codes that are not in the file or that redirectors cannot read', async () => {
    for (const target of [
      '/',
      '/r/',
      '/r/123456789',
      '/r/12345678',
      `/r/${code.plain}/x`,
      `/r/${code.unreadable}`,
    ])
      expect((await scan(target)).status).toBe(404);
  });

  test('notes on each code how it differs', () => {
    const noteOf = (name: string) => /; {2}# (.*)$/.exec(lineOf(code[name]!))?.[1];
    expect(Object.fromEntries(Object.keys(code).map((name) => [name, noteOf(name)]))).toEqual({
      plain: undefined,
      gs1: undefined,
      wifi: 'wifi: shown as text',
      password: 'has a password',
      encrypted: 'encrypted',
      inactive: 'inactive',
      expired: 'expired',
      expiring: 'expires at 2099-01-01T00:00:00.000Z: remove it then',
      capped: 'maxScans 5: not counted any more',
      capReached: 'maxScans 2: reached',
      campaign: 'campaign of 2: the heaviest variant, 75%, gets all',
      pausedCampaign: undefined,
      rules: 'routing rules (1): left out',
      deepLink: 'deep link: left out',
      notStarted: 'starts at 2098-01-01T00:00:00.000Z',
      scheduled: 'schedule (1 to come): left out',
      parameters: 'parameters: left out',
      lower: undefined,
      upper: undefined,
      unreadable: undefined,
    });
    expect(lineOf(code.unreadable!)).toBe(`  # "${code.unreadable}" is not readable: 404`);
    expect(conf).toContain(`  # "a\\";}\\nserver { listen 1; }\\n" is not readable: 404`);
  });
});

test.runIf(hasProgram('nginx'))('the TLS lines need only the certificate', async () => {
  const [folder, httpPort, httpsPort] = [await temporaryFolder(), await freePort(), await freePort()];
  const ca = await placeCertificate(folder);
  const qrHost = 'https://qr.example.com';
  const entries = createEntries(1);
  const text =
    head({ whose: 'all workspaces', qrHost, now: new Date(), codes: 1 }) +
    entries.begin() +
    entries.entry('nX5cPq7Rk', '302 https://example.com/', []) +
    entries.end() +
    tail(qrHost, { codes: 1, answerMaps: entries.maps(), aliasMaps: 0, linkBases: [], aliasHosts: [] });
  const own = text
    .replaceAll(/^ {2}#(listen 443|ssl_)/gm, '  $1')
    .replaceAll('/etc/ssl/waymark', folder)
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${httpsPort} `);
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, `events {}\nhttp { access_log off;\n${own} }\n`);
  const nginx = startNginx(folder, file);
  const dispatcher = new Agent({ connect: { ca, servername: 'qr.example.com' } });
  afterFile(() => dispatcher.close());
  await vi.waitFor(
    async () => {
      if (nginx.hasEnded()) throw new Error(nginx.said());
      const answer = await request(`https://127.0.0.1:${httpsPort}/r/nX5cPq7Rk`, { dispatcher });
      await answer.body.dump();
      expect([answer.statusCode, answer.headers.location]).toEqual([302, 'https://example.com/']);
    },
    { timeout: 60_000, interval: 50 },
  );
});

test('the hash tables have twice as many buckets as there are codes', () => {
  const facts = { whose: 'all workspaces', qrHost: 'https://qr.example.com', now: new Date() };
  for (const [codes, places] of [
    [0, 2_048],
    [1_000, 2_048],
    [100_000, 262_144],
    [10_000_000, 33_554_432],
  ] as const)
    expect(head({ ...facts, codes })).toContain(`map_hash_max_size ${places};`);
});
