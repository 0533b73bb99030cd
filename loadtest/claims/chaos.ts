/**
 * Units are scanned by several processes at once while Redis and the redirectors are killed with kill -9 and started again, each at
 * random shares of the scans: also both at the same time.
 */
import type { KillablePlane, KillableRedis } from '../bench/killable.ts';
import { createKiller, type Victim } from '../bench/killer.ts';
import { type Judgement, judgeUnits } from './judge.ts';
import { type Scanned, scanAll } from './scanners.ts';
import { type Batch, storedUnits, untilCounted } from './units.ts';

export interface ChaosOptions {
  redis: KillableRedis;
  redirectors: readonly KillablePlane[];
  databaseUrl: string;
  batch: Batch;
  processes: number;
  parallel: number;
  scansPerUnit: number;
  redisKills: number;
  /** Kills after which Redis has lost its file: the last ones. */
  redisLosses: number;
  redirectorKills: number;
  say(line: string): void;
}

export interface ChaosResult extends Judgement, Pick<Scanned, 'givenUp' | 'unexpected'> {
  redisKills: number;
  redirectorKills: number;
  seconds: number;
}

/** Redis, which loses its file with its last kills. */
const losing = (redis: KillableRedis, { redisKills, redisLosses, say }: ChaosOptions): Victim => ({
  async kill(index) {
    await redis.kill(index);
    if (index < redisKills - redisLosses) return;
    await redis.loseFile();
    say('Redis has lost its file');
  },
  startAgain: redis.startAgain,
});

export const runChaos = async (options: ChaosOptions): Promise<ChaosResult> => {
  const { redis, redirectors, databaseUrl, batch, processes, parallel, scansPerUnit, say } = options;
  const startMs = performance.now();
  const killers = [
    createKiller('Redis', [losing(redis, options)], options.redisKills, say),
    createKiller('a redirector', redirectors, options.redirectorKills, say),
  ];
  const { answers, givenUp, unexpected } = await scanAll({
    origins: redirectors.map(({ url }) => url),
    paths: batch.units.map(({ path }) => path),
    processes,
    parallel,
    scansPerUnit,
    onProgress: (share) => {
      for (const killer of killers) killer.at(share);
    },
  });
  const [redisKills, redirectorKills] = await Promise.all(killers.map((killer) => killer.end()));
  const verdicts = answers.reduce((total, { first, again }) => total + first + again, 0);
  const seconds = (performance.now() - startMs) / 1000;
  say(`${verdicts} verdicts after ${seconds.toFixed(0)} s; waiting until they are counted`);
  await untilCounted(databaseUrl, batch, verdicts);
  return {
    ...judgeUnits(answers, await storedUnits(databaseUrl, batch)),
    givenUp,
    unexpected,
    redisKills: redisKills!,
    redirectorKills: redirectorKills!,
    seconds,
  };
};
