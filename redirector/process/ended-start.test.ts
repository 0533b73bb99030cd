/** A redirector that never answered a scan has no line in the membership: no cap waits for it. */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../deploy/testing/index.ts';
import { startTestRedis } from '../../deploy/testing/redis.ts';
import { createInstance, type Instance } from '../testing/instance.ts';
import { logger } from '../testing/redirector.ts';

let instance: Instance;
let redis: Redis;

beforeEach(async () => {
  const { url } = await startTestRedis();
  redis = createRedis(url, { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  instance = await createInstance({ REDIS_URL: url });
});

/** Fields of the membership but the one that says when it was begun. */
const lines = async (): Promise<Record<string, string>> => {
  const { since, ...folders } = await redis.hgetall('redirectors');
  return folders;
};

test.each([
  ['SIGTERM', '1', 0],
  ['SIGTERM', '2', 0],
  ['SIGINT', '2', 0],
  ['SIGKILL', '2', 'SIGKILL'],
] as const)(
  '%s during the start of %s workers leaves nothing behind',
  async (signal, workers, exit) => {
    const redirector = instance.spawn({ REDIRECTOR_WORKERS: workers });
    await vi.waitFor(async () => expect(await redis.hget('redirectors', 'since')).not.toBe(null), {
      timeout: 30_000,
      interval: 10,
    });
    redirector.kill(signal);
    expect(await redirector.exited).toBe(exit);
    // On a busy machine a kill may come too late, when a worker serves already.
    const served = redirector.log.some(({ msg }) => msg === 'redirector is listening');
    if (signal !== 'SIGKILL' || !served) expect(await lines()).toEqual({});
  },
  60_000,
);

test.each(['1', '2'])(
  'a start of %s workers that fails at a taken port leaves nothing behind',
  async (workers) => {
    const other = net.createServer().listen(Number(new URL(instance.url).port), '127.0.0.1');
    const redirector = instance.spawn({ REDIRECTOR_WORKERS: workers });
    expect(await redirector.exited).toBe(1);
    expect(await lines()).toEqual({});
    other.close();
  },
  60_000,
);

test.each(['1', '2'])(
  'a start of %s workers whose DATA_DIR cannot be used fails, and leaves nothing behind',
  async (workers) => {
    fs.writeFileSync(path.join(instance.dataDir, 'redirector'), 'not a folder');
    const redirector = instance.spawn({ REDIRECTOR_WORKERS: workers });
    expect(await redirector.exited).toBe(1);
    expect(redirector.log.map(({ msg }) => msg)).toContain('failed to start');
    expect(await lines()).toEqual({});
  },
  60_000,
);
