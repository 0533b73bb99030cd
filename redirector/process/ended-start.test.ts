/** A redirector that never answered a scan has no line in the membership: no cap waits for it. */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile, temporaryFolder } from '../../deploy/testing/local.ts';
import { startTestRedis } from '../../deploy/testing/redis.ts';
import { forever } from '../instance/membership-script.ts';
import { createInstance, type Instance, patient } from '../testing/instance.ts';
import { logger } from '../testing/redirector.ts';

let instance: Instance;
let redis: Redis;

beforeAll(async () => {
  const { url } = await startTestRedis();
  redis = createRedis(url, { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  instance = await createInstance({ REDIS_URL: url });
});
beforeEach(() => redis.flushall());

/** Lines of the membership, without removed ones. */
const lines = async (): Promise<Record<string, string>> => {
  const { since, ...folders } = await redis.hgetall('redirectors');
  return Object.fromEntries(Object.entries(folders).filter(([, line]) => !line.endsWith(` ${forever} 0`)));
};

test.each([
  ['SIGTERM', '1', 0],
  ['SIGTERM', '2', 0],
  ['SIGINT', '2', 0],
  ['SIGKILL', '2', 'SIGKILL'],
] as const)('%s during the start of %s workers leaves nothing behind', async (signal, workers, exit) => {
  const redirector = instance.spawn({ REDIRECTOR_WORKERS: workers });
  await vi.waitFor(async () => expect(await redis.hget('redirectors', 'since')).not.toBe(null), {
    ...patient,
    interval: 10,
  });
  redirector.kill(signal);
  const exited = await redirector.exited;
  // On a busy machine the start takes longer than a stop may take.
  const isLate = redirector.log.some(({ msg }) => msg === 'did not close in time');
  expect(exited).toBe(isLate ? 1 : exit);
  // On a busy machine a kill may come too late, when a worker already serves.
  const served = redirector.log.some(({ msg }) => msg === 'redirector is listening');
  if (signal !== 'SIGKILL' || !served) expect(await lines()).toEqual({});
});

test.each(['1', '2'])(
  'a start of %s workers that fails because a port is taken leaves nothing behind',
  async (workers) => {
    const other = net.createServer().listen(Number(new URL(instance.url).port), '127.0.0.1');
    await once(other, 'listening');
    const redirector = instance.spawn({ REDIRECTOR_WORKERS: workers });
    expect(await redirector.exited).toBe(1);
    expect(await lines()).toEqual({});
    other.close();
  },
);

test.each(['1', '2'])(
  'a start of %s workers whose DATA_DIR cannot be used fails, and leaves nothing behind',
  async (workers) => {
    const dataDir = await temporaryFolder();
    fs.writeFileSync(path.join(dataDir, 'redirector'), 'not a folder');
    const redirector = instance.spawn({ REDIRECTOR_WORKERS: workers, DATA_DIR: dataDir });
    expect(await redirector.exited).toBe(1);
    expect(redirector.log.map(({ msg }) => msg)).toContain('failed to start');
    expect(await lines()).toEqual({});
  },
);
