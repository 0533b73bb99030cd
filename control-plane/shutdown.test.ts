/** The control plane's process, told to stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Agent, request } from 'undici';
import { expect, test, vi } from 'vitest';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  freePort,
  redisUrl,
  temporaryFolder,
} from '../deploy/testing/index.ts';

const until = (assertion: () => Promise<unknown>) => vi.waitFor(assertion, { timeout: 30_000 });

test('told to stop, it is not ready first, serves on and closes connections with their answers, then stops listening', async () => {
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['control-plane/main.ts'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      DATA_DIR: await temporaryFolder(),
      HOST: '127.0.0.1',
      CONTROL_PLANE_PORT: String(port),
      CONTROL_PLANE_INTERNAL_PORT: String(internalPort),
      DATABASE_URL: await createTestDatabase(),
      REDIS_URL: redisUrl(),
      CLICKHOUSE_URL: await createTestClickHouse(),
      SECRET_KEY: 'a secret of tests, at least 32 characters long',
      SHUTDOWN_GRACE_S: '3',
    },
  });
  afterFile(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const agent = new Agent({ connections: 1 });
  afterFile(() => agent.destroy());
  const get = async (url: string) => {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent });
    await body.dump();
    return { statusCode, connection: headers.connection };
  };
  const ready = async () =>
    (await request(`http://127.0.0.1:${internalPort}/health/ready`).catch(() => undefined))?.statusCode;
  const api = `http://127.0.0.1:${port}/openapi.json`;
  await until(async () => expect(await ready()).toBe(200));
  expect(await get(api)).toEqual({ statusCode: 200, connection: 'keep-alive' });
  child.kill('SIGTERM');
  await until(async () => expect(await ready()).toBe(503));
  expect(await get(api)).toEqual({ statusCode: 200, connection: 'close' });
  expect(await exited).toEqual([0, null]);
  await expect(get(api)).rejects.toThrow('ECONNREFUSED');
}, 60_000);
