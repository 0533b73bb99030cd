/**
 * Checks the destinations of codes whose owners want it, once a day each. One process does it at a time, and asks one host for
 * one destination at a time; a host that answers slowly holds up only its own.
 */
import type { Outbox } from '../../framework/outbox.ts';
import type { Task } from '../../jobs/tasks.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { Probe } from './probe.ts';
import { type DueCode, endTurn, forget, takeDue, takeTurn, writeHealth } from './store.ts';

export interface HealthCheckOptions {
  pool: Pool;
  outbox: Outbox;
  probe: Probe;
}

const dueAtOnce = 100;
const hostsAtOnce = 16;
const runMsMax = 40_000;
/** Longer than a run with its last requests. */
const turnSeconds = 180;

const hostOf = ({ destination }: DueCode): string => URL.parse(destination)?.hostname ?? '';

/** Works on lists, so many at once, and on each list in its order. */
const inLanes = async <Each>(
  lists: readonly (readonly Each[])[],
  lanes: number,
  work: (each: Each) => Promise<void>,
): Promise<void> => {
  const left = lists.values();
  const lane = async (): Promise<void> => {
    for (const list of left) for (const each of list) await work(each);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};

const checkSome = async ({ pool, outbox, probe }: HealthCheckOptions, endMs: number): Promise<number> => {
  const due = await takeDue(pool, dueAtOnce);
  await forget(
    pool,
    due.flatMap(({ id, wantsChecks }) => (wantsChecks ? [] : [id])),
  );
  const checked = due.filter(({ isChecked }) => isChecked);
  const byHost = Map.groupBy(checked, hostOf);
  await inLanes([...byHost.values()], hostsAtOnce, async (code) => {
    // What a slow host left over is checked tomorrow: a code is never checked twice a day.
    if (performance.now() > endMs) return;
    await writeHealth(pool, outbox, code, await probe(code.destination));
  });
  return due.length;
};

export const healthCheckTask = (options: HealthCheckOptions): Task => ({
  task: 'check-destinations',
  schedule: '* * * * *',
  async run() {
    const { pool } = options;
    if (!(await takeTurn(pool, turnSeconds))) return;
    try {
      const endMs = performance.now() + runMsMax;
      while (performance.now() < endMs) if ((await checkSome(options, endMs)) < dueAtOnce) break;
    } finally {
      await endTurn(pool);
    }
  },
});
