/** A small chaos test: the whole one is `npm run loadtest -- claims`. */
import { expect, test } from 'vitest';
import { createCloser } from '#shared/lifecycle.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  temporaryFolder,
} from '../../deploy/testing/index.ts';
import { runChaos } from './chaos.ts';
import { faultsOf, startPlanes } from './index.ts';
import { startKillableRedis } from './killable-redis.ts';
import { mintUnits } from './units.ts';

test('scanners, a Redis that loses everything and a killed redirector: no unit has two first scans, and what is counted was answered', async () => {
  const closer = createCloser();
  afterFile(() => closer.close());
  const home = await temporaryFolder();
  const redis = await startKillableRedis(home);
  closer.add(() => redis.stop());
  const [databaseUrl, clickhouseUrl] = [await createTestDatabase(), await createTestClickHouse()];
  const databases = { databaseUrl, clickhouseUrl, redisUrl: redis.url };
  const { controlPlanes, redirectors } = await startPlanes(
    home,
    databases,
    { controlPlanes: 1, workers: 2 },
    closer,
  );
  const result = await runChaos({
    redis,
    redirectors,
    databaseUrl,
    batch: await mintUnits(controlPlanes[0]!.url, databaseUrl, 200),
    processes: 2,
    parallel: 16,
    scansPerUnit: 3,
    redisKills: 1,
    redisLosses: 1,
    redirectorKills: 1,
    say: () => undefined,
  });
  expect(faultsOf(result)).toEqual([]);
  expect(result).toMatchObject({ units: 200, verdicts: 600, redisKills: 1, redirectorKills: 1 });
}, 120_000);
