/**
 * The scans of a code, oldest first, page by page: each page is one short query that continues after the previous
 * page, so a slow reader holds nothing of ClickHouse. A scan recorded meanwhile is included if it is still ahead.
 */
import { z } from 'zod';
import type { ExportWindow } from '#schemas/api/exports.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';

/** Of a page that is streamed. */
export const rowsMax = 5_000;

/** A scan as ClickHouse writes it. Checked, because an error may follow rows and look like one. */
export const exportedScan = z.object({
  tsMs: z.coerce.number(),
  eventId: z.string(),
  kindName: z.string(),
  deviceName: z.string(),
  osName: z.string(),
  browserName: z.string(),
  countryCode: z.string(),
  referrer: z.string(),
  sourceId: z.string(),
  variant: z.string(),
  rule: z.string(),
  visitorHash: z.string(),
});

export type ExportedScan = z.infer<typeof exportedScan>;

interface Place {
  afterMs: number;
  afterId: string;
}

/** SQL: a scan without its visitor. Aliases differ from column names: ClickHouse would confuse them in the conditions. */
export const scanColumns = `toUnixTimestamp64Milli(ts) AS tsMs, toString(event_id) AS eventId, toString(kind) AS kindName,
    toString(device) AS deviceName, toString(os) AS osName, toString(browser) AS browserName,
    toString(country) AS countryCode, referrer_host AS referrer, source AS sourceId, variant_id AS variant,
    rule_id AS rule`;

const query = `
  SELECT ${scanColumns}, lower(hex(visitor)) AS visitorHash
  FROM scans
  WHERE workspace_id = {workspaceId:String} AND code_id = {codeId:String}
    AND ts >= fromUnixTimestamp64Milli({afterMs:Int64}, 'UTC') AND ts < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
    AND (ts > fromUnixTimestamp64Milli({afterMs:Int64}, 'UTC') OR event_id > {afterId:UUID})
  ORDER BY ts, event_id
  LIMIT ${rowsMax}`;

export const noId = '00000000-0000-0000-0000-000000000000';

const unavailable = (cause: unknown): ClientError =>
  new ClientError('UNAVAILABLE', 'Scans are temporarily unavailable', { cause });

/**
 * @param line of a page
 * @throws {ClientError} UNAVAILABLE if it is not a scan: ClickHouse has failed after its first rows
 */
export const parseScan = (line: string): ExportedScan => parseLine(exportedScan, line);

/** The same for a scan with other columns. */
export const parseLine = <Scan>(schema: z.ZodType<Scan>, line: string): Scan => {
  try {
    return schema.parse(JSON.parse(line));
  } catch (cause) {
    throw unavailable(cause);
  }
};

/**
 * Pages of scans, each a line of JSON: parsing them all at once would hold up the event loop.
 * @throws {ClientError} as `parseScan`
 */
export async function* scanPages(
  clickhouse: ClickHouseClient,
  code: { id: string; workspaceId: string },
  { fromMs, toMs }: ExportWindow,
): AsyncGenerator<string[]> {
  let place: Place = { afterMs: fromMs, afterId: noId };
  for (;;) {
    const page = await readScanLines(clickhouse, query, {
      workspaceId: code.workspaceId,
      codeId: code.id,
      toMs,
      ...place,
    });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (page.length < rowsMax) return;
    const { tsMs, eventId } = parseScan(last);
    place = { afterMs: tsMs, afterId: eventId };
  }
}

/** Scans as lines of JSON. @throws {ClientError} UNAVAILABLE while ClickHouse does not answer */
export const readScanLines = async (
  clickhouse: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown>,
): Promise<string[]> => {
  try {
    const result = await clickhouse.query({ query, query_params, format: 'JSONEachRow' });
    return (await result.text()).split('\n').filter((line) => line !== '');
  } catch (cause) {
    throw unavailable(cause);
  }
};
