import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { variableNames } from '../config.ts';
import { misspeltVariables } from './misspelt.ts';

const warningsOf = (env: Record<string, string>): string[] => misspeltVariables(env, variableNames);

test.each([
  ['RECORDS_STALE_MAX_S', 'RECORD_STALE_MAX_S'],
  ['TLS_CRT', 'TLS_CERT'],
  ['REDIRECTOR_WORKER', 'REDIRECTOR_WORKERS'],
  ['SPOOL_SNYC', 'SPOOL_SYNC'],
  ['CLICKHOUSE_ULR', 'CLICKHOUSE_URL'],
  ['CONTROLPLANE_PORT', 'CONTROL_PLANE_PORT'],
])('%s is warned of with the variable that is meant, and without its value', (name, meant) => {
  expect(warningsOf({ [name]: 'hunter2' })).toEqual([
    `${name} is not a Waymark setting and is ignored: did you mean ${meant}?`,
  ]);
});

test('unrelated variables are not warned about, nor are empty ones', () => {
  const others = [
    'HOME',
    'PORT',
    'HOSTNAME',
    'REDIS_PORT',
    'TLS_VERSION',
    'NODE_ENV',
    'PATH',
    'SHELL',
    'X'.repeat(10_000),
  ];
  expect(warningsOf(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  expect(warningsOf({ TLS_CRT: '' })).toEqual([]);
});

test('no setting is warned about', () => {
  expect(warningsOf(Object.fromEntries(variableNames.map((name) => [name, 'x'])))).toEqual([]);
});

test('a starting process logs the warning', () => {
  const program = `
    import { runProcess } from '#shared/lifecycle.ts';
    await runProcess('plane', async () => process.exit(0));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
    env: {
      DATABASE_URL: 'postgres://localhost/waymark',
      REDIS_URL: 'redis://localhost',
      CLICKHOUSE_URL: 'http://localhost/waymark',
      SECRET_KEY: 'a secret that is long enough for it',
      TLS_CRT: 'hunter2',
    },
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('TLS_CRT is not a Waymark setting and is ignored: did you mean TLS_CERT?');
  expect(stdout).not.toContain('hunter2');
});
