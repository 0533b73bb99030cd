/**
 * How a change reaches the redirectors:
 *
 *   transaction: the change + a job ──commit──▶ publish now ──done──▶ remove the job
 *                                                   └─failed──▶ the job publishes, as often as it takes
 *
 * The job is due two seconds later, so that it runs only where the publish right after the commit has failed, or the
 * process ended in between.
 */
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { Pool } from '../../db/pool.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Background } from '../../jobs/background.ts';
import { addJob, makeDue, removeJobs } from '../../jobs/queue.ts';
import { type RecordPublisher, toRecord } from './records.ts';
import { type Code, findCodesForRedirect } from './store.ts';

const publishTask = 'publish-record';
const jobDelaySeconds = 2;
/** At up to six hours between two tries: the better part of a year. */
const jobAttemptsMax = 1_000;
/**
 * Jobs that failed while Redis was away are made due when it is back, and again this often: one that was just failing
 * at that moment would else sleep through hours of its back-off.
 */
const sweepIntervalMs = 30_000;

export interface PublishingOptions {
  pool: Pool;
  redis: Redis;
  publisher: RecordPublisher;
  background: Background;
  logger: Logger;
}

export interface Publishing extends Closeable {
  /** To be called in the transaction that changes a code: from its commit on, the change will be published. */
  ensure(tx: Transaction, code: Code): Promise<void>;
  /** Publishes a change after its commit. Never fails: what does not work now is the job's. */
  publishChanged(code: Code): Promise<void>;
  /** Tells redirectors that an id they may hold as unknown exists now. Never fails: their bound does the rest. */
  publishCreated(code: Code): Promise<void>;
  tasks: TaskList;
}

export const createPublishing = (options: PublishingOptions): Publishing => {
  const { pool, redis, publisher, background, logger } = options;

  const tryPublish = async (code: Code): Promise<boolean> => {
    try {
      await publisher.publish(toRecord(code));
      return true;
    } catch (error) {
      // The connection's own failure is a warning; that each request meets it is not news.
      logger.debug({ err: error, code: code.id }, 'a code could not be published at once');
      return false;
    }
  };

  const needless: string[] = [];
  let removing = false;

  /** One statement at a time; what becomes needless meanwhile goes together into the next one. */
  const removeNeedless = async (): Promise<void> => {
    removing = true;
    try {
      while (needless.length > 0) await removeJobs(pool, needless.splice(0));
    } finally {
      removing = false;
    }
  };

  const sweep = () => background.start('making publish jobs due', makeDue(pool, publishTask));
  const sweepIfReady = () => {
    if (redis.status === 'ready') sweep();
  };
  redis.on('ready', sweep);
  const sweeping = setInterval(sweepIfReady, sweepIntervalMs);

  return {
    ensure: (tx, code) =>
      addJob(tx, {
        task: publishTask,
        payload: { id: code.id },
        key: jobKey(code),
        delaySeconds: jobDelaySeconds,
        attemptsMax: jobAttemptsMax,
      }),
    async publishChanged(code) {
      if (!(await tryPublish(code))) return;
      needless.push(jobKey(code));
      if (!removing) background.start('removing publish jobs', removeNeedless());
    },
    async publishCreated(code) {
      await tryPublish(code);
    },
    tasks: {
      async [publishTask](payload) {
        const { id } = publishPayload.parse(payload);
        // The row as it is now: a later version may have come since the job was added.
        for (const code of await findCodesForRedirect(pool, [id])) await publisher.publish(toRecord(code));
      },
    },
    async close() {
      redis.off('ready', sweep);
      clearInterval(sweeping);
    },
  };
};

const publishPayload = z.object({ id: z.string() });

/** One for each version: the publish of one change must not remove the job of a later one. */
const jobKey = ({ id, version }: Code): string => `${publishTask}:${id}:${version}`;
