/** ClickHouse as a sink of scans: one INSERT for a segment, which ClickHouse knows again by the segment's name. */

import { Readable } from 'node:stream';
import { ClickHouseError } from '@clickhouse/client';
import { scanInsert } from '#schemas/scan-event.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { SegmentRefusedError, type Sink } from './shipper.ts';

/**
 * Error codes that speak of the bytes, not of the moment: CANNOT_READ_ALL_DATA, INCORRECT_DATA, TOO_LARGE_STRING_SIZE,
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
          // The rollups are fed by views: without this a retried batch would count there twice.
          deduplicate_blocks_in_dependent_materialized_views: 1,
          // The segment is the batch already; and an acknowledgement must mean that it is stored.
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
