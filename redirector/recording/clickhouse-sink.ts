/**
 * ClickHouse as a sink of scans: one INSERT for a segment, which ClickHouse recognises by the segment's name. It remembers
 * the last 500,000 INSERTs (schemas/clickhouse/0001) of all processes together: 7 hours at the 20 a second at which they
 * aim (insert-pace.ts). If a segment is stored and the answer is lost, and it is sent again later than that, it counts
 * twice. The memory costs, for each INSERT and table, 65 bytes of a log on disk and an entry of some 250 bytes (by its fields)
 * in memory: a full window is 125 MB in each of the four tables. One process, at an INSERT a second, fills it in six days.
 *
 * Each INSERT makes a part in `scans` and in the three tables that views feed. ClickHouse slows INSERTs down at 1,000 parts
 * in a partition that are not merged yet, and refuses them at 3,000. With a hundred processes and a segment of each every
 * 0.8 s it would be 125 parts a second in each table: 8 seconds to the first bound, 24 to the second, if merging pauses.
 * At 20 a second it is 50 seconds and 150; each of the hundred then sends every 5 s. A merge takes ten parts or more at
 * once, so that 2 merges a second in each table keep up. While ClickHouse is away segments grow instead of becoming
 * more (spool.ts): an hour of a hundred processes at 1,000 scans a second each is 36 GB in 2,150 segments of 16 MiB.
 *
 * A segment is compressed (insert-body.ts). Where ClickHouse cannot read that, it is sent once more as it is: an old version,
 * or a proxy that loses the header or refuses the request, costs one try and a warning an hour, never a scan. Only rows that
 * it cannot read as they are are refused. A segment is stored when ClickHouse says that it has read all its rows
 * (insert-answer.ts).
 */

import { ClickHouseError } from '@clickhouse/client';
import { scanInsert } from '#schemas/scan-event.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';
import { checkAnswer, InsertAnswerError } from './insert-answer.ts';
import { type Compression, openBody } from './insert-body.ts';
import { SegmentRefusedError, type Sink } from './shipper.ts';

/** A segment that is sent again within this time after its first try counts once. */
export const retryHours = 6;

/**
 * Error codes that are about the bytes, not about the moment: ATTEMPT_TO_READ_AFTER_EOF, CANNOT_READ_ALL_DATA,
 * INCORRECT_DATA, TOO_LARGE_STRING_SIZE, UNKNOWN_ELEMENT_OF_ENUM.
 */
const refusals = new Set(['32', '33', '117', '131', '691']);
/**
 * Further ones that a compressed body may get: ZSTD_DECODER_FAILED, ZLIB_INFLATE_FAILED under the name of gzip, and of
 * versions that do not know the compression NOT_IMPLEMENTED or BAD_ARGUMENTS. Compressed bytes that are taken for rows get
 * one of the refusals.
 */
const compressionRefusals = new Set([...refusals, '561', '354', '48', '36']);

const isOneOf = (error: unknown, codes: ReadonlySet<string>): error is ClickHouseError =>
  error instanceof ClickHouseError && codes.has(error.code);

/** Whether a compressed body may get this error where a plain one is taken: from ClickHouse, or from a proxy for itself. */
const mayBeCompression = (error: unknown): boolean => {
  if (!(error instanceof InsertAnswerError)) return isOneOf(error, compressionRefusals);
  return error.readTooFew || (error.status >= 400 && error.status < 500) || error.status === 501;
};

/** A segment's rows. */
interface Batch {
  name: string;
  rows: number;
  bytes: Buffer;
}

/** More rows than a segment can give any table. */
const blockRows = 2 ** 24;

const settingsOf = (segmentName: string) => ({
  insert_deduplication_token: segmentName,
  insert_deduplicate: 1 as const,
  // Views feed the rollups: without this a retried batch would count twice there.
  deduplicate_blocks_in_dependent_materialized_views: 1 as const,
  // One block in each table, read in one piece, whatever the server's profile says. By the token ClickHouse recognises each
  // block for itself: cut elsewhere by the second try, blocks count twice in part, or, joined from other pieces, as a
  // whole. And what a view makes comes in any order: of two blocks one may be stored when the try fails, and its rows be
  // in the other block of the next try.
  max_insert_block_size: String(blockRows),
  max_block_size: String(blockRows),
  min_insert_block_size_rows: String(blockRows),
  min_insert_block_size_bytes: '0',
  min_insert_block_size_rows_for_materialized_views: '0',
  min_insert_block_size_bytes_for_materialized_views: '0',
  // A segment is a batch already, and an acknowledgement must mean that it is stored.
  async_insert: 0 as const,
  wait_end_of_query: 1 as const,
});

/** From an answer's head to its end. With `wait_end_of_query` ClickHouse sends both when all is done. */
const answerTimeoutDefaultMs = 10_000;

/** For how long compression is given up: one changed byte may be the reason, or a proxy that stays. */
const plainForDefaultMs = 3_600_000;

/** @param compression of the bodies; `zstd` is given up for a time when ClickHouse takes a segment only without it */
export const createClickHouseSink = (
  client: ClickHouseClient,
  logger: Logger,
  compression: Compression = 'zstd',
  { answerTimeoutMs, plainForMs } = {
    answerTimeoutMs: answerTimeoutDefaultMs,
    plainForMs: plainForDefaultMs,
  },
): Sink => {
  let plainUntilMs = 0;

  const insert = async (batch: Batch, by: Compression, signal: AbortSignal): Promise<void> => {
    const { body, headers } = openBody(batch.bytes, by);
    try {
      const answer = await client.exec({
        query: scanInsert,
        values: body,
        http_headers: headers,
        abort_signal: signal,
        clickhouse_settings: settingsOf(batch.name),
        // It is read here, within bounds.
        ignore_error_response: true,
      });
      await checkAnswer(answer, batch.rows, answerTimeoutMs, signal);
    } finally {
      // The next segment is read into the same buffer: nothing may read from it any more.
      body.destroy();
    }
  };

  const insertPlain = async (batch: Batch, signal: AbortSignal): Promise<void> => {
    try {
      await insert(batch, 'none', signal);
    } catch (error) {
      if (isOneOf(error, refusals)) throw new SegmentRefusedError(error.message, { cause: error });
      throw error;
    }
  };

  return {
    name: 'clickhouse',
    async send(segment, signal) {
      const batch = { name: segment.name, rows: segment.rows, bytes: await segment.read() };
      if (compression === 'none' || Date.now() < plainUntilMs) return insertPlain(batch, signal);
      try {
        await insert(batch, compression, signal);
      } catch (error) {
        if (!mayBeCompression(error)) throw error;
        await insertPlain(batch, signal);
        plainUntilMs = Date.now() + plainForMs;
        logger.warn(
          { err: error, segment: batch.name, plainForMs },
          'ClickHouse took a segment only uncompressed: for a while all are sent so, as with CLICKHOUSE_COMPRESSION=none',
        );
      }
    },
  };
};
