/**
 * Writes the results of attempts: results that end while one statement runs go together into the next. A result that
 * cannot be written is retried until its lease has ended; then the delivery is sent again, under its id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import { isDatabaseUnavailable, type Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { leaseSeconds } from './claim.ts';
import type { DueWebhook } from './due-webhooks.ts';
import { noteFailing, noteRecovered, pauseFailing } from './failing.ts';
import { type Result, writeResults } from './results.ts';
import { countUnanswered, noteAnswered } from './unanswered.ts';

/** A result, and the state of its webhook at the claim. */
export interface Ended extends Result {
  readonly webhook: DueWebhook;
  /** Of the claim, by a monotonic clock. */
  readonly claimedMs: number;
}

export const writeEnds = ['written', 'lost', 'given-up'] as const;
export type WriteEnd = (typeof writeEnds)[number];

export interface Writer {
  /** Resolves once the result is written or given up. No other process writes it. */
  write(ended: Ended): Promise<void>;
  /** Gives up results that cannot be written: a close does not wait for leases. */
  hurry(): void;
}

export interface WriterOptions {
  pool: Pool;
  outbox: Outbox;
  logger: Logger;
  onEnded(how: WriteEnd, times?: number): void;
  onPaused(times: number): void;
}

/** Milliseconds between two tries while PostgreSQL is down. */
const retryPauseMs = 250;
/** Results per statement. */
const resultsMax = 512;
/** The status (RFC 9110 §15.5.11) by which receivers unsubscribe. */
const goneStatus = 410;

interface Waiting {
  readonly ended: Ended;
  done(): void;
}

const idsOf = (waiting: readonly Waiting[], matches: (ended: Ended) => boolean): string[] => [
  ...new Set(waiting.filter(({ ended }) => matches(ended)).map(({ ended }) => ended.webhook.id)),
];

/** Failed attempts at URLs that have never answered, by workspace. */
const unansweredOf = (batch: readonly Waiting[]): ReadonlyMap<string, number> => {
  const attempts = new Map<string, number>();
  for (const { ended } of batch) {
    const { workspaceId, unanswered } = ended.webhook;
    if (unanswered && ended.outcome !== 'succeeded')
      attempts.set(workspaceId, (attempts.get(workspaceId) ?? 0) + 1);
  }
  return attempts;
};

/** Stores first answers of URLs, and counts failed attempts at URLs without one. */
const noteAnswers = async (pool: Pool, batch: readonly Waiting[]): Promise<void> => {
  const answered = batch
    .map(({ ended }) => ended)
    .filter(({ outcome, webhook }) => webhook.unanswered && outcome === 'succeeded');
  if (answered.length > 0)
    await noteAnswered(
      pool,
      answered.map(({ webhook }) => webhook),
    );
  const attempts = unansweredOf(batch);
  if (attempts.size > 0) await countUnanswered(pool, attempts);
};

const isGone = ({ attempted }: Ended): boolean => attempted.status === goneStatus;

export const createWriter = ({ pool, outbox, logger, onEnded, onPaused }: WriterOptions): Writer => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const waiting: Waiting[] = [];
  let writing = false;
  let hurried = false;

  const noteHealth = async (batch: readonly Waiting[]): Promise<void> => {
    const good = idsOf(batch, ({ outcome }) => outcome === 'succeeded');
    const failed = (matches: (ended: Ended) => boolean) =>
      idsOf(batch, (ended) => ended.outcome !== 'succeeded' && matches(ended)).filter(
        (id) => !good.includes(id),
      );
    const recovered = idsOf(batch, ({ outcome, webhook }) => outcome === 'succeeded' && webhook.failing);
    if (recovered.length > 0) await noteRecovered(pool, recovered);
    const gone = failed(isGone);
    const pausable = [...new Set([...failed(({ webhook }) => webhook.pausable), ...gone])];
    // Runs before the failure is stored: it depends on the time of the previous one.
    if (pausable.length > 0)
      onPaused(await inTransaction(pool, (tx) => pauseFailing(tx, outbox, pausable, gone)));
    const failing = failed(({ webhook }) => webhook.noteFailure);
    if (failing.length > 0) await noteFailing(pool, failing);
  };

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const lost = await writeResults(
      pool,
      batch.map(({ ended }) => ended),
    );
    onEnded('lost', lost.length);
    onEnded('written', batch.length - lost.length);
    try {
      await noteAnswers(pool, batch);
      await noteHealth(batch);
    } catch (error) {
      warn('health', { err: error }, 'could not store which webhooks fail');
    }
  };

  const giveUp = (batch: readonly Waiting[], error: unknown): void => {
    onEnded('given-up', batch.length);
    warn(
      `given up ${messageOf(error)}`,
      { err: error },
      'could not write results of deliveries: the deliveries are sent again',
    );
  };

  const isInLease = ({ ended }: Waiting): boolean =>
    !hurried && performance.now() - ended.claimedMs < leaseSeconds * 1000;

  /** @returns the results to retry */
  const tryBatch = async (batch: readonly Waiting[]): Promise<readonly Waiting[]> => {
    try {
      await writeBatch(batch);
      return [];
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        const late = batch.filter((one) => !isInLease(one));
        if (late.length > 0) giveUp(late, error);
        warn(messageOf(error), { err: error }, 'results of deliveries are waiting for PostgreSQL');
        await sleep(retryPauseMs);
        return batch.filter((one) => !late.includes(one));
      }
      if (batch.length === 1) giveUp(batch, error);
      // One of them is at fault: written singly, it fails alone.
      else for (const one of batch) await tryBatch([one]);
      return [];
    }
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, resultsMax);
      const again = await tryBatch(batch);
      for (const one of batch) if (!again.includes(one)) one.done();
      waiting.unshift(...again);
    }
    writing = false;
  };

  return {
    write: (ended) =>
      new Promise((done) => {
        waiting.push({ ended, done });
        if (writing) return;
        writing = true;
        // Results of the same event-loop iteration are written together.
        setImmediate(() => void drain());
      }),
    hurry() {
      hurried = true;
    },
  };
};
