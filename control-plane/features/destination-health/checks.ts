/**
 * Checks the destinations of codes whose owners want it, once a day each. One process does it at a time, and asks one host for
 * one destination at a time; a host that answers slowly holds up only its own, and a workspace only a part of the checks.
 */
import type { Logger } from '#shared/logger.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Task } from '../../jobs/tasks.ts';
import { isDatabaseUnavailable, type Pool } from '../../platform/db/pool.ts';
import type { Probe } from './probe.ts';
import { type DueCode, endTurn, forget, putBack, takeDue, takeTurn, writeHealth } from './store.ts';

export interface HealthCheckOptions {
  pool: Pool;
  outbox: Outbox;
  probe: Probe;
  logger: Pick<Logger, 'error'>;
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

/** Checks until the end, or until `check` says that no more is to be begun. What is begun leaves `waiting`. */
const checkAll = async (
  waiting: Set<DueCode>,
  endMs: number,
  check: (code: DueCode) => Promise<'go on' | 'stop'>,
): Promise<void> => {
  const hosts = new Map(waiting.values().map((code) => [code, hostOf(code)]));
  const running = new Map<DueCode, Promise<void>>();
  let isStopped = false;
  const mayBegin = (code: DueCode): boolean => {
    const others = [...running.keys()];
    return (
      others.length < checksAtOnce &&
      others.every((other) => hosts.get(other) !== hosts.get(code)) &&
      others.filter(({ workspaceId }) => workspaceId === code.workspaceId).length < checksOfWorkspace
    );
  };
  const begin = async (code: DueCode): Promise<void> => {
    if ((await check(code)) === 'stop') isStopped = true;
    running.delete(code);
  };
  for (;;) {
    for (const code of waiting) {
      if (isStopped || performance.now() >= endMs) break;
      if (!mayBegin(code)) continue;
      waiting.delete(code);
      running.set(code, begin(code));
    }
    if (running.size === 0) return;
    await Promise.race(running.values());
  }
};

const checkSome = async (
  { pool, outbox, probe, logger, takeMs = takeMsDefault }: HealthCheckOptions,
  due: readonly DueCode[],
  runEndMs: number,
): Promise<void> => {
  const waiting = new Set(due.filter(({ isChecked }) => isChecked));
  let away: unknown;
  /** One that fails costs itself. While PostgreSQL is away all would fail: what is not begun keeps its check. */
  const check = async (code: DueCode): Promise<'go on' | 'stop'> => {
    try {
      await writeHealth(pool, outbox, code, await probe(code.destination));
      return 'go on';
    } catch (error) {
      if (!isDatabaseUnavailable(error)) {
        logger.error({ err: error, code: code.id }, 'the check of a destination failed');
        return 'go on';
      }
      away = error;
      return 'stop';
    }
  };
  try {
    await forget(
      pool,
      due.flatMap(({ id, wantsChecks }) => (wantsChecks ? [] : [id])),
    );
    await checkAll(waiting, Math.min(runEndMs, performance.now() + takeMs), check);
  } finally {
    await putBack(
      pool,
      [...waiting].map(({ id }) => id),
    );
  }
  if (away !== undefined) throw away;
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
      const by = await takeTurn(pool, turnSeconds);
      if (by === undefined) return;
      try {
        await checkUntil(performance.now() + runMsMax);
      } finally {
        await endTurn(pool, by);
      }
    },
  };
};
