/**
 * Checks the destinations of codes whose owners want it, once a day each. One process does it at a time, and asks one host for
 * one destination at a time; a host that answers slowly holds up only its own, and a workspace only a part of the checks.
 */
import type { Outbox } from '../../framework/outbox.ts';
import type { Task } from '../../jobs/tasks.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { Probe } from './probe.ts';
import { type DueCode, endTurn, forget, putBack, takeDue, takeTurn, writeHealth } from './store.ts';

export interface HealthCheckOptions {
  pool: Pool;
  outbox: Outbox;
  probe: Probe;
  /** For how long the checks of one take begin. Default: 10 s. */
  takeMs?: number;
}

const dueAtOnce = 100;
const checksAtOnce = 16;
/** Slow hosts of one workspace leave room for the others. */
const checksOfWorkspace = 4;
const runMsMax = 40_000;
const takeMsDefault = 10_000;
/** Longer than a run with its last requests. */
const turnSeconds = 180;

const hostOf = ({ destination }: DueCode): string => URL.parse(destination)?.hostname ?? '';

/** Checks until the end. @returns what was not begun */
const checkAll = async (
  codes: readonly DueCode[],
  endMs: number,
  check: (code: DueCode) => Promise<void>,
): Promise<Set<DueCode>> => {
  const hosts = new Map(codes.map((code) => [code, hostOf(code)]));
  const waiting = new Set(codes);
  const running = new Map<DueCode, Promise<void>>();
  const mayBegin = (code: DueCode): boolean => {
    const others = [...running.keys()];
    return (
      others.length < checksAtOnce &&
      others.every((other) => hosts.get(other) !== hosts.get(code)) &&
      others.filter(({ workspaceId }) => workspaceId === code.workspaceId).length < checksOfWorkspace
    );
  };
  for (;;) {
    for (const code of waiting) {
      if (performance.now() >= endMs) break;
      if (!mayBegin(code)) continue;
      waiting.delete(code);
      running.set(
        code,
        check(code).finally(() => running.delete(code)),
      );
    }
    if (running.size === 0) return waiting;
    await Promise.race(running.values());
  }
};

const checkSome = async (
  { pool, outbox, probe, takeMs = takeMsDefault }: HealthCheckOptions,
  due: readonly DueCode[],
  runEndMs: number,
): Promise<void> => {
  await forget(
    pool,
    due.flatMap(({ id, wantsChecks }) => (wantsChecks ? [] : [id])),
  );
  const endMs = Math.min(runEndMs, performance.now() + takeMs);
  const left = await checkAll(
    due.filter(({ isChecked }) => isChecked),
    endMs,
    async (code) => writeHealth(pool, outbox, code, await probe(code.destination)),
  );
  await putBack(
    pool,
    [...left].map(({ id }) => id),
  );
};

export const healthCheckTask = (options: HealthCheckOptions): Task => {
  const { pool } = options;
  // The next run goes on where this one ends: no workspace is always the first.
  let after = '';

  /** Takes what is due by workspaces, round after round, until a whole round finds nothing. */
  const checkUntil = async (endMs: number): Promise<void> => {
    while (performance.now() < endMs) {
      const due = await takeDue(pool, after, dueAtOnce);
      await checkSome(options, due, endMs);
      if (due.length === 0 && after === '') return;
      after = due.length < dueAtOnce ? '' : due[0]!.lastWorkspaceId;
    }
  };

  return {
    task: 'check-destinations',
    schedule: '* * * * *',
    async run() {
      if (!(await takeTurn(pool, turnSeconds))) return;
      try {
        await checkUntil(performance.now() + runMsMax);
      } finally {
        await endTurn(pool);
      }
    },
  };
};
