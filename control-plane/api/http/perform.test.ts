import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Role } from '#schemas/api/plans.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis } from '#shared/redis.ts';
import { afterFile, createTestDatabase, redisUrl } from '../../../deploy/testing/index.ts';
import { addApiCalls, consumeQuota } from '../../features/tenancy/quota-usage.ts';
import {
  changeSubscription,
  createKey,
  createWorkspace,
  findPrincipals,
} from '../../features/tenancy/store.ts';
import { createPool } from '../../platform/db/pool.ts';
import { createApiCalls } from '../access/api-calls.ts';
import { authenticateBy } from '../access/authentication.ts';
import { createIpLimiter } from '../access/ip-limits.ts';
import { createPrincipals } from '../access/principals.ts';
import { createRequestRates } from '../access/request-rates.ts';
import { createIdempotentCalls } from '../idempotency/idempotent-calls.ts';
import { createApplication } from './application.ts';
import { createLargeBodies } from './large-bodies.ts';
import { listen } from './listener.ts';
import { type OperationDocs, operation } from './operation.ts';
import { routeOperations } from './perform.ts';
import { createStreams, streamLimits } from './streams.ts';

const docs: OperationDocs = { id: 'test', tag: 'Test', summary: '', description: '', responses: {} };
const done = async () => ({ status: 204 });

/** Operations that cover every kind of declaration. */
const operations = [
  operation({ method: 'get', path: '/anyone', docs, handle: done }),
  operation({ method: 'post', path: '/admins', access: 'admin', docs, handle: done }),
  operation({ method: 'get', path: '/menus', capability: 'menus', docs, handle: done }),
  operation({
    method: 'post',
    path: '/bulk',
    callLimit: 'bulk',
    body: z.array(z.string()),
    creates: { quota: 'dynamicQr', amount: (rows) => rows.length },
    docs,
    handle: ({ create, body }) =>
      create({
        prepare: async () => body.length,
        effect: async (_, rows) => ({ status: 202, body: { rows } }),
      }),
  }),
  operation({
    method: 'post',
    path: '/mints',
    creates: { idempotencyHeader: 'Idempotency-Key' },
    docs,
    handle: ({ create }) =>
      create({
        prepare: async () => crypto.randomUUID(),
        effect: async (_, jobId) => ({ status: 202, body: { jobId } }),
      }),
  }),
];

let baseUrl: string;
let pool: ReturnType<typeof createPool>;
let address = '203.0.113.9';

beforeAll(async () => {
  const logger = createLogger('test', 'silent');
  pool = createPool(await createTestDatabase(), 'test', logger, 4);
  afterFile(() => pool.end());
  const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 500 }, logger);
  afterFile(() => redis.disconnect());
  const apiCalls = createApiCalls((calls, settlement) => addApiCalls(pool, calls, settlement), logger);
  afterFile(() => apiCalls.close());
  const clientAddress = () => address;
  const app = createApplication({
    logger,
    secure: false,
    isUnavailable: () => false,
    clientAddress,
    docsUrl: '/docs/errors',
    observe: (_, next) => next(),
    router: routeOperations(operations, {
      authenticate: authenticateBy(
        createPrincipals((hashes) => findPrincipals(pool, hashes), logger).of,
        () => {},
      ),
      clientAddress,
      isByProxy: () => false,
      isByRedirector: () => false,
      ipLimiter: createIpLimiter(redis),
      requestRates: createRequestRates(redis),
      apiCalls,
      pathIds: [],
      screening: { requireAllowed: async () => undefined, hasWebRisk: false },
      idempotentCalls: createIdempotentCalls(pool, Buffer.alloc(32), consumeQuota),
      largeBodies: createLargeBodies(),
      streams: createStreams({ ...streamLimits, onEnded: () => undefined, onRefused: () => undefined }),
    }),
  });
  const listener = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
  afterFile(() => listener.close());
  baseUrl = `http://127.0.0.1:${listener.port}`;
});

const call = async (
  method: string,
  path: string,
  apiKey: string | undefined,
  body?: unknown,
  headers: object = {},
) => {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
};

const keyOf = async (role: Role) => {
  const { workspaceId } = await createWorkspace(pool, 'test', 'growth');
  const key = await createKey(pool, { workspaceId, role, name: null });
  return key?.apiKey ?? '';
};

describe('an operation for workspace admins', () => {
  test.each([
    ['owner', 204],
    ['admin', 204],
    ['member', 403],
  ] as const)('a key with the role %s gets %i', async (role, status) => {
    const key = await keyOf(role);
    const answer = await call('POST', '/admins', key);
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.body).toMatchObject({
        error: 'This needs an API key with the role owner or admin',
        code: 'FORBIDDEN',
      });
    }
    expect((await call('GET', '/anyone', key)).status).toBe(204);
  });
});

test('a missing entitlement answers 403 FEATURE_NOT_ON_PLAN, naming the capability and the plans that have it', async () => {
  const growth = await createWorkspace(pool, 'test', 'growth');
  const business = await createWorkspace(pool, 'test', 'business');
  expect(await call('GET', '/menus', growth.apiKey)).toMatchObject({
    status: 403,
    body: { code: 'FEATURE_NOT_ON_PLAN', capability: 'menus', plans: ['business', 'enterprise'] },
  });
  expect((await call('GET', '/menus', business.apiKey)).status).toBe(204);
});

test('an operation that makes several things at once uses that much of the quota, all of it or none', async () => {
  const { apiKey } = await createWorkspace(pool, 'test', 'free');
  const rows = (count: number) => Array(count).fill('x');
  expect(await call('POST', '/bulk', apiKey, rows(200))).toMatchObject({ status: 202, body: { rows: 200 } });
  expect(await call('POST', '/bulk', apiKey, rows(51))).toMatchObject({
    status: 429,
    body: { capability: 'dynamicQr', limit: 250, used: 200 },
  });
  expect((await call('POST', '/bulk', apiKey, rows(50))).status).toBe(202);
  expect((await call('POST', '/bulk', apiKey, [])).status).toBe(202);
  expect((await call('POST', '/bulk', apiKey, rows(1))).status).toBe(429);
});

describe('an operation with a call limit', () => {
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);
  const bulk = async (apiKey: string | undefined, count: number) => {
    const answers = [];
    for (let n = 0; n < count; n++) answers.push(await call('POST', '/bulk', apiKey, []));
    return answers;
  };
  const policyOf = ({ headers }: { headers: Headers }) => headers.get('ratelimit-policy');

  test('counts calls by key for each subscription, with any key and from any address', async () => {
    const [one, other] = [
      await createWorkspace(pool, 'test', 'growth'),
      await createWorkspace(pool, 'test', 'growth'),
    ];
    const second = await createKey(pool, { workspaceId: one.workspaceId, role: 'member', name: null });
    const answers = await bulk(one.apiKey, 4);
    address = '203.0.113.10';
    answers.push(...(await bulk(second?.apiKey, 2)));
    expect(statuses(answers)).toEqual([202, 202, 202, 202, 202, 429]);
    expect(answers.map(policyOf)).toEqual(Array(6).fill('5;w=60'));
    expect(answers[3]?.headers.get('ratelimit')).toMatch(/^limit=5, remaining=1, reset=\d+$/);
    expect(answers[5]?.body).toMatchObject({
      error: expect.stringMatching(/^More than 5 bulk calls in a minute of one subscription; try again in /),
      code: 'RATE_LIMITED',
    });
    expect((await call('GET', '/anyone', one.apiKey)).status).toBe(204);
    // One server may serve many customers.
    expect(statuses(await bulk(other.apiKey, 6))).toEqual([202, 202, 202, 202, 202, 429]);
  });

  test('counts calls without a valid key by address', async () => {
    address = '203.0.113.11';
    const answers = [...(await bulk(undefined, 3)), ...(await bulk('wm_wrong', 3))];
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(answers.map(policyOf)).toEqual(Array(6).fill('5;w=60'));
    expect(answers[5]?.body.error).toMatch(
      /^More than 5 bulk calls in a minute from one address; try again in /,
    );
    const { apiKey } = await createWorkspace(pool, 'test', 'growth');
    expect(statuses(await bulk(apiKey, 1))).toEqual([202]);
  });

  test('counts up to the number that an operator has set for the subscription', async () => {
    const { workspaceId, apiKey } = await createWorkspace(pool, 'test', 'growth');
    await changeSubscription(pool, workspaceId, { limits: { bulkCallsPerMinute: 2 } });
    const answers = await bulk(apiKey, 3);
    expect(statuses(answers)).toEqual([202, 202, 429]);
    expect(answers.map(policyOf)).toEqual(Array(3).fill('2;w=60'));
  });
});

test('an operation that declares Idempotency-Key repeats its answer for the same key', async () => {
  const { apiKey } = await createWorkspace(pool, 'test', 'business');
  const mint = (headers?: object) => call('POST', '/mints', apiKey, undefined, headers);
  const first = await mint({ 'idempotency-key': 'batch 7' });
  expect(first).toMatchObject({ status: 202, body: { jobId: expect.any(String) } });
  expect((await mint({ 'idempotency-key': 'batch 7' })).body).toEqual(first.body);
  expect((await mint({ 'waymark-idempotency-key': 'batch 7' })).body).not.toEqual(first.body);
  expect((await mint()).body).not.toEqual(first.body);
});
