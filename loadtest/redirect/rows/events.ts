/** The scans a second that arrive in the embedded ClickHouse while the redirector redirects as fast as it can. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { loadSettings } from '#shared/config.ts';
import { bothCores, loadCore, moveToCores } from '../../measure/pinning.ts';
import type { Context } from '../bench/context.ts';
import { connections } from '../bench/rounds.ts';
import type { Waymark } from '../bench/waymark.ts';
import { runWrk } from '../load/wrk.ts';

export interface EventsResult {
  rowsPerSecond: number;
  redirectsPerSecond: number;
  /** Scans on disk that ClickHouse did not have yet, in seconds of load, in the middle and at the end. */
  lagMiddleS: number;
  lagEndS: number;
  /** Bytes that a scan takes in the spool. */
  bytesPerScan: number;
  /** Seconds at this rate after which a spool of the default size is full; Infinity where it does not grow. */
  spoolFullAfterS: number;
}

const countOf = async (client: ClickHouseClient): Promise<number> => {
  const result = await client.query({ query: 'SELECT count() AS rows FROM scans', format: 'JSONEachRow' });
  return Number((await result.json<{ rows: string }>())[0]!.rows);
};

/** The default of SPOOL_BYTES_MAX. */
const spoolBytesMax = loadSettings({}).redirector.spoolBytesMax;

const lagRows = async (redirector: Waymark): Promise<number> =>
  (await redirector.metric('scans_spooled_total')) - (await redirector.metric('scans_sent_total'));

export const measureEvents = async (context: Context): Promise<EventsResult> => {
  const { environment, options, start } = context;
  const seconds = options.quick ? 4 : 20;
  const client = createClickHouse(environment.clickhouseUrl, 'waymark-loadtest', 60_000);
  const redirector = await start({ name: 'events' });
  // This row measures ClickHouse, too: it may use both cores.
  moveToCores(environment.clickhousePid, bothCores);
  try {
    const { requestsFile } = environment;
    const load = runWrk({ ...redirector, requestsFile, connections, seconds: seconds + 6 });
    await sleep(4000);
    const [startRows, startMs] = [await countOf(client), performance.now()];
    await sleep((seconds * 1000) / 2);
    const middle = await lagRows(redirector);
    await sleep((seconds * 1000) / 2);
    const end = await lagRows(redirector);
    const bytesPerScan = (await redirector.metric('spool_bytes')) / Math.max(1, end);
    const rowsPerSecond = ((await countOf(client)) - startRows) / ((performance.now() - startMs) / 1000);
    const { requests, durationMs } = await load;
    const redirectsPerSecond = (requests * 1000) / durationMs;
    return {
      rowsPerSecond,
      redirectsPerSecond,
      lagMiddleS: middle / redirectsPerSecond,
      lagEndS: end / redirectsPerSecond,
      bytesPerScan,
      spoolFullAfterS: spoolBytesMax / Math.max(0, (redirectsPerSecond - rowsPerSecond) * bytesPerScan),
    };
  } finally {
    moveToCores(environment.clickhousePid, String(loadCore));
    await redirector.stop();
    await client.close();
  }
};
