import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
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
])('%j prints the usage on standard error and exits 1', async (args) => {
  const outcome = await admin(args, { DATABASE_URL: databaseUrl });
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain('Usage:');
});
