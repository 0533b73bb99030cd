import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { writeInstance } from '#shared/instance.ts';
import { createLogger } from '#shared/logger.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  temporaryFolder,
} from '../deploy/testing/index.ts';
import { createPool, type Pool } from './db/pool.ts';
import { findPrincipals } from './features/tenancy/store.ts';
import { hashKey } from './http/auth.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from './testing.ts';

// Each test starts processes.
vi.setConfig({ testTimeout: 30_000 });

const program = fileURLToPath(new URL('./admin.ts', import.meta.url));

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const admin = async (args: string[], env: Record<string, string>): Promise<Outcome> => {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Outcome;
  }
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
    await expectWorkspace(await admin(args, { DATABASE_URL: databaseUrl }));
  });

  test('without DATABASE_URL it means the instance that runs in DATA_DIR', async () => {
    const DATA_DIR = await temporaryFolder();
    writeInstance(DATA_DIR, { DATABASE_URL: databaseUrl });
    await expectWorkspace(await admin(args, { DATA_DIR }));
  });

  test('where none runs it says what to do, in one line', async () => {
    const outcome = await admin(args, { DATA_DIR: nothingRuns });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^.*npm start.*DATABASE_URL\n$/);
  });

  test('a database that does not answer is named', async () => {
    const outcome = await admin(args, { DATABASE_URL: 'postgres://127.0.0.1:1/waymark' });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^PostgreSQL does not answer: .*ECONNREFUSED.*\n$/);
  });
});

test('migrate applies what is new to both databases, and then nothing', async () => {
  const env = { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: await createTestClickHouse() };
  expect(await admin(['migrate'], env)).toMatchObject({ code: 0, stdout: '', stderr: '' });
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
  const run = (...args: string[]) =>
    admin(args, { DATABASE_URL: plane.databaseUrl, CLICKHOUSE_URL: plane.clickhouseUrl });

  beforeAll(async () => {
    plane = await startTestControlPlane();
    own = await plane.workspace();
  });

  test('a key is made, listed by its prefix, and revoked: within a second it opens nothing', async () => {
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
    await vi.waitFor(async () => expect((await call('GET', '/api/qr/codes')).status).toBe(401), {
      timeout: 1_000,
    });
  });

  test('a plan is changed, a quota set and reset, and the workspace listed with both', async () => {
    const { workspaceId } = await plane.workspace({ limits: { dynamicQr: 3 } });
    const set = (capability: string, limit: string) =>
      run('set-quota', '--workspace', workspaceId, '--capability', capability, '--limit', limit);
    await run('change-plan', '--workspace', workspaceId, '--plan', 'business', '--status', 'past_due');
    await set('requestsPerSecond', '70');
    const [changed] = lines(await set('apiCalls', 'none'));
    const limits = { dynamicQr: 3, requestsPerSecond: 70, apiCalls: null };
    expect(changed).toMatchObject({ plan: 'business', status: 'past_due', limits });
    await set('dynamicQr', 'plan');
    const listed = lines(await run('list-workspaces')).find((line) => line.workspaceId === workspaceId);
    expect(listed).toMatchObject({
      plan: 'business',
      limits: { requestsPerSecond: 70, apiCalls: null },
      keys: 1,
    });
    expect(Object.keys(listed?.limits as object)).not.toContain('dynamicQr');
  });

  test('a code is locked against changes, and unlocked', async () => {
    const code = await own.createCode();
    const rename = async () => (await own.call('PUT', `/api/qr/codes/${code.id}`, { name: 'x' })).status;
    expect(lines(await run('lock-code', '--code', code.id))).toEqual([
      { id: code.id, complianceLocked: true },
    ]);
    expect(await rename()).toBe(409);
    await run('unlock-code', '--code', code.id);
    expect(await rename()).toBe(200);
  });

  test('status says what waits, what is missing and what runs', async () => {
    const parts = lines(await run('status'));
    expect(parts).toMatchObject([
      { part: 'migrations', postgres: [], clickhouse: [] },
      { part: 'jobs', waiting: expect.any(Number) },
      { part: 'outbox', waiting: 0, oldestSeconds: null },
      { part: 'idempotentAnswers', kept: 0 },
      { part: 'controlPlane' },
      { part: 'redirector' },
    ]);
  });

  test.concurrent.each([
    ['revoke-key', '--key', 'key_none'],
    ['change-plan', '--workspace', 'ws_none', '--plan', 'free'],
    ['lock-code', '--code', '111111111'],
  ])('%s says in one line that there is no such thing', async (...args) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^There is no .*\n$/);
  });

  test('--help prints every verb', async () => {
    const outcome = await run('--help');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    for (const verb of ['migrate', 'status', 'create-key', 'set-quota', 'unlock-code']) {
      expect(outcome.stdout).toContain(`admin -- ${verb}`);
    }
  });
});

test.concurrent.each([
  [[]],
  [['frobnicate']],
  [['constructor']],
  [['create-workspace']],
  [['create-workspace', '--name', 'acme']],
  [['create-workspace', '--plan', 'growth']],
  [['create-workspace', '--name', ' ', '--plan', 'growth']],
  [['create-workspace', '--name', 'acme', '--plan', 'gold']],
  [['create-workspace', '--name', 'acme', '--plan', 'growth', '--nmae', 'x']],
  [['create-workspace', 'acme', '--plan', 'growth']],
  [['migrate', '--force']],
  [['change-plan', '--workspace', 'ws_1']],
  [['set-quota', '--workspace', 'ws_1', '--capability', 'dynamicQr', '--limit', '-1']],
  [['set-quota', '--workspace', 'ws_1', '--capability', 'requestsPerSecond', '--limit', 'none']],
])('%j prints the usage on standard error and exits 1', async (args) => {
  const outcome = await admin(args, { DATABASE_URL: databaseUrl });
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain('Usage:');
});
