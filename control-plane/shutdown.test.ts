/** The control plane's process, told to stop. */
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { afterFile } from '../deploy/testing/index.ts';
import { startPlaneProcess } from './testing/plane-process.ts';

test('told to stop, it is not ready first, serves on and closes connections with their answers, then stops listening', async () => {
  const plane = await startPlaneProcess('control-plane/main.ts', { SHUTDOWN_GRACE_S: '5' });
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
