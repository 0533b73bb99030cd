/** Publishes right after the commit, so that a change is in effect when its request is answered. */
import { createCoalescer } from '#shared/coalescer.ts';
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Background } from '../../../jobs/background.ts';
import type { Code } from '../store/code.ts';
import type { ConnectionCount } from './connection.ts';
import { type RecordPublisher, readRecord } from './records.ts';
import { markPublished, type Unpublished } from './unpublished-codes.ts';

/** Versions in one statement. */
const markBatchMax = 1_000;
/** More wait only where the database is too slow; those beyond are left to the sweep. */
const marksWaitingMax = 50_000;

/** Codes that are on their way to Redis together: a few milliseconds of its time, during which scans wait. */
const atOnceMax = 100;

export interface PublishNowOptions {
  pool: Pool;
  publisher: RecordPublisher;
  connection: Pick<ConnectionCount, 'number'>;
  background: Background;
  logger: Logger;
}

export interface PublishNow {
  /** Publishes a change after its commit. Never fails: what does not work now is left to the sweep. */
  publishChanged(code: Code): Promise<void>;
  /** The same for many, {@link atOnceMax} at a time. Where Redis takes none of those sent together, the others are left to the sweep. */
  publishChangedTogether(codes: readonly Code[]): Promise<void>;
  /**
   * Tells redirectors that ids that they may hold as unknown exist now, as many at a time. Never fails: their bound does the
   * rest.
   */
  publishCreated(codes: readonly Code[]): Promise<void>;
}

const publishTogether = async (
  codes: readonly Code[],
  publish: (code: Code) => Promise<boolean>,
): Promise<void> => {
  for (let from = 0; from < codes.length; from += atOnceMax) {
    const arePublished = await Promise.all(codes.slice(from, from + atOnceMax).map(publish));
    // Redis is away: each of the others would only wait for that, too.
    if (!arePublished.includes(true)) return;
  }
};

/** A version, and the connection on which Redis acknowledged it. */
type Published = Unpublished & { connection: number };

export const createPublishNow = (options: PublishNowOptions): PublishNow => {
  const { pool, publisher, connection, background, logger } = options;

  const tryPublish = async (code: Code, publish: RecordPublisher['publish']): Promise<boolean> => {
    try {
      const read = readRecord(code);
      if ('record' in read) await publish(read.record);
      else logger.error({ code: code.id, problem: read.problem }, 'a code cannot be published');
      return 'record' in read;
    } catch (error) {
      // The failure of the connection is a warning; that each request meets it is not news.
      logger.debug({ err: error, code: code.id }, 'a code could not be published at once');
      return false;
    }
  };

  const marks = createCoalescer<Published, undefined>({
    keyOf: ({ id, version, connection: sentOn }) => `${id} ${version} ${sentOn}`,
    async runBatch(published) {
      await markPublished(
        pool,
        published.filter((one) => one.connection === connection.number),
      );
      return new Map();
    },
    batchMax: markBatchMax,
    waitingMax: [marksWaitingMax],
    refusal: () => new Error('too many versions wait to be marked; the sweep publishes them again'),
  });

  const publishOne = async (code: Code): Promise<boolean> => {
    const sentOn = connection.number;
    if (!(await tryPublish(code, publisher.publish))) return false;
    const published = { id: code.id, version: code.version, connection: sentOn };
    background.start('marking what is published', marks.run(published));
    return true;
  };

  return {
    async publishChanged(code) {
      await publishOne(code);
    },
    publishChangedTogether: (codes) => publishTogether(codes, publishOne),
    publishCreated: (codes) => publishTogether(codes, (code) => tryPublish(code, publisher.publishNew)),
  };
};
