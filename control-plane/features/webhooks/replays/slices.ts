/**
 * Replays are worked off in slices, each in one transaction:
 *
 *   BEGIN ─ the workspace's turn ─ the replay that waited longest ─ some of its range into the queue ─ progress, next slice ─ COMMIT
 *
 * What is not committed was never there: a slice of a process that is killed is done by the next one. A replay first looks at the
 * webhook's finished deliveries, then at the workspace's events, and sends those that have no delivery. It fills the queue up to a
 * bound and then waits, so that what happens meanwhile is not behind a million old deliveries.
 */
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { isDatabaseUnavailable, type Pool } from '../../../db/pool.ts';
import { inTransaction, type Transaction } from '../../../db/transaction.ts';
import { batchType, enqueueBatches, replay as enqueueReplay } from '../queue/enqueue.ts';
import type { BatchRule } from '../queue/interested.ts';
import { findWebhook } from '../subscriptions/store.ts';
import { areWaiting, type Candidate, listDelivered, listEvents, listFinished } from './candidates.ts';
import { countFailure, lockNextReplay, postpone, type StoredReplay, saveProgress } from './store.ts';
import { replayTurns } from './turns.ts';

/** Rows that a slice looks at: it takes some ten milliseconds. */
const sliceRows = 500;
/** Deliveries of the webhook that may wait. */
const waitingMax = 10_000;
/** Until the queue is looked at again. */
const waitMs = 1_000;
/** After so many failures without progress the replay has failed. */
const failuresMax = 5;
const retryDelayMs = 2_000;

export interface ReplayingOptions {
  pool: Pool;
  logger: Logger;
  /** Default: 10,000. */
  waitingMax?: number;
  /** Default: 500. */
  sliceRows?: number;
}

/** @throws where the database is away: then the queue tries again */
export type WorkOnReplays = (workspaceId: string) => Promise<void>;

interface Target {
  readonly webhookId: string;
  readonly batch: BatchRule | null;
  wants(type: string): boolean;
}

/** A batch is of scans. */
const nameOf = (type: string): string => (type === batchType ? 'scan.created' : type);

const targetOf = async (tx: Transaction, replay: StoredReplay): Promise<Target> => {
  const { id, events, batch } = await findWebhook(tx, replay.workspaceId, replay.webhookId);
  const types = new Set(replay.types ?? events);
  return { webhookId: id, batch, wants: (type) => types.has('*') || types.has(nameOf(type)) };
};

const sendBatches = async (
  tx: Transaction,
  webhookId: string,
  { maxEvents }: BatchRule,
  scans: readonly Candidate[],
): Promise<number> => {
  const batches = [];
  for (let at = 0; at < scans.length; at += maxEvents) {
    const events = scans.slice(at, at + maxEvents).map(({ id, placedAt }) => ({ id, placedAt }));
    batches.push({ webhookId, events });
  }
  await enqueueBatches(tx, batches);
  return batches.length;
};

/** @returns how many were added to the queue */
const sendAll = (tx: Transaction, webhookId: string, some: readonly Candidate[]): Promise<number> | number =>
  some.length === 0 ? 0 : enqueueReplay(tx, webhookId, some);

const sendMissed = async (
  tx: Transaction,
  { webhookId, batch }: Target,
  wanted: readonly Candidate[],
): Promise<number> => {
  if (wanted.length === 0) return 0;
  const delivered = await listDelivered(tx, webhookId, wanted);
  const missed = wanted.filter(({ eventId }) => !delivered.has(eventId));
  if (!batch) return sendAll(tx, webhookId, missed);
  const { scans = [], others = [] } = Object.groupBy(missed, ({ type }) =>
    type === 'scan.created' ? 'scans' : 'others',
  );
  return (await sendBatches(tx, webhookId, batch, scans)) + (await sendAll(tx, webhookId, others));
};

interface Slice {
  /** The last row that was looked at; undefined where there was none. */
  readonly last: Candidate | undefined;
  readonly isEnd: boolean;
  readonly sent: number;
}

const sliceOfDeliveries = async (tx: Transaction, replay: StoredReplay, rows: number): Promise<Slice> => {
  const target = await targetOf(tx, replay);
  const found = await listFinished(tx, replay, rows);
  const wanted = found.filter(({ type }) => target.wants(type));
  const sent = await sendAll(tx, target.webhookId, wanted);
  return { last: found.at(-1), isEnd: found.length < rows, sent };
};

const sliceOfEvents = async (tx: Transaction, replay: StoredReplay, rows: number): Promise<Slice> => {
  const target = await targetOf(tx, replay);
  const found = await listEvents(tx, replay, rows);
  const wanted = found.filter(({ type, isTest }) => !isTest && target.wants(type));
  const sent = await sendMissed(tx, target, wanted);
  return { last: found.at(-1), isEnd: found.length < rows, sent };
};

/** The phase is over: the next one begins, or all is done. */
const afterPhase = ({ phase, which }: StoredReplay) =>
  phase === 'deliveries' && which === 'all'
    ? ({ phase: 'events', state: 'processing' } as const)
    : ({ phase, state: 'completed' } as const);

const doSlice = async (tx: Transaction, replay: StoredReplay, rows: number): Promise<void> => {
  const work = replay.phase === 'deliveries' ? sliceOfDeliveries : sliceOfEvents;
  const { last, isEnd, sent } = await work(tx, replay, rows);
  const { phase, state } = isEnd ? afterPhase(replay) : { phase: replay.phase, state: 'processing' as const };
  const cursor = phase === replay.phase ? last : undefined;
  await saveProgress(tx, replay.id, {
    phase,
    state,
    sent,
    cursorAt: cursor?.placedAt ?? (phase === replay.phase ? replay.cursorAt : null),
    cursorId: cursor?.id ?? (phase === replay.phase ? replay.cursorId : null),
  });
};

const failReplay = (tx: Transaction, { id, phase, cursorAt, cursorId }: StoredReplay): Promise<void> =>
  saveProgress(tx, id, { phase, cursorAt, cursorId, state: 'failed', sent: 0 });

export const createReplaying = (options: ReplayingOptions): WorkOnReplays => {
  const { pool, logger } = options;
  const rows = options.sliceRows ?? sliceRows;
  const logAs = (level: 'warn' | 'error') =>
    createSparseLog((fields, message) => logger[level](fields, message));
  /** Of a database that is away or has no connection left, which is waited for. */
  const [logWaiting, logFailure] = [logAs('warn'), logAs('error')];

  const retryLater = async ({ id: replayId, workspaceId }: StoredReplay, error: unknown): Promise<void> => {
    const log = isDatabaseUnavailable(error) ? logWaiting : logFailure;
    log(replayId, { err: error, replayId }, 'a replay of webhook events could not go on');
    if (!isDatabaseUnavailable(error)) await countFailure(pool, replayId);
    await replayTurns.enqueue(pool, workspaceId, retryDelayMs);
  };

  /** @returns how long the next slice waits */
  const step = async (tx: Transaction, replay: StoredReplay): Promise<number> => {
    if (replay.failures >= failuresMax) await failReplay(tx, replay);
    else if (await areWaiting(tx, replay.webhookId, options.waitingMax ?? waitingMax)) {
      await postpone(tx, replay.id);
      return waitMs;
    } else await doSlice(tx, replay, rows);
    return 0;
  };

  /** @param begun is told the replay */
  const takeSlice = (workspaceId: string, begun: (replay: StoredReplay) => void): Promise<void> =>
    inTransaction(pool, async (tx) => {
      if (!(await replayTurns.takeTurn(tx, workspaceId))) return;
      const replay = await lockNextReplay(tx, workspaceId);
      if (!replay) return;
      begun(replay);
      await replayTurns.enqueue(tx, workspaceId, await step(tx, replay));
    });

  return async (workspaceId) => {
    let replay: StoredReplay | undefined;
    try {
      await takeSlice(workspaceId, (begun) => {
        replay = begun;
      });
    } catch (error) {
      if (!replay) throw error;
      await retryLater(replay, error);
    }
  };
};
