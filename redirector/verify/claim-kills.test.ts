/** Kills processes and empties Redis while many phones scan few units. */
import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { startTestRedis } from '../../deploy/testing/redis.ts';
import { createInstance, patient, type RedirectorProcess } from '../testing/instance.ts';
import { logger } from '../testing/redirector.ts';
import { mintItem, type TestItem, verify } from '../testing/serialized-items.ts';

/** Scans until an answer has a verdict; a broken connection is an answer without one. */
const untilVerdict = async (url: string, item: TestItem, verdictsSeen: string[]): Promise<void> => {
  for (;;) {
    const answer = await verify(url, item, { connection: 'close' }).catch(() => undefined);
    if (answer?.body.verdict) return void verdictsSeen.push(answer.body.verdict);
    await sleep(50);
  }
};

const killWorker = async (redirector: RedirectorProcess): Promise<void> => {
  const [pid] = redirector.workers();
  process.kill(pid!, 'SIGKILL');
  await vi.waitFor(() => expect(redirector.workers()).not.toContain(pid), patient);
  await vi.waitFor(async () => expect(await redirector.complete()).toBe(true), patient);
};

test('no unit is authentic twice while processes are killed and Redis is emptied, and every answer is delivered', async () => {
  const { url: redisUrl } = await startTestRedis();
  const redis = createRedis(redisUrl, { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const instance = await createInstance({ REDIS_URL: redisUrl, REDIRECTOR_WORKERS: '2' });
  const redirector = await instance.start();
  const { serialized } = instance.controlPlane;
  await vi.waitFor(async () => expect(await redis.exists('serial:settled')).toBe(1), patient);

  const items = Array.from({ length: 100 }, () => mintItem(serialized));
  const verdictsSeen = new Map(items.map(({ id }) => [id, [] as string[]]));
  const scanner = async (): Promise<void> => {
    for (const item of items) await untilVerdict(instance.url, item, verdictsSeen.get(item.id)!);
  };
  const scanning = Promise.all(Array.from({ length: 4 }, scanner));
  await sleep(200);
  await killWorker(redirector);
  await redis.flushall();
  await killWorker(redirector);
  await scanning;

  for (const verdicts of verdictsSeen.values()) {
    expect(verdicts).toHaveLength(4);
    expect(verdicts.filter((verdict) => verdict === 'authentic').length).toBeLessThan(2);
  }
  await vi.waitFor(() => {
    for (const [id, verdicts] of verdictsSeen) {
      const events = serialized.events.filter(({ itemId }) => itemId === id);
      expect(events.filter(({ claimed }) => claimed)).toHaveLength(1);
      // A scan may be recorded although its answer was lost with its process.
      expect(events.length).toBeGreaterThanOrEqual(verdicts.length);
    }
  }, patient);
});

test('a claim in the folder of a dead process is waited for, even if Redis is emptied', async () => {
  const { url: redisUrl } = await startTestRedis();
  const redis = createRedis(redisUrl, { name: 'test', commandTimeoutMs: 2000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const environment = { REDIS_URL: redisUrl, REDIRECTOR_WORKERS: '1' };
  const survivor = await createInstance(environment);
  const { serialized, url: internalUrl } = survivor.controlPlane;
  const lost = await createInstance({ ...environment, CONTROL_PLANE_INTERNAL_URL: internalUrl });
  const [, killed] = await Promise.all([survivor.start(), lost.start()]);
  await vi.waitFor(async () => expect(await redis.exists('serial:settled')).toBe(1), patient);
  // `since`, and both processes.
  await vi.waitFor(async () => expect(await redis.hlen('verifiers')).toBe(3), patient);

  const [item, fresh] = [mintItem(serialized), mintItem(serialized)];
  serialized.takes = false;
  const verdictsSeen: string[] = [];
  await untilVerdict(lost.url, item, verdictsSeen);
  killed.kill('SIGKILL');
  await killed.exited;
  await fs.rename(lost.dataDir, `${lost.dataDir}.away`);
  serialized.takes = true;
  await redis.flushall();
  // Longer than an epoch takes to begin.
  const untilMs = Date.now() + 12_000;
  while (Date.now() < untilMs) {
    for (const each of [item, fresh]) expect((await verify(survivor.url, each)).status).toBe(503);
    await sleep(200);
  }
  await fs.rename(`${lost.dataDir}.away`, lost.dataDir);
  await lost.start();
  await untilVerdict(survivor.url, item, verdictsSeen);
  await untilVerdict(survivor.url, fresh, verdictsSeen);
  expect(verdictsSeen).toEqual(['authentic', 'already_scanned', 'authentic']);
});
