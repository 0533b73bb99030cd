/** `/mcp` with the client of the protocol's own authors, against a running control plane. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { readingTools, writingTools } from './offered-tools.ts';
import { type ConnectOptions, connectMcp, jsonOf, revisions, textOf, use } from './testing/mcp-client.ts';

const writing = '/mcp?access=write';
const proxied = { 'x-forwarded-for': '203.0.113.9' };

let plane: TestControlPlane;
let workspace: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  workspace = await plane.workspace();
});

const connect = (apiKey = workspace.apiKey, options?: ConnectOptions) =>
  connectMcp(plane.url, apiKey, options);

const newKey = async ({ call }: Workspace, body: object): Promise<string> => {
  const made = await call('POST', '/api/qr/keys', body);
  return z.object({ apiKey: z.string() }).parse(made.body).apiKey;
};

const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const accept = { accept: 'application/json, text/event-stream' };
const pageShape = z.object({
  data: z.array(z.object({ id: z.string() })),
  pagination: z.object({ nextCursor: z.string().nullable() }),
});

describe.each(revisions)('a client of the revision %s', (revision) => {
  test('lists the tools, uses them, and learns what is wrong with an argument', async () => {
    const client = await connect(workspace.apiKey, { revision, path: writing });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('create_code');
    const made = await jsonOf(client, 'create_code', { data: 'https://example.com/a', name: 'Door' });
    const { id } = z.object({ id: z.string() }).parse(made);
    await jsonOf(client, 'update_code', { id, destination: 'https://example.com/b' });
    expect(await jsonOf(client, 'get_code', { id })).toMatchObject({
      name: 'Door',
      destination: 'https://example.com/b',
    });
    const refused = await use(client, 'update_code', { id, destination: 'javascript:alert(1)' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(
      /^destination must be .*\ncode: UNPROCESSABLE\nparam: destination\ndocUrl: http.*\nrequestId: /,
    );
    await client.close();
  });
});

describe('the list', () => {
  test('has only tools that read, until the address asks for the others as well', async () => {
    const reading = await (await connect()).listTools();
    expect(reading.tools.map(({ name }) => name)).toEqual(readingTools.map(({ name }) => name));
    expect(reading.tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const client = await connect(workspace.apiKey, { path: writing });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...readingTools, ...writingTools].map(({ name }) => name));
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.create_code).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    });
    expect(hints.deactivate_code).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    });
    await expect(use(await connect(), 'create_code', { data: 'https://example.com/' })).rejects.toThrow(
      /no tool 'create_code' for this key without \?access=write/,
    );
  });

  test('is small enough to be read by a model, and its schemas are valid by themselves', async () => {
    const { tools } = await (await connect(workspace.apiKey, { path: writing })).listTools();
    expect(tools.length).toBeLessThanOrEqual(30);
    expect(JSON.stringify(tools).length).toBeLessThan(72_000);
    expect(JSON.stringify((await (await connect()).listTools()).tools).length).toBeLessThan(26_000);
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
    for (const { inputSchema } of tools) ajv.compile(inputSchema);
    expect(JSON.stringify(tools)).not.toContain('$ref');
  });

  test('has what the key may use, and nothing else', async () => {
    const key = await newKey(workspace, { permissions: ['codes:write', 'analytics:read'] });
    const { tools } = await (await connect(key, { path: writing })).listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['create_code', 'list_codes', 'get_analytics', 'get_account']),
    );
    expect(names.filter((name) => /menu|page|form|kit/.test(name))).toEqual([]);
  });
});

describe('a request', () => {
  test('without a key, or with a wrong one, is 401 and says how to authenticate', async () => {
    const without = await plane.callWith(undefined)('POST', '/mcp', message, accept);
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="waymark"',
    ]);
    const wrong = await plane.callWith('wm_wrong')('POST', '/mcp', message, accept);
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="waymark", error="invalid_token"',
    ]);
    await expect(connect('wm_wrong')).rejects.toThrow();
  });

  test('of a page of another origin is refused, and of the API’s own is answered', async () => {
    const sent = (origin: string) =>
      workspace.call('POST', '/mcp', message, { ...accept, origin }).then(({ status }) => status);
    expect(await sent('https://evil.example')).toBe(403);
    expect(await sent('null')).toBe(403);
    expect(await sent('http://localhost:3000')).toBe(200);
  });

  test.each([
    ['a batch', [message], 400],
    ['no JSON-RPC', { id: 1, method: 'tools/list' }, 400],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, 400],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
  ])('that is %s gets a documented answer', async (_, body, status) => {
    expect((await workspace.call('POST', '/mcp', body, accept)).status).toBe(status);
  });

  test('of the new revision without what it must say is refused by the protocol', async () => {
    const revision = { 'mcp-protocol-version': '2026-07-28' };
    expect(await workspace.call('POST', '/mcp', message, revision)).toMatchObject({
      status: 400,
      body: { jsonrpc: '2.0', error: { message: expect.any(String) } },
    });
  });

  test('of a client that accepts anything is answered, and of one that accepts neither type is 406', async () => {
    expect((await workspace.call('POST', '/mcp', message)).status).toBe(200);
    expect((await workspace.call('POST', '/mcp', message, { accept: 'text/html' })).status).toBe(406);
  });

  test('for a stream or a session is 405: there are none', async () => {
    for (const method of ['GET', 'DELETE']) expect((await workspace.call(method, '/mcp')).status).toBe(405);
  });

  test('for a subscription ends at once', async () => {
    const client = await connect();
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow(/limit/);
  });
});

describe('a call', () => {
  test('comes from the address of the client, whose key may be bound to it', async () => {
    const key = await newKey(workspace, { allowedIps: ['203.0.113.9'] });
    const client = await connect(key, { headers: proxied });
    expect(await jsonOf(client, 'list_tags')).toMatchObject({ data: [] });
    await expect(connect(key)).rejects.toThrow();
  });

  test('is in the audit log and in the request log, as a call of its operation', async () => {
    const own = await plane.workspace();
    const client = await connect(own.apiKey, { path: writing });
    const { id } = z
      .object({ id: z.string() })
      .parse(await jsonOf(client, 'create_code', { data: 'https://example.com/' }));
    const audit = await own.call('GET', '/api/qr/audit-log');
    expect(audit.body).toMatchObject({ data: [{ operation: 'createCode', resourceId: id }] });
    await expect
      .poll(async () => JSON.stringify((await own.call('GET', '/api/qr/request-logs')).body), {
        timeout: 60_000,
      })
      .toContain('"/api/qr/codes"');
  });

  test('counts once against the quota of calls, and a message counts not at all', async () => {
    const own = await plane.workspace();
    const client = await connect(own.apiKey);
    for (let at = 0; at < 3; at++) {
      await client.listTools({}, { cacheMode: 'bypass' });
      await jsonOf(client, 'list_tags');
    }
    const used = async () => {
      const { rows } = await plane.pool.query(
        "SELECT used::int FROM quota_usage WHERE subscription_id = $1 AND capability = 'apiCalls'",
        [own.subscriptionId],
      );
      return rows[0]?.used;
    };
    await expect.poll(used, { timeout: 30_000 }).toBeGreaterThan(0);
    // A later settlement would add what the messages counted.
    await jsonOf(client, 'list_tags');
    await expect.poll(used, { timeout: 30_000 }).toBeGreaterThan(3);
    expect(await used()).toBe(4);
  });

  test('with an idempotency key makes one thing, however often it is sent', async () => {
    const own = await plane.workspace();
    const client = await connect(own.apiKey, { path: writing });
    const args = { data: 'https://example.com/', idempotencyKey: 'once' };
    expect(await jsonOf(client, 'create_code', args)).toEqual(await jsonOf(client, 'create_code', args));
    expect(pageShape.parse(await jsonOf(client, 'list_codes')).data).toHaveLength(1);
  });

  test('with a test key reaches test data only', async () => {
    const own = await plane.workspace();
    const client = await connect(await newKey(own, { mode: 'test' }), { path: writing });
    expect(client.getInstructions()).toContain('test data');
    await jsonOf(client, 'create_code', { data: 'https://example.com/' });
    expect(pageShape.parse(await jsonOf(client, 'list_codes')).data).toHaveLength(1);
    expect(pageShape.parse(await jsonOf(await connect(own.apiKey), 'list_codes')).data).toHaveLength(0);
  });

  test('beyond a quota of the plan is a result that says so', async () => {
    const own = await plane.workspace({ limits: { requestsPerSecond: 1_000, dynamicQr: 1 } });
    const client = await connect(own.apiKey, { path: writing });
    const args = { data: 'https://example.com/' };
    await jsonOf(client, 'create_code', args);
    const refused = await use(client, 'create_code', args);
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringMatching(/\ncode: QUOTA_EXCEEDED\n/),
    ]);
  });

  test.each([
    ['draw_code', { id: '..' }, /^id must be an id/],
    ['get_code', { id: 'half \ud800' }, /^id must be an id/],
    ['get_code', {}, /^id is required/],
    ['get_code', { id: 'x', secret: 1 }, /^get_code does not take 'secret'; it takes id/],
    ['draw_code', { id: 'x', format: 'pdf' }, /^format must be one of png, svg, webp, jpg/],
    ['list_codes', { search: { a: 1 } }, /^search must be a text/],
    ['get_code', { id: '../keys' }, /^.*\ncode: (NOT_FOUND|FORBIDDEN)/],
  ])('of %s with %j says what is wrong', async (name, args, reason) => {
    const result = await use(await connect(), name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(reason);
  });
});

test('no arguments, whatever they are, are a failure of ours', async () => {
  const client = await connect(workspace.apiKey, { path: writing });
  const { tools } = await client.listTools();
  const { id } = await workspace.createCode();
  const call = fc.constantFrom(...tools).chain(({ name, inputSchema }) => {
    const known = Object.keys(inputSchema.properties ?? {});
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(id, '..', '', 'https://a.example/'),
    );
    return fc.tuple(fc.constant(name), fc.dictionary(fc.constantFrom('x', ...known), value, { maxKeys: 6 }));
  });
  await fc.assert(
    fc.asyncProperty(call, async ([name, args]) => {
      expect(textOf(await use(client, name, args))).not.toMatch(/code: (INTERNAL|UNAVAILABLE)/);
    }),
    { numRuns: 60 },
  );
});

/** Until a list of pages waits for a lock that the test holds. */
const listWaits = () =>
  expect
    .poll(
      async () => {
        const { rowCount } = await plane.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE 'SELECT id, content_bytes%'`,
        );
        return rowCount;
      },
      { timeout: 30_000 },
    )
    .toBe(1);

const metric = async (line: RegExp): Promise<number> =>
  Number(line.exec(String((await plane.internal('GET', '/metrics')).body))?.[1] ?? 0);

test('a client that disconnects ends the request of its tool: what it would have got is not read', async () => {
  const own = await plane.workspace();
  // A list in several parts.
  const items = Array(50).fill({ name: 'x'.repeat(120), description: '…'.repeat(500) });
  const sections = Array(16).fill({ name: 's', items });
  for (const name of ['a', 'b']) await own.call('POST', '/api/qr/menus', { name, sections });
  const answered = () =>
    metric(/http_server_request_duration_seconds_count\{[^}]*http_route="\/mcp"[^}]*\} (\d+)/);
  const abandoned = () => metric(/waymark_streams_total\{how="client_gone"\} (\d+)/);
  const before = { answered: await answered(), abandoned: await abandoned() };
  const holder = await plane.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE hosted_pages IN ACCESS EXCLUSIVE MODE');
    const client = new AbortController();
    const sent = fetch(`${plane.url}/mcp`, {
      method: 'POST',
      headers: { ...accept, authorization: `Bearer ${own.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...message,
        method: 'tools/call',
        params: { name: 'list_menus', arguments: {} },
      }),
      signal: client.signal,
    });
    await listWaits();
    client.abort();
    await expect(sent).rejects.toThrow();
    await expect.poll(answered, { timeout: 30_000 }).toBe(before.answered + 1);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  await expect.poll(abandoned, { timeout: 30_000 }).toBe(before.abandoned + 1);
});

describe('a result', () => {
  test('shows a picture as a picture', async () => {
    const { id } = await workspace.createCode();
    const client = await connect();
    const drawn = await use(client, 'draw_code', { id, size: 300 });
    const made = await use(client, 'draw_static_code', { data: 'https://example.com/', width: 256 });
    for (const [{ content }, width] of [[drawn, 300] as const, [made, 256] as const]) {
      const [picture] = content;
      if (picture?.type !== 'image') throw new Error('no picture');
      expect(picture.mimeType).toBe('image/png');
      expect(await sharp(Buffer.from(picture.data, 'base64')).metadata()).toMatchObject({ width });
    }
    expect(textOf(await use(client, 'draw_code', { id, format: 'svg' }))).toMatch(/<svg/);
  });

  test('of a long page is shorter, and its cursor leads to what was left out', async () => {
    const own = await plane.workspace();
    const notes = 'n'.repeat(5000);
    const made = await Promise.all(Array.from({ length: 20 }, () => own.createCode({ notes })));
    const client = await connect(own.apiKey);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const given = await use(client, 'list_codes', { limit: 20, ...(cursor && { cursor }) });
      expect(textOf(given).length).toBeLessThan(50_000);
      const { data, pagination } = pageShape.parse(JSON.parse(textOf(given)));
      seen.push(...data.map(({ id }) => id));
      cursor = pagination.nextCursor;
    } while (cursor);
    expect(seen.sort()).toEqual(made.map(({ id }) => id).sort());
  });

  test('of a long list without pages says how much of it is shown', async () => {
    const own = await plane.workspace();
    const body = 'b'.repeat(4000);
    for (let at = 0; at < 20; at++)
      await own.call('POST', '/api/qr/landing-pages', { name: `Page ${at}`, body });
    const text = textOf(await use(await connect(own.apiKey), 'list_landing_pages'));
    expect(text.length).toBeLessThan(50_000);
    expect(text).toMatch(/\[cut off: 1\d of 20 entries are shown; get others by their ids\]$/);
  });
});
