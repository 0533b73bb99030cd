import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseRecord, recordKey } from '#schemas/code-record.ts';
import { createLogger } from '#shared/logger.ts';
import { writeRunningEnvironment } from '#shared/running-environment.ts';
import { queryOnce } from '../deploy/embedded/parts/postgres/postgres.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  databaseAdminUrl,
  temporaryFolder,
} from '../deploy/testing/index.ts';
import { callAdmin } from './admin/call.ts';
import { hashKey } from './api/access/authentication.ts';
import { features } from './app.ts';
import { findPrincipals } from './features/tenancy/store.ts';
import { consumersOf, verbsOf } from './framework/feature.ts';
import { createOutbox } from './framework/outbox.ts';
import { createPool, type Pool } from './platform/db/pool.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from './testing/control-plane.ts';

const program = fileURLToPath(new URL('./admin.ts', import.meta.url));

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

type Admin = (args: string[], env: Record<string, string>) => Promise<Outcome>;

/** As an operator runs it: in its own process, which takes a second to start. */
const adminProcess: Admin = async (args, env) => {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Outcome;
  }
};

const featureVerbs = { verbs: verbsOf(features), outbox: createOutbox(consumersOf(features)) };

/** Everything that the process does, in this process. */
const admin: Admin = async (args, environment) => {
  const outcome = { code: 0, stdout: '', stderr: '' };
  outcome.code = await callAdmin(args, featureVerbs, {
    environment,
    say: (line) => {
      outcome.stdout += `${line}\n`;
    },
    async send(file) {
      for await (const text of file) outcome.stdout += text;
    },
    complain: (line) => {
      outcome.stderr += `${line}\n`;
    },
  });
  return outcome;
};

const findPrincipal = async (pool: Pool, apiKey: string) =>
  (await findPrincipals(pool, [hashKey(apiKey)])).get(hashKey(apiKey));

let databaseUrl: string;
let nothingRuns: string;

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  nothingRuns = await temporaryFolder();
});

describe('create-workspace', () => {
  const args = ['create-workspace', '--name', 'acme', '--plan', 'growth'];

  const expectWorkspace = async (outcome: Outcome) => {
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(
      /^\{"workspaceId":"ws_\w+","subscriptionId":"sub_\w+","apiKey":"wm_\w+"\}\n$/,
    );
    const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 1);
    afterFile(() => pool.end());
    const { workspaceId, subscriptionId, apiKey } = JSON.parse(outcome.stdout);
    expect(await findPrincipal(pool, apiKey)).toMatchObject({ workspaceId, subscriptionId });
  };

  test('prints one JSON line with a key that works', async () => {
    await expectWorkspace(await adminProcess(args, { DATABASE_URL: databaseUrl }));
  });

  test('without DATABASE_URL it uses the instance that runs in DATA_DIR', async () => {
    const DATA_DIR = await temporaryFolder();
    writeRunningEnvironment(DATA_DIR, { DATABASE_URL: databaseUrl });
    await expectWorkspace(await admin(args, { DATA_DIR }));
  });

  test('if none runs it says what to do, in one line', async () => {
    const outcome = await adminProcess(args, { DATA_DIR: nothingRuns });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^.*npm start.*DATABASE_URL\n$/);
  });

  test('a database that does not answer is named', async () => {
    const outcome = await admin(args, { DATABASE_URL: 'postgres://127.0.0.1:1/waymark' });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^PostgreSQL does not answer: .*ECONNREFUSED.*\n$/);
  });
});

test('migrate applies new migrations to both databases, and then nothing', async () => {
  const env = { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: await createTestClickHouse() };
  expect(lines(await admin(['migrate'], env))).toEqual([
    { database: 'postgres', migrationsApplied: 0 },
    { database: 'clickhouse', migrationsApplied: 0 },
  ]);
  const empty = new URL(databaseAdminUrl());
  empty.pathname = `/test_${randomUUID().replaceAll('-', '')}`;
  await queryOnce(databaseAdminUrl(), `CREATE DATABASE ${empty.pathname.slice(1)}`, [], 60_000);
  afterFile(() => queryOnce(databaseAdminUrl(), `DROP DATABASE ${empty.pathname.slice(1)} WITH (FORCE)`));
  const other = { ...env, DATABASE_URL: empty.href };
  const printed = lines(await admin(['migrate', '--only', 'postgres'], other));
  const applied = printed.filter((line) => typeof line.applied === 'string').length;
  expect(printed).toHaveLength(applied + 1);
  expect(applied).toBeGreaterThan(0);
  expect(printed.at(-1)).toEqual({ database: 'postgres', migrationsApplied: applied });
});

const lines = (outcome: Outcome): Record<string, unknown>[] => {
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return outcome.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

describe('verbs for workspaces, keys, plans and codes', () => {
  let plane: TestControlPlane;
  let own: Workspace;
  const environment = () => ({ DATABASE_URL: plane.databaseUrl, CLICKHOUSE_URL: plane.clickhouseUrl });
  const run = (...args: string[]) => admin(args, environment());

  beforeAll(async () => {
    plane = await startTestControlPlane();
    own = await plane.workspace();
  });

  test('a key is created, listed by its prefix, and revoked: by notification, it stops working at once', async () => {
    const made = await run(
      'create-key',
      '--workspace',
      own.workspaceId,
      '--role',
      'member',
      '--name',
      'till',
    );
    const [{ keyId, apiKey } = {}] = lines(made);
    const call = plane.callWith(String(apiKey));
    expect((await call('GET', '/api/qr/codes')).status).toBe(200);
    expect(lines(await run('list-keys', '--workspace', own.workspaceId))).toMatchObject([
      { role: 'owner', revokedAt: null },
      {
        keyId,
        role: 'member',
        name: 'till',
        prefix: String(apiKey).slice(0, 7),
        scopes: [],
        revokedAt: null,
      },
    ]);
    expect(lines(await run('revoke-key', '--key', String(keyId)))).toMatchObject([{ keyId }]);
    // The key itself is read again only after 10 s.
    const statusOf = async () => (await call('GET', '/api/qr/codes')).status;
    await expect.poll(statusOf, { timeout: 8_000 }).toBe(401);
  });

  test('a plan is changed, a quota set and reset, and the workspace listed with both', async () => {
    const { workspaceId } = await plane.workspace({ limits: { dynamicQr: 3 } });
    const set = (capability: string, limit: string) =>
      run('set-quota', '--workspace', workspaceId, '--capability', capability, '--limit', limit);
    await run('change-plan', '--workspace', workspaceId, '--plan', 'business', '--status', 'past_due');
    await set('requestsPerSecond', '70');
    await set('bulkCallsPerMinute', '20');
    await set('exportsPerHour', 'plan');
    const [changed] = lines(await set('apiCalls', 'none'));
    const rates = { requestsPerSecond: 70, bulkCallsPerMinute: 20, exportsPerHour: 3 };
    const limits = { ...rates, dynamicQr: 3, apiCalls: null, bulkOrders: 500 };
    expect(changed).toMatchObject({ plan: 'business', status: 'past_due', limits });
    await set('dynamicQr', 'plan');
    const listed = lines(await run('list-workspaces')).find((line) => line.workspaceId === workspaceId);
    expect(listed).toMatchObject({
      plan: 'business',
      limits: { ...rates, apiCalls: null, dynamicQr: 500_000, bulkOrders: 500 },
      overridden: ['requestsPerSecond', 'bulkCallsPerMinute', 'apiCalls'],
      keys: 1,
    });
  });

  const codeOf = async (id: string) => (await own.call('GET', `/api/qr/codes/${id}`)).body;
  const remove = async (id: string) => (await own.call('DELETE', `/api/qr/codes/${id}`)).status;
  const rename = async (id: string) => (await own.call('PUT', `/api/qr/codes/${id}`, { name: 'x' })).status;

  test('a locked code refuses PUT and not DELETE; unlocked, it refuses neither', async () => {
    const { id } = await own.createCode();
    expect(lines(await run('lock-code', '--code', id))).toEqual([
      { id, complianceLocked: true, legalHold: false },
    ]);
    expect([await rename(id), await remove(id)]).toEqual([409, 200]);
    expect(await codeOf(id)).toMatchObject({ status: 'inactive' });
    expect(lines(await run('unlock-code', '--code', id))).toEqual([
      { id, complianceLocked: false, legalHold: false },
    ]);
    expect(await rename(id)).toBe(200);
  });

  test('a code in legal hold refuses PUT and DELETE, even when it is locked again without --legal-hold', async () => {
    const { id } = await own.createCode();
    const held = [{ id, complianceLocked: true, legalHold: true }];
    expect(lines(await run('lock-code', '--code', id, '--legal-hold'))).toEqual(held);
    expect(lines(await run('lock-code', '--code', id))).toEqual(held);
    const refused = await own.call('DELETE', `/api/qr/codes/${id}`);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: 'This code is in legal hold and cannot be deactivated', code: 'CONFLICT' },
    ]);
    expect([await rename(id), await codeOf(id)]).toEqual([
      409,
      expect.objectContaining({ status: 'active' }),
    ]);
    await run('unlock-code', '--code', id);
    expect([await rename(id), await remove(id)]).toEqual([200, 200]);
  });

  test('activate-code restores deleted codes that PUT cannot: encrypted and locked ones', async () => {
    const encryption = { type: 'AES', key: 'correct horse' };
    const encrypted = await own.createCode({ secure: ['encrypt'], encryption });
    const locked = await own.createCode();
    await run('lock-code', '--code', locked.id);
    for (const { id } of [encrypted, locked]) {
      expect(await remove(id)).toBe(200);
      expect((await own.call('PUT', `/api/qr/codes/${id}`, { status: 'active' })).status).toBe(409);
      expect(lines(await run('activate-code', '--code', id))).toEqual([{ id, status: 'active' }]);
      expect(await codeOf(id)).toMatchObject({ status: 'active' });
      // A second time: nothing changes.
      const version = async () =>
        (await plane.pool.query('SELECT version FROM codes WHERE id = $1', [id])).rows;
      const before = await version();
      expect(lines(await run('activate-code', '--code', id))).toEqual([{ id, status: 'active' }]);
      expect(await version()).toEqual(before);
    }
    expect((await own.call('PUT', `/api/qr/codes/${locked.id}`, { name: 'x' })).status).toBe(409);
  });

  test('redirectors learn of an activated code without a further call', async () => {
    const { id } = await own.createCode();
    await remove(id);
    const redis = new Redis(plane.redisUrl);
    afterFile(() => redis.disconnect());
    const isActive = async () => {
      const record = await redis.get(recordKey(id));
      return record === null ? undefined : parseRecord(record).active;
    };
    await expect.poll(isActive).toBe(false);
    await run('activate-code', '--code', id);
    await expect.poll(isActive).toBe(true);
  });

  test('status shows what is waiting, missing and running', async () => {
    // Changes are published a moment later.
    await expect
      .poll(async () => lines(await run('status')))
      .toMatchObject([
        { part: 'migrations', postgres: [], clickhouse: [] },
        { part: 'jobs', waiting: expect.any(Number) },
        { part: 'outbox', waiting: 0, oldestSeconds: null },
        { part: 'idempotentAnswers', kept: 0 },
        { part: 'controlPlane' },
        { part: 'redirector' },
      ]);
  });

  test.each([
    ['revoke-key', '--key', 'key_none'],
    ['list-keys', '--workspace', 'ws_none'],
    ['change-plan', '--workspace', 'ws_none', '--plan', 'free'],
    ['lock-code', '--code', '111111111'],
    ['activate-code', '--code', '111111111'],
  ])('%s says in one line that there is no such thing', async (...args) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^There is no .*\n$/);
    expect(outcome.stderr).toContain(args[2]);
  });

  test('retry-outbox says how many changes it retries, even for zero', async () => {
    expect(lines(await run('retry-outbox'))).toEqual([{ retried: 0 }]);
    const { id } = await own.createCode();
    await plane.pool.query(
      `INSERT INTO unpublished (kind, id, version, state, problem) VALUES ('code', $1, 1, 'set_aside', 'too large')
       ON CONFLICT (kind, id) DO UPDATE SET state = 'set_aside', problem = 'too large'`,
      [id],
    );
    expect(lines(await run('retry-outbox'))).toEqual([{ id }, { retried: 1 }]);
  });

  test.each([
    ['create-key', '--help'],
    ['help', 'create-key'],
    ['create-key', '--workspace', 'ws_1', '-h'],
  ])('%s %s prints the usage of that verb alone', async (...args) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^Usage:\n {2}npm run --silent admin -- create-key --workspace <id> /);
    expect(outcome.stdout.match(/admin -- /g)).toHaveLength(1);
  });

  test('--help prints every verb', async () => {
    const outcome = await run('--help');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    for (const verb of ['migrate', 'status', 'create-key', 'set-quota', 'unlock-code', 'activate-code']) {
      expect(outcome.stdout).toContain(`admin -- ${verb}`);
    }
  });
});

const verbsAre = /^(A verb is required|"\w+" is not a verb); verbs are migrate, status, create-workspace, /;

test('a wrong command line is reported only on standard error, and exits 2', async () => {
  expect(await adminProcess(['frobnicate'], {})).toEqual(
    expect.objectContaining({ code: 2, stdout: '', stderr: expect.stringMatching(verbsAre) }),
  );
});

test.each<[args: string[], message: RegExp | string]>([
  [[], verbsAre],
  [['frobnicate'], verbsAre],
  [['constructor'], verbsAre],
  [['create-workspace'], '--name is required'],
  [['create-workspace', '--name', 'acme'], /^--plan must be one of free, .*; it is missing$/],
  [['create-workspace', '--plan', 'growth'], '--name is required'],
  [['create-workspace', '--name', ' ', '--plan', 'growth'], '--name is required and must not be blank'],
  [
    ['create-workspace', '--name', 'acme', '--plan', 'gold'],
    /^--plan must be one of free, .*; given: "gold"$/,
  ],
  [
    ['create-workspace', '--name', 'acme', '--plan', 'growth', '--nmae', 'x'],
    '--nmae is not a flag of create-workspace; create-workspace takes --name, --plan',
  ],
  [
    ['create-workspace', 'acme', '--plan', 'growth'],
    'create-workspace takes its values after flags, and "acme" is after none; create-workspace takes --name, --plan',
  ],
  [['create-workspace', '--name'], /^--name needs a value; /],
  [['create-workspace', '--name', 'help'], /^--plan must be one of/],
  [['migrate', '--force'], '--force is not a flag of migrate; migrate takes --only'],
  [
    ['change-plan', '--workspace', 'ws_1'],
    'change-plan needs --plan, --status or both: there is nothing to change',
  ],
  [
    ['change-plan', '--workspace', 'ws_1', '--plan', 'gold', '--status', 'active'],
    /^--plan must be one of free, .*; given: "gold"$/,
  ],
  [
    ['set-quota', '--workspace', 'ws_1', '--capability', 'dynamicQr', '--limit', '-1'],
    '--limit needs a value; one that begins with a hyphen is written as --limit=<value>',
  ],
  [
    ['set-quota', '--workspace', 'ws_1', '--capability', 'requestsPerSecond', '--limit', 'none'],
    '--limit must be a whole number for requestsPerSecond, at least 1, or plan; given: "none"',
  ],
])('%j is told what is wrong and the usage of its verb, and exits 2', async (args, message) => {
  const outcome = await admin(args, { DATABASE_URL: databaseUrl });
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  const [first = '', blank, usage, synopsis = ''] = outcome.stderr.split('\n');
  expect(first).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
  expect([blank, usage]).toEqual(['', 'Usage:']);
  expect(synopsis).toContain(`admin -- ${message === verbsAre ? '<verb>' : args[0]}`);
  expect(outcome.stderr.match(/admin -- /g)).toHaveLength(1);
});
