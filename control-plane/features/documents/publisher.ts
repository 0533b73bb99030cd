/** Writes documents: to Redis, and to the change stream that announces a new version to redirectors. */
import { documentField, documentFormat, documentKey } from '#schemas/documents.ts';
import type { Redis } from '#shared/redis.ts';
import { createConditionalWrite, type WriteConditions } from '../codes/publishing/conditional-write.ts';
import { OutdatedTimelineError } from '../codes/publishing/records.ts';
import type { SerializedDocument } from './kinds.ts';

export interface DocumentPublisher {
  /**
   * Replaces the document in Redis and announces it, unless a newer one is there.
   * @throws when Redis is away or does not answer in time
   * @throws {OutdatedTimelineError}
   */
  publish(document: SerializedDocument): Promise<void>;
  /** The same where Redis has an older one. @returns whether it had @throws as {@link DocumentPublisher.publish} */
  confirm(document: SerializedDocument): Promise<boolean>;
  /** Puts what was looked up where the next lookup finds it. @throws when Redis is away or does not answer in time */
  fill(documents: readonly SerializedDocument[]): Promise<void>;
}

export const createDocumentPublisher = (redis: Redis): DocumentPublisher => {
  const writeVersioned = createConditionalWrite(redis);
  const write = (document: SerializedDocument, how: WriteConditions) =>
    writeVersioned(
      { ...document, key: documentKey(document.id), format: documentFormat, field: documentField },
      how,
    );

  const announce = async (document: SerializedDocument, onlyOver: boolean): Promise<boolean> => {
    const written = await write(document, { announces: true, onlyOver });
    if (written < 0) throw new OutdatedTimelineError(`${document.id} was read before a later timeline began`);
    return written === 1;
  };

  return {
    async publish(document) {
      await announce(document, false);
    },
    confirm: (document) => announce(document, true),
    async fill(documents) {
      await Promise.all(documents.map((document) => write(document, { announces: false, onlyOver: false })));
    },
  };
};
