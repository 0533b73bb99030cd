/** The control plane's process, when it is stopped and replaced. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { internalToken } from '#shared/signing.ts';
import { afterFile, createTestClickHouse, createTestDatabase } from '../deploy/testing/index.ts';
import { canMigrate, setMigration } from '../deploy/testing/listener-migration.ts';
import { changeSubscription, createWorkspace } from './features/tenancy/store.ts';
import { createPool } from './platform/db/pool.ts';
import { secretKey } from './testing/control-plane.ts';
import { type PlaneProcess, startPlaneProcess } from './testing/plane-process.ts';

test('when stopped, it first becomes not ready, keeps serving and closes connections with their answers, then stops listening', async () => {
  const plane = await startPlaneProcess('control-plane/main.ts', { SHUTDOWN_GRACE_S: '12' });
  const agent = new Agent({ connections: 1 });
  afterFile(() => agent.destroy());
  const get = async (url: string) => {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent });
    await body.dump();
    return { statusCode, connection: headers.connection };
  };
  const api = `${plane.url}/openapi.json`;
  await plane.ready();
  expect(await get(api)).toEqual({ statusCode: 200, connection: 'keep-alive' });
  plane.child.kill('SIGTERM');
  await expect.poll(plane.readiness, { interval: 10 }).toBe(503);
  expect(await get(api)).toEqual({ statusCode: 200, connection: 'close' });
  expect(await plane.exited).toEqual([0, null]);
  await expect(get(api)).rejects.toThrow('ECONNREFUSED');
}, 120_000);

interface Caller {
  answered: number;
  failures: string[];
  /** Resolves once this many more are answered. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Calls one after another, over kept and over new connections. A kept one is used all the time: an idle one would be
 * closed at the end of the grace period, perhaps with the next call on its way.
 */
const callAlways = (send: (agent: Agent) => Promise<number>, expected: number): Caller => {
  const state = { answered: 0, failures: [] as string[] };
  let stopping = false;
  const loop = async (newConnections: boolean) => {
    const agent = new Agent({ connections: 1, pipelining: newConnections ? 0 : 1 });
    while (!stopping) {
      const status = await send(agent).catch((error: Error) => `${error.message} (new: ${newConnections})`);
      if (status === expected) state.answered++;
      else state.failures.push(String(status));
      await sleep(2);
    }
    await agent.destroy();
  };
  const loops = [false, false, true].map(loop);
  return Object.assign(state, {
    async more(count: number) {
      const until = state.answered + count;
      await expect.poll(() => state.answered, { timeout: 60_000 }).toBeGreaterThan(until);
    },
    async stop() {
      stopping = true;
      await Promise.all(loops);
    },
  });
};

/** If two share a port, either may answer. */
const untilAnswers = ({ internalUrl, child }: PlaneProcess) =>
  expect
    .poll(
      async () => {
        const answer = await fetch(`${internalUrl}/health/ready`, { headers: { connection: 'close' } });
        const { pid } = (await answer.json()) as { pid: number };
        return answer.status === 200 && pid;
      },
      { timeout: 90_000, interval: 20 },
    )
    .toBe(child.pid);

test.skipIf(!canMigrate())(
  'replaced twice on its ports by a new process, it loses no call and no lookup of a redirector (skipped only if net.ipv4.tcp_migrate_req cannot be set)',
  async () => {
    setMigration();
    const environment = {
      DATABASE_URL: await createTestDatabase(),
      CLICKHOUSE_URL: await createTestClickHouse(),
      SHUTDOWN_GRACE_S: '8',
    };
    const pool = createPool(environment.DATABASE_URL, 'test', createLogger('test', 'silent'), 2);
    afterFile(() => pool.end());
    const { workspaceId, apiKey } = await createWorkspace(pool, 'test', 'enterprise');
    await changeSubscription(pool, workspaceId, { limits: { requestsPerSecond: 1_000_000 } });
    const first = await startPlaneProcess('control-plane/main.ts', environment);
    await first.ready();
    const ports = {
      CONTROL_PLANE_PORT: new URL(first.url).port,
      CONTROL_PLANE_INTERNAL_PORT: new URL(first.internalUrl).port,
    };
    const statusOf = async (
      agent: Agent,
      url: string,
      options: { method: 'GET' | 'POST'; key: string; body?: string },
    ) => {
      const { method, key, body } = options;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await request(url, { dispatcher: agent, method, headers, body: body ?? null });
      await answer.body.dump();
      return answer.statusCode;
    };
    const api = `${first.url}/api/qr/codes`;
    const body = JSON.stringify({ data: 'https://example.com/' });
    const calls = callAlways((agent) => statusOf(agent, api, { method: 'POST', key: apiKey, body }), 201);
    const record = `${first.internalUrl}/internal/domains/ask?domain=unknown.example`;
    const token = internalToken(secretKey);
    const lookups = callAlways((agent) => statusOf(agent, record, { method: 'GET', key: token }), 404);
    let old = first;
    for (let round = 0; round < 2; round++) {
      await calls.more(20);
      const next = await startPlaneProcess('control-plane/main.ts', { ...environment, ...ports });
      await untilAnswers(next);
      old.child.kill('SIGTERM');
      expect(await old.exited).toEqual([0, null]);
      await calls.more(20);
      await lookups.more(20);
      old = next;
    }
    await Promise.all([calls.stop(), lookups.stop()]);
    expect([calls.failures, lookups.failures]).toEqual([[], []]);
    const { rows } = await pool.query('SELECT count(*)::int AS codes FROM codes');
    expect(rows[0].codes).toBe(calls.answered);
  },
  300_000,
);

test('two that share their ports and are both told to stop are not ready while they serve on', async () => {
  const environment = {
    DATABASE_URL: await createTestDatabase(),
    CLICKHOUSE_URL: await createTestClickHouse(),
    SHUTDOWN_GRACE_S: '10',
  };
  const first = await startPlaneProcess('control-plane/main.ts', environment);
  await first.ready();
  const second = await startPlaneProcess('control-plane/main.ts', {
    ...environment,
    CONTROL_PLANE_PORT: new URL(first.url).port,
    CONTROL_PLANE_INTERNAL_PORT: new URL(first.internalUrl).port,
  });
  await untilAnswers(second);
  for (const { child } of [first, second]) child.kill('SIGTERM');
  const seen = new Map<number, number>();
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${first.internalUrl}/health/ready`, { headers: { connection: 'close' } });
        const { pid } = (await answer.json()) as { pid: number };
        return seen.set(pid, answer.status);
      },
      { interval: 20 },
    )
    .toEqual(new Map([first, second].map(({ child }) => [child.pid, 503])));
  expect([await first.exited, await second.exited]).toEqual([
    [0, null],
    [0, null],
  ]);
}, 120_000);

test('a start on the ports of an installation with another SECRET_KEY fails, and takes none of its calls', async () => {
  const first = await startPlaneProcess();
  await first.ready();
  const other = await startPlaneProcess('control-plane/main.ts', {
    CONTROL_PLANE_PORT: new URL(first.url).port,
    CONTROL_PLANE_INTERNAL_PORT: new URL(first.internalUrl).port,
    SECRET_KEY: 'the key of another installation, long enough',
  });
  expect(await other.exited).toEqual([1, null]);
  expect(await other.lastWords()).toContain('EADDRINUSE');
  expect(await first.readiness()).toBe(200);
}, 120_000);
