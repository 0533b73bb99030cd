/**
 * Erasures as jobs: first what PostgreSQL has, a slice at a time, then the scans in ClickHouse. These are removed in rounds for
 * many erasures together; each job that waits for them takes the present round further.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobKind, jobKind } from '../../jobs/kind.ts';
import { createJob } from '../../jobs/store.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { forgetFacets } from '../codes/lists/forget-facets.ts';
import { removeHistory } from '../codes/store/erased.ts';
import { eraseEvents } from '../webhooks/retention/erase-events.ts';
import type { RoundProgress } from './rounds/rounds.ts';
import {
  beginStep,
  type Erasure,
  endErasure,
  lockErasure,
  markEarlier,
  readErasure,
  saveEventPlace,
} from './store.ts';

export const erasureJobs = { name: 'erasure', lane: 'erasure' } as const;

/** Its work begins once the transaction is committed. */
export const createErasureJob = (
  tx: Transaction,
  { id, workspaceId }: Pick<Erasure, 'id' | 'workspaceId'>,
): Promise<void> =>
  createJob(tx, { id, workspaceId, kind: erasureJobs.name, lane: erasureJobs.lane, total: null });

export interface ErasureWork {
  pool: Pool;
  advance(): Promise<RoundProgress>;
}

/** A segment of reported scans is taken in less. */
const earlierMsMax = 500;
const pollMs = 20;

/**
 * A transaction that began before the erasure may not have seen it, and store an event of an erased scan later than its events were
 * looked at. The slice waits for it, for a moment.
 */
const awaitEarlier = async (pool: Pool, { id, earlier }: Pick<Erasure, 'id' | 'earlier'>): Promise<void> => {
  if (earlier === 'unknown') await markEarlier(pool, id);
  const endMs = performance.now() + earlierMsMax;
  while ((await readErasure(pool, id)).earlier === 'open' && performance.now() < endMs) await sleep(pollMs);
};

const eraseSomeEvents = async (tx: Transaction, erasure: Erasure): Promise<void> => {
  const { id, workspaceId, codeId, what, upTo } = erasure;
  const events = { workspaceId, codeId, isWhole: what === 'code', upTo: upTo ?? new Date() };
  const place = await eraseEvents(tx, events, erasure);
  await (place ? saveEventPlace(tx, id, place) : beginStep(tx, id));
};

export const createErasureKind = ({ pool, advance }: ErasureWork): JobKind =>
  jobKind<Erasure, undefined>({
    ...erasureJobs,
    takesTurns: true,
    failure: 'The erasure could not be done, for a reason of ours',
    choose: ({ id }) => readErasure(pool, id),
    async prepare(_job, erasure) {
      const { step, scans, workspaceId } = erasure;
      // Not in the effect: it has a transaction of its own for each statement, and waits for no other.
      if (step === 'history') await forgetFacets(pool, workspaceId);
      if (step === 'events') await awaitEarlier(pool, erasure);
      if (step === null && scans !== 'gone') await advance();
      return undefined;
    },
    async effect(tx, { id }) {
      const erasure = await lockErasure(tx, id);
      if (erasure.step === 'history') {
        await removeHistory(tx, erasure.codeId);
        await beginStep(tx, id, 'events');
        return { done: 1 };
      }
      if (erasure.step === 'events') {
        if (erasure.earlier !== 'ended') return 'waiting';
        await eraseSomeEvents(tx, erasure);
        return { done: 1 };
      }
      if (erasure.scans !== 'gone') return 'waiting';
      await endErasure(tx, id);
      return { done: 1, isLast: true };
    },
    // They are promised to be erased: whatever fails is tried again.
    isHopeless: () => false,
  });
