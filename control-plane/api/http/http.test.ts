import net from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

describe('authentication', () => {
  test.each([
    ['no header', undefined],
    ['another scheme', 'Basic d206eA=='],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
    ['an unknown key', 'Bearer wm_11111111111111111111111111111111'],
    ['a key of any length', `Bearer ${'x'.repeat(8_000)}`],
  ])('%s answers 401 with WWW-Authenticate', async (_, authorization) => {
    const call = plane.callWith(undefined);
    const answer = await call('GET', '/api/qr/codes', undefined, authorization ? { authorization } : {});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="waymark"/);
    expect(errorBody.parse(answer.body).code).toBe('UNAUTHENTICATED');
  });

  test('a key with one wrong character is as unknown as any other', async () => {
    const wrong = own.apiKey.slice(0, -1) + (own.apiKey.endsWith('1') ? '2' : '1');
    expect((await plane.callWith(wrong)('GET', '/api/qr/codes')).status).toBe(401);
  });

  test('a revoked key answers 401', async () => {
    const workspace = await plane.workspace();
    expect((await workspace.call('GET', '/api/qr/codes')).status).toBe(200);
    await plane.pool.query('UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    // Through the notification: the key itself is read again only after 10 s.
    await expect
      .poll(async () => (await workspace.call('GET', '/api/qr/codes')).status, { timeout: 8_000 })
      .toBe(401);
  });

  test('the scheme is case-insensitive', async () => {
    const answer = await plane.callWith(undefined)('GET', '/api/qr/codes', undefined, {
      authorization: `bearer ${own.apiKey}`,
    });
    expect(answer.status).toBe(200);
  });

  test('a caller without a key is refused before the body is read', async () => {
    expect((await plane.callWith(undefined)('POST', '/api/qr/codes', '{')).status).toBe(401);
  });

  test('keys are not stored in clear', async () => {
    const { rows } = await plane.pool.query('SELECT * FROM api_keys WHERE workspace_id = $1', [
      own.workspaceId,
    ]);
    expect(rows[0].prefix).toBe(own.apiKey.slice(0, 7));
    expect(JSON.stringify(rows)).not.toContain(own.apiKey);
  });
});

describe('paths and methods', () => {
  test.each([
    '/api/qr',
    '/api/qr/code',
    '/API/qr/codes',
    '/api/qr/codes/1/2/3',
    '/%',
    '/%00',
    '/internal/codes',
    '/metrics',
  ])('%s answers 404 in JSON', async (path) => {
    const answer = await own.call('GET', path);
    expect(answer.status).toBe(404);
    expect(errorBody.parse(answer.body).error).toBe(
      `There is nothing at the path '${path}'; /openapi.json lists the paths that exist`,
    );
  });

  test.each([
    ['DELETE', '/api/qr/codes', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/api/qr/codes/123456789', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['POST', '/api/qr/codes/123456789/image', 'GET, HEAD, OPTIONS'],
  ])('%s %s answers 405 with Allow', async (method, path, allow) => {
    const answer = await own.call(method, path);
    expect(answer.status).toBe(405);
    expect(errorBody.parse(answer.body).error).toBe(
      `The method ${method} is not allowed at this path; allowed are ${answer.headers.get('allow')}`,
    );
    expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow);
  });

  test('OPTIONS answers 204 with Allow', async () => {
    const answer = await own.call('OPTIONS', '/api/qr/codes');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toContain('POST');
  });
});

describe('every answer', () => {
  test('carries a request-id, the client’s own if it is a short token', async () => {
    const id = async (given?: string) => {
      const answer = await own.call(
        'GET',
        '/nowhere',
        undefined,
        given === undefined ? {} : { 'request-id': given },
      );
      return answer.headers.get('request-id');
    };
    expect(await id('abc-123.DEF_456')).toBe('abc-123.DEF_456');
    const generated = /^[0-9a-f-]{36}$/;
    expect(await id()).toMatch(generated);
    expect(await id('short')).toMatch(generated);
    expect(await id('with spaces and "quotes"')).toMatch(generated);
    expect(await id('x'.repeat(65))).toMatch(generated);
  });

  test('forbids sniffing, framing and keeping', async () => {
    const { headers } = await own.call('GET', '/api/qr/codes');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('a message that is not HTTP', () => {
  const exchange = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(Number(new URL(plane.url).port), '127.0.0.1', () => socket.write(text));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });

  test('is answered 400 in JSON, and the connection is closed', async () => {
    const answer = await exchange('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toMatch(/\r\nrequest-id: [0-9a-f-]{36}\r\n/);
    expect(answer).toMatch(
      /\{"error":"The method must be one that HTTP has, such as GET","code":"INVALID_REQUEST"\}$/,
    );
  });

  test('headers over 16 KB are answered 431', async () => {
    const answer = await exchange(`GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
  });
});

describe('the internal listener', () => {
  test('reports liveness, readiness and metrics', async () => {
    expect(await plane.internal('GET', '/health/live')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect(await plane.internal('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', unhealthy: {} },
    });
    await own.call('GET', '/api/qr/codes/123456789');
    const metrics = String((await plane.internal('GET', '/metrics')).body);
    expect(metrics).toContain('process_cpu_seconds_total');
    expect(metrics).toMatch(
      /http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/api\/qr\/codes\/:id",http_response_status_code="404"\} \d/,
    );
  });
});
