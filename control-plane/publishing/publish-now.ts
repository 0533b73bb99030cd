/** Publishes right after the commit, so that a change is on its way to the redirectors when its request is answered. */
import { createCoalescer } from '#shared/coalescer.ts';
import type { Logger } from '#shared/logger.ts';
import type { Background } from '../jobs/background.ts';
import type { Pool } from '../platform/db/pool.ts';
import type { ConnectionCount } from './connection.ts';
import { type Current, type PublishedKind, type PublishedKinds, readEach } from './kind.ts';
import type { Publisher } from './publisher.ts';
import { markPublished, type Unpublished } from './queue.ts';

/** Versions in one statement. */
const markBatchMax = 1_000;
/** More wait only if the database is too slow; further ones are left to the sweep. */
const marksWaitingMax = 50_000;

/** Texts that are on their way to Redis together: a few milliseconds of its time, during which scans wait. */
const atOnceMax = 100;

export interface PublishNowOptions {
  pool: Pool;
  kinds: Pick<PublishedKinds, 'all'>;
  publisher: Publisher;
  connection: Pick<ConnectionCount, 'number'>;
  background: Background;
  logger: Logger;
}

/** Publishes after a commit. Never fails: the sweep publishes later, or a bound of redirectors does the rest. */
export interface PublishNow {
  /** Publishes things as they are now, of any kinds; other ids are ignored. */
  publish(ids: readonly string[]): Promise<void>;
  /**
   * Publishes changes that the caller has read, {@link atOnceMax} at a time. If Redis takes no text of those sent together, the
   * rest is left to the sweep.
   */
  publishChanged(kind: PublishedKind, changed: Iterable<Current>): Promise<void>;
  /** Tells redirectors that ids that they may hold as unknown exist now, as many at a time. New things have no row in the queue. */
  publishCreated(kind: PublishedKind, created: Iterable<Current>): Promise<void>;
}

/** Takes the next ones when the last ones are published: making a text takes time. */
function* chunksOf(some: Iterable<Current>): Generator<Current[]> {
  let chunk: Current[] = [];
  for (const one of some) {
    chunk.push(one);
    if (chunk.length < atOnceMax) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

const publishTogether = async (
  some: Iterable<Current>,
  publish: (one: Current) => Promise<boolean>,
): Promise<void> => {
  for (const chunk of chunksOf(some)) {
    const arePublished = await Promise.all(chunk.map(publish));
    // Redis is away: each of the others would only wait for that, too.
    if (!arePublished.includes(true)) return;
  }
};

/** A version, and the connection on which Redis acknowledged it. */
type Published = Unpublished & { connection: number };

export const createPublishNow = (options: PublishNowOptions): PublishNow => {
  const { pool, kinds, publisher, connection, background, logger } = options;

  /** @returns whether Redis took it */
  const tryPublish = async (
    kind: PublishedKind,
    one: Current,
    publish: Publisher['publish'],
  ): Promise<boolean> => {
    if ('problem' in one) {
      logger.error({ [kind.name]: one.id, problem: one.problem }, 'a change cannot be published');
      return false;
    }
    try {
      await publish(kind, one);
      return true;
    } catch (error) {
      // The failure of the connection is a warning; that each request meets it is not news.
      logger.debug({ err: error, [kind.name]: one.id }, 'a change could not be published at once');
      return false;
    }
  };

  const marks = createCoalescer<Published, undefined>({
    keyOf: ({ kind, id, version, connection: sentOn }) => `${kind} ${id} ${version} ${sentOn}`,
    async runBatch(published) {
      const valid = published.filter((one) => one.connection === connection.number);
      if (valid.length > 0) await markPublished(pool, valid);
      return new Map();
    },
    batchMax: markBatchMax,
    waitingMax: [marksWaitingMax],
    refusal: () => new Error('too many versions wait to be marked; the sweep publishes them again'),
  });

  const publishOne = async (kind: PublishedKind, one: Current): Promise<boolean> => {
    const sentOn = connection.number;
    if (!(await tryPublish(kind, one, publisher.publish)) || 'problem' in one) return false;
    const published = { kind: kind.name, id: one.id, version: one.version, connection: sentOn };
    background.start('marking published versions', marks.run(published));
    return true;
  };

  const publishChanged: PublishNow['publishChanged'] = (kind, changed) =>
    publishTogether(changed, (one) => publishOne(kind, one));

  const publishOfKind = async (kind: PublishedKind, ids: readonly string[]): Promise<void> => {
    try {
      await publishChanged(kind, await readEach(kind, ids));
    } catch (error) {
      logger.debug({ err: error, kind: kind.name, ids }, 'changes could not be read at once');
    }
  };

  return {
    async publish(ids) {
      await Promise.all(kinds.all.map((kind) => publishOfKind(kind, ids.filter(kind.owns))));
    },
    publishChanged,
    publishCreated: (kind, created) =>
      publishTogether(created, (one) => tryPublish(kind, one, publisher.publishNew)),
  };
};
