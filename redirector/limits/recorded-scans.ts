/** Counts the scans of a code recorded in ClickHouse, without bots. Erased scans count: a cap is not given back with them. */
import { z } from 'zod';
import type { CodeRecord } from '#schemas/code-record.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';

const row = z.object({ scans: z.coerce.number() });

/** @returns a function that throws if ClickHouse cannot answer */
export const createScanCount =
  (client: ClickHouseClient) =>
  async ({ workspaceId, id }: CodeRecord): Promise<number> => {
    const ofCode = 'workspace_id = {workspaceId:String} AND code_id = {id:String}';
    const result = await client.query({
      // A day that is being erased may be below zero for a while: unsigned, that is more than any cap.
      query: `SELECT sum(counted) AS scans FROM (
                SELECT greatest(toInt64(sum(scans)), 0) AS counted FROM scans_daily WHERE ${ofCode}
                UNION ALL
                SELECT toInt64(sum(scans)) AS counted FROM erased_counts FINAL WHERE ${ofCode})`,
      query_params: { workspaceId, id },
      format: 'JSONEachRow',
    });
    const [first] = await result.json();
    return row.parse(first).scans;
  };
