/**
 * ClickHouse as a sink of scans: one INSERT per segment, deduplicated by the segment's name. ClickHouse remembers the
 * last 500,000 INSERTs (schemas/clickhouse/0001) of all processes together: 7 hours at the target rate of 20 a second
 * (insert-pace.ts). A segment that is stored, whose answer is lost and whose retry comes later than that, counts twice.
 * For each INSERT and table, the memory costs 65 bytes of a log on disk and an entry of some 250 bytes (by its fields)
 * in memory: a full window is 125 MB in each of the seven tables. One process, at an INSERT a second, fills it in six
 * days.
 *
 * Each INSERT makes a part in `scans` and in the six tables fed by views. ClickHouse slows INSERTs down at 1,000
 * unmerged parts in a partition, and refuses them at 3,000. If a hundred processes each sent a segment every 0.8 s,
 * that would be 125 parts a second in each table: 8 seconds to the first limit and 24 to the second, if merging pauses.
 * At 20 a second it is 50 and 150 seconds; each of the hundred then sends every 5 s. A merge takes ten parts or more at
 * once, so 2 merges a second in each table keep up. While ClickHouse is down, segments grow instead of multiplying
 * (spool.ts): an hour of a hundred processes at 1,000 scans a second each is 36 GB in 2,150 segments of 16 MiB.
 *
 * A segment is compressed (insert-body.ts). If ClickHouse cannot read that, the segment is sent once more uncompressed:
 * an old version, or a proxy that drops the header or refuses the request, costs one attempt and a warning an hour,
 * never a scan. Only rows that ClickHouse cannot read uncompressed are refused. A segment is stored when ClickHouse
 * says that it has read all its rows (insert-answer.ts).
 */

import { ClickHouseError } from '@clickhouse/client';
import { scanInsert } from '#schemas/scan-event.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';
import { checkAnswer, InsertAnswerError } from './insert-answer.ts';
import { type Compression, openBody } from './insert-body.ts';
import { SegmentRefusedError, type Sink } from './shipper.ts';

/** A segment that is retried within this time after its first attempt counts once. */
export const retryHours = 6;

/**
 * Error codes that blame the bytes, not the moment: ATTEMPT_TO_READ_AFTER_EOF, CANNOT_READ_ALL_DATA, INCORRECT_DATA,
 * TOO_LARGE_STRING_SIZE, UNKNOWN_ELEMENT_OF_ENUM.
 */
const refusals = new Set(['32', '33', '117', '131', '691']);
/**
 * Further codes for a compressed body: ZSTD_DECODER_FAILED, ZLIB_INFLATE_FAILED under the name of gzip, and, from
 * versions that do not know the compression, NOT_IMPLEMENTED or BAD_ARGUMENTS. Compressed bytes that are read as rows
 * get one of the refusals.
 */
const compressionRefusals = new Set([...refusals, '561', '354', '48', '36']);

const isOneOf = (error: unknown, codes: ReadonlySet<string>): error is ClickHouseError =>
  error instanceof ClickHouseError && codes.has(error.code);

/**
 * Whether a compressed body may get this error although a plain one would be taken: from ClickHouse or from a proxy.
 */
const mayBeCompression = (error: unknown): boolean => {
  if (!(error instanceof InsertAnswerError)) return isOneOf(error, compressionRefusals);
  return error.readTooFew || (error.status >= 400 && error.status < 500) || error.status === 501;
};

interface Batch {
  name: string;
  rows: number;
  bytes: Buffer;
}

/** More rows than a segment can produce in any table. */
const blockRows = 2 ** 24;

const settingsOf = (segmentName: string) => ({
  insert_deduplication_token: segmentName,
  insert_deduplicate: 1 as const,
  // Views feed the rollups: without this, a retried batch would count twice there.
  deduplicate_blocks_in_dependent_materialized_views: 1 as const,
  // One block in each table, read in one piece, whatever the server's profile says. ClickHouse deduplicates each block
  // separately by the token: if a retry cuts the blocks elsewhere, they count twice in part, or, joined from other
  // pieces, as a whole. Also, a view emits rows in any order: of two blocks one may be stored when the attempt fails,
  // and the retry may have its rows in the other block.
  max_insert_block_size: String(blockRows),
  max_block_size: String(blockRows),
  min_insert_block_size_rows: String(blockRows),
  min_insert_block_size_bytes: '0',
  min_insert_block_size_rows_for_materialized_views: '0',
  min_insert_block_size_bytes_for_materialized_views: '0',
  // By these the view of the breakdowns knows which dimension a row is of.
  force_grouping_standard_compatibility: 1 as const,
  group_by_use_nulls: 0 as const,
  // A segment is a batch already, and an acknowledgement must mean that it is stored.
  async_insert: 0 as const,
  wait_end_of_query: 1 as const,
});

/** From the head of an answer to its end. With `wait_end_of_query` ClickHouse sends both when everything is done. */
const answerTimeoutDefaultMs = 10_000;

/** How long to go without compression: the reason may be one changed byte, or a proxy that stays. */
const plainForDefaultMs = 3_600_000;

/** @param compression of the bodies; `zstd` is paused for a time if ClickHouse takes a segment only without it */
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
        // It is read below, within limits.
        ignore_error_response: true,
      });
      await checkAnswer(answer, batch.rows, answerTimeoutMs, signal);
    } finally {
      // The next segment is read into the same buffer, so nothing may read it after this.
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
          'ClickHouse took a segment only uncompressed: sending all segments so for a while, as with CLICKHOUSE_COMPRESSION=none',
        );
      }
    },
  };
};
