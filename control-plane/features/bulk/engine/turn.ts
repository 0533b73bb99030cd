/**
 * The turn of a workspace: it has one slice at a time, in whatever process, however many jobs of it there are. Its lock ends with the
 * transaction, and so with the connection of a process that is killed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../../db/transaction.ts';
import { tryLockWorkspace } from './store/workspace-lock.ts';

/** A slice enqueues the next one as it commits, which is a moment before its lock is gone. */
const triesMax = 10;
const pauseMs = 50;

/**
 * Takes the turn until the transaction ends.
 * @returns false where another job has it: that one enqueues the next slice
 */
export const takeTurn = async (tx: Transaction, workspaceId: string): Promise<boolean> => {
  for (let tries = 1; !(await tryLockWorkspace(tx, workspaceId)); tries++) {
    if (tries === triesMax) return false;
    await sleep(pauseMs);
  }
  return true;
};
