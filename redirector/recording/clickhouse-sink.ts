/**
 * ClickHouse as a sink of scans: one INSERT for a segment, which ClickHouse recognises by the segment's name. It remembers
 * the last 500,000 INSERTs (schemas/clickhouse/0003) of all processes together: 7 hours at the 20 a second at which they
 * aim (insert-pace.ts). If a segment is stored and the answer is lost, and it is sent again later than that, it counts
 * twice. The memory costs, for each INSERT and table, 65 bytes of a log on disk and an entry of some 250 bytes (by its fields)
 * in memory: a full window is 125 MB in each of the four tables. One process, at an INSERT a second, fills it in six days.
 *
 * Each INSERT makes a part in `scans` and in the three tables that views feed. ClickHouse slows INSERTs down at 1,000 parts
 * in a partition that are not merged yet, and refuses them at 3,000. With a hundred processes and a segment of each every
 * 0.8 s it would be 125 parts a second in each table: 8 seconds to the first bound, 24 to the second, if merging pauses.
 * At 20 a second it is 50 seconds and 150; each of the hundred then sends every 5 s. A merge takes ten parts or more at
 * once, so that 2 merges a second in each table keep up. While ClickHouse is away segments grow instead of becoming
 * more (spool.ts): an hour of a hundred processes at 1,000 scans a second each is 36 GB in 4,300 segments of 8 MB.
 */

import { Readable } from 'node:stream';
import { ClickHouseError } from '@clickhouse/client';
import { scanInsert } from '#schemas/scan-event.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { SegmentRefusedError, type Sink } from './shipper.ts';

/** A segment that is sent again within this time after its first try counts once. */
export const retryHours = 6;

/**
 * Error codes that are about the bytes, not about the moment: CANNOT_READ_ALL_DATA, INCORRECT_DATA, TOO_LARGE_STRING_SIZE,
 * UNKNOWN_ELEMENT_OF_ENUM.
 */
const refusals = new Set(['33', '117', '131', '691']);

export const createClickHouseSink = (client: ClickHouseClient): Sink => ({
  name: 'clickhouse',
  async send(segment, signal) {
    const bytes = await segment.read();
    try {
      const { stream } = await client.exec({
        query: scanInsert,
        values: Readable.from([bytes], { objectMode: false }),
        abort_signal: signal,
        clickhouse_settings: {
          insert_deduplication_token: segment.name,
          insert_deduplicate: 1,
          // Views feed the rollups: without this a retried batch would count twice there.
          deduplicate_blocks_in_dependent_materialized_views: 1,
          // A segment is a batch already, and an acknowledgement must mean that it is stored.
          async_insert: 0,
          wait_end_of_query: 1,
        },
      });
      stream.resume();
    } catch (error) {
      if (error instanceof ClickHouseError && refusals.has(error.code)) {
        throw new SegmentRefusedError(error.message, { cause: error });
      }
      throw error;
    }
  },
});
