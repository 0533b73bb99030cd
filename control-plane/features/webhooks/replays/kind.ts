/**
 * Replays, as jobs. A replay first looks at the webhook's finished deliveries, then at the workspace's events, and sends
 * the events that have no delivery. It fills the queue up to a bound and then waits, so that what happens meanwhile is not
 * behind a million old deliveries.
 */

import { type JobKind, jobKind } from '../../../jobs/kind.ts';
import { hasFailedTooOften } from '../../../jobs/slices.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { batchType, enqueueBatches, replay as enqueueReplay } from '../queue/enqueue.ts';
import { type BatchRule, findFilter, passes } from '../queue/interested.ts';
import type { CodeOfEvent } from '../queue/payloads.ts';
import { findWebhook } from '../subscriptions/store.ts';
import { areWaiting, type Candidate, listDelivered, listEvents, listFinished } from './candidates.ts';
import { type Cursor, findReplayOfJob, replayJobs, type StoredReplay, saveCursor } from './store.ts';

/** Rows that a slice looks at: it takes some ten milliseconds. */
const sliceRows = 500;
/** Deliveries of the webhook that may wait. */
const waitingMax = 10_000;

export interface ReplayKindOptions {
  /** Default: 10,000. */
  waitingMax?: number;
  /** Default: 500. */
  sliceRows?: number;
}

interface Target {
  readonly webhookId: string;
  readonly batch: BatchRule | null;
  /** @param code undefined if the event is about none */
  wants(type: string, code?: CodeOfEvent): boolean;
}

/** A batch is of scans. */
const nameOf = (type: string): string => (type === batchType ? 'scan.created' : type);

const targetOf = async (tx: Transaction, replay: StoredReplay): Promise<Target> => {
  const { id, events, batch } = await findWebhook(tx, replay.workspaceId, replay.webhookId);
  const filter = await findFilter(tx, id);
  const types = new Set(replay.types ?? events);
  return {
    webhookId: id,
    batch,
    wants: (type, code) => (types.has('*') || types.has(nameOf(type))) && passes(filter, code),
  };
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
  const wanted = found.filter(({ type, code, isTest }) => !isTest && target.wants(type, code ?? undefined));
  const sent = await sendMissed(tx, target, wanted);
  return { last: found.at(-1), isEnd: found.length < rows, sent };
};

/** Where the next slice goes on, if there is one. */
const cursorAfter = (replay: StoredReplay, { last, isEnd }: Slice): Cursor =>
  isEnd && replay.phase === 'deliveries' && replay.which === 'all'
    ? { phase: 'events', cursorAt: null, cursorId: null }
    : {
        phase: replay.phase,
        cursorAt: last?.placedAt ?? replay.cursorAt,
        cursorId: last?.id ?? replay.cursorId,
      };

export const createReplayKind = (options: ReplayKindOptions = {}): JobKind =>
  jobKind<undefined, undefined>({
    ...replayJobs,
    takesTurns: true,
    failure: 'The events could not be sent, for a reason of ours',
    isHopeless: hasFailedTooOften,
    async effect(tx, { id }) {
      const replay = await findReplayOfJob(tx, id);
      if (!replay) return { failed: 'The webhook was deleted' };
      if (await areWaiting(tx, replay.webhookId, options.waitingMax ?? waitingMax)) return 'waiting';
      const work = replay.phase === 'deliveries' ? sliceOfDeliveries : sliceOfEvents;
      const slice = await work(tx, replay, options.sliceRows ?? sliceRows);
      const cursor = cursorAfter(replay, slice);
      await saveCursor(tx, id, cursor);
      return { done: slice.sent, isLast: slice.isEnd && cursor.phase === replay.phase };
    },
  });
