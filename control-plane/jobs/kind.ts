/**
 * A kind of job: work that is done after its call was answered, in slices. The engine (slices.ts) does the rest: turns,
 * attempts, retries, waiting, and what a process that was killed has left.
 */
import type { Transaction } from '../platform/db/transaction.ts';

export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** A job as the engine sees it. What only its kind knows is in tables of the feature. */
export interface Job {
  /** With the prefix of its kind: `sjob_…` */
  readonly id: string;
  /** Order of creation. */
  readonly seq: string;
  readonly workspaceId: string;
  /** The name of its kind. */
  readonly kind: string;
  /** The key that began it, and for which it acts; null if none did. */
  readonly keyId: string | null;
  readonly status: JobStatus;
  /** Items to be done; null if that is not known. */
  readonly total: number | null;
  readonly done: number;
  /** Why it failed, for its owner. */
  readonly error: string | null;
  /** Slices begun since the last progress, this one included. */
  readonly attempts: number;
  /** Those of them that failed by themselves, and did not end with their process. */
  readonly failures: number;
  /** Since when it waits for something that is down; null if it does not. */
  readonly heldUpSince: Date | null;
  /** Until when other jobs of its lane go first; null if it was not set aside since its last progress. */
  readonly asideUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
}

/** How the effect of a slice ended. */
export type SliceEnd =
  /** Items were done. `resultUntil`: when the result of a completed job is removed. */
  | { readonly done: number; readonly isLast?: boolean; readonly resultUntil?: Date }
  /** It has failed for good. For its owner. */
  | { readonly failed: string }
  /** Nothing can be done now, since something is down. Other jobs go first for a while. */
  | 'held up'
  /** Nothing can be done now, and nothing is wrong. */
  | 'waiting';

/** @typeParam Chosen what a slice is of @typeParam Prepared what its effect needs */
export interface JobKind<Chosen = unknown, Prepared = unknown> {
  readonly name: string;
  /** A workspace has one slice at a time in each lane. */
  readonly lane: string;
  /** The jobs of a lane are done one after the other, or, if they take turns, a slice of each. */
  readonly takesTurns?: boolean;
  /** What the owner of a job reads that has failed for a reason of ours. */
  readonly failure: string;
  /** Chooses what of the job is done now. What it counts is committed before the work begins. */
  choose?(job: Job): Promise<Chosen>;
  /** Takes back what was counted: the slice could not be tried, since something is down. */
  forgive?(job: Job, chosen: Chosen): Promise<void>;
  /**
   * The part of a slice that takes long. Other workspaces wait for a slice: it should take a second or less. It changes
   * nothing that a second attempt would not change again: the process may end at any moment. The job is not locked
   * meanwhile, so that its owner can cancel it.
   * @throws {ClientError} RATE_LIMITED or UNAVAILABLE, {StorageFailure}, and what PostgreSQL says if it is down: the job
   *   waits, for an hour; any other error is a failure
   */
  prepare?(job: Job, chosen: Chosen): Promise<Prepared>;
  /**
   * The part that is done in a transaction: short, and nothing but statements. The job is locked. The progress is
   * stored in the same transaction.
   * @param afterCommit takes work that depends on the commit; it must not fail
   */
  effect(
    tx: Transaction,
    job: Job,
    prepared: Prepared,
    afterCommit: (work: () => Promise<void>) => void,
  ): Promise<SliceEnd>;
  /** Removes what was prepared: the job has ended meanwhile. */
  discard?(job: Job, prepared: Prepared): Promise<void>;
  /** Why no later attempt would succeed, for the owner of the job; undefined if one may. */
  refusalOf?(error: unknown): string | undefined;
  /** How long the next slice waits after one that failed; by default a second. */
  retryDelayMs?(job: Job): number;
  /** Whether a job fails that was begun so often; by default after some failures, or more attempts. */
  isHopeless?(job: Job): boolean;
  /** Takes back what the job has done, in the transaction in which it fails. */
  undo?(tx: Transaction, job: Job): Promise<void>;
  /** After the commit of its end. It must not fail. */
  ended?(job: Job, status: 'completed' | 'failed'): Promise<void>;
}

/** Keeps the type of what a kind prepares while the kind is declared; the engine only passes it on. */
export const jobKind = <Chosen, Prepared>(kind: JobKind<Chosen, Prepared>): JobKind => kind as JobKind;
