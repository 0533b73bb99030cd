/** Counts the scans of a code recorded in ClickHouse, without bots. */
import { z } from 'zod';
import type { CodeRecord } from '#schemas/code-record.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';

const row = z.object({ scans: z.coerce.number() });

/** @returns a function that throws if ClickHouse cannot answer */
export const createScanCount =
  (client: ClickHouseClient) =>
  async ({ workspaceId, id }: CodeRecord): Promise<number> => {
    const result = await client.query({
      query: `SELECT sum(scans) AS scans FROM scans_daily
              WHERE workspace_id = {workspaceId:String} AND code_id = {id:String}`,
      query_params: { workspaceId, id },
      format: 'JSONEachRow',
    });
    const [first] = await result.json();
    return row.parse(first).scans;
  };
