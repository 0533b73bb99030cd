/**
 * Codes are created at two control planes while endpoints fail in every way, control planes are killed with kill -9, PostgreSQL is
 * stopped or killed, and the clock jumps. Then the endpoints recover, and everything must come to an end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Killable } from '../bench/killable.ts';
import { createKiller, type Victim } from '../bench/killer.ts';
import { call } from '../bench/workspace.ts';
import { createCodes } from './codes.ts';
import { countPending, countUnreachable, jump, readCodeIds, readFailed, readLog } from './database.ts';
import type { Endpoints } from './endpoints.ts';
import { type Disturbance, type Judgement, judge, untrueOf } from './judge.ts';

export interface ChaosOptions {
  planes: readonly Killable[];
  postgres: Killable;
  endpoints: Endpoints;
  apiKey: string;
  codes: number;
  seconds: number;
  planeKills: number;
  postgresKills: number;
  jumps: number;
  /** For everything to come to an end after the endpoints have recovered. */
  settleSecondsMax: number;
  say(line: string): void;
}

export interface ChaosResult extends Judgement {
  codes: number;
  planeKills: number;
  postgresKills: number;
  jumps: number;
  /** Deliveries that were given up, and sent again by their owner. */
  resent: number;
  seconds: number;
  settleSeconds: number;
}

/** Farther than SPEC's last delay; every third jump sets the clock back. */
const hoursOf = (index: number): number => (index % 3 === 2 ? -10 : 7);
const jumpEveryMs = 1_000;

/** Notes when it was away. */
const noted = (victim: Victim, disturbances: Disturbance[]): Victim => ({
  async kill(index) {
    const fromMs = Date.now();
    await victim.kill(index);
    disturbances.push({ fromMs, toMs: Date.now() });
  },
  async startAgain() {
    const fromMs = Date.now();
    await victim.startAgain();
    disturbances.push({ fromMs, toMs: Date.now() });
  },
});

/** A control plane that starts again disturbs nothing. */
const notedKill = (victim: Victim, disturbances: Disturbance[]): Victim => ({
  ...noted(victim, disturbances),
  startAgain: victim.startAgain,
});

const jumping = (databaseUrl: string): Victim => ({
  kill: (index) => jump(databaseUrl, hoursOf(index)),
  startAgain: async () => undefined,
});

/** Each control plane has its own: they may be away at the same time. The kills are shared out, the first one has one more. */
const killersOf = (options: ChaosOptions, disturbances: Disturbance[]) => {
  const { planes, postgres, planeKills, say } = options;
  return {
    planes: planes.map((plane, index) => {
      const kills = Math.ceil((planeKills - index) / planes.length);
      return createKiller(`control plane ${index}`, [notedKill(plane, disturbances)], kills, say);
    }),
    postgres: createKiller('PostgreSQL', [noted(postgres, disturbances)], options.postgresKills, say),
    clock: createKiller('the clock', [notedKill(jumping(postgres.url), disturbances)], options.jumps, say),
  };
};

/** Hours go by until nothing is pending, or for too long. */
const settle = async (
  { postgres, settleSecondsMax, say }: ChaosOptions,
  disturbances: Disturbance[],
): Promise<void> => {
  const endMs = performance.now() + settleSecondsMax * 1_000;
  const unreachable = await countUnreachable(postgres.url);
  if (unreachable > 0)
    say(`${unreachable} deliveries are due or leased as a clock that was set back left them`);
  for (;;) {
    const pending = await countPending(postgres.url);
    // If deliveries are not finished by then, the judge says so.
    if (pending === 0 || performance.now() > endMs) return;
    say(`${pending} deliveries are pending`);
    await notedKill(jumping(postgres.url), disturbances).kill(0);
    await sleep(jumpEveryMs);
  }
};

/** The owner sends again what was given up. @returns the number of deliveries */
const resendFailed = async ({ planes, postgres, apiKey }: ChaosOptions): Promise<number> => {
  const failed = await readFailed(postgres.url);
  const client = { url: planes[0]!.url, apiKey };
  for (const { id, webhookId } of failed)
    await call(client, 'POST', `/api/webhooks/${webhookId}/deliveries/${id}/resend`);
  return failed.length;
};

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1_000;

/** Creates codes until every fault has been. @returns how many faults there were */
const createBesideFaults = async (options: ChaosOptions, disturbances: Disturbance[]) => {
  const { planes, apiKey, codes, seconds } = options;
  const killers = killersOf(options, disturbances);
  const all = [...killers.planes, killers.postgres, killers.clock];
  await createCodes({
    origins: planes.map(({ url }) => url),
    apiKey,
    count: codes,
    parallel: 8,
    seconds,
    onProgress: (share) => {
      for (const killer of all) killer.at(share);
    },
    isOver: () => all.every((killer) => killer.isDone()),
  });
  const kills = await Promise.all(killers.planes.map((killer) => killer.end()));
  return {
    planeKills: kills.reduce((sum, each) => sum + each, 0),
    postgresKills: await killers.postgres.end(),
    jumps: await killers.clock.end(),
  };
};

export const runChaos = async (options: ChaosOptions): Promise<ChaosResult> => {
  const { postgres, endpoints, say } = options;
  const startMs = performance.now();
  const disturbances: Disturbance[] = [];
  const faults = await createBesideFaults(options, disturbances);
  const settleStartMs = performance.now();
  await endpoints.recover();
  await settle(options, disturbances);
  const resent = await resendFailed(options);
  say(`${resent} deliveries that were given up are sent again`);
  await settle(options, disturbances);
  const codeIds = await readCodeIds(postgres.url);
  const logged = await readLog(postgres.url);
  const seen = await endpoints.seen();
  const evidence = { codeIds, endpoints: endpoints.names, logged, seen, disturbances };
  for (const log of untrueOf(evidence)) say(`not what its attempts say: ${JSON.stringify(log)}`);
  return {
    ...judge(evidence),
    ...faults,
    codes: codeIds.length,
    resent,
    seconds: secondsSince(startMs),
    settleSeconds: secondsSince(settleStartMs),
  };
};
