/**
 * The scans a second that arrive in the embedded ClickHouse while the redirector redirects as fast as it can, and the CPU
 * that each of the two takes for one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { loadSettings } from '#shared/config.ts';
import type { Context } from '../../bench/context.ts';
import { connections } from '../../bench/rounds.ts';
import type { Waymark } from '../../bench/waymark.ts';
import { runWrk } from '../../load/wrk.ts';
import { bothCores, loadCore, moveToCores } from '../../measure/pinning.ts';
import { cpuMsOf } from '../../measure/processes.ts';

export interface EventsResult {
  rowsPerSecond: number;
  redirectsPerSecond: number;
  /** The mean of the INSERTs. */
  rowsPerInsert: number;
  /** CPU of the redirector for a redirect, and of ClickHouse for a row, in µs. */
  redirectorCpuUs: number;
  clickhouseCpuUs: number;
  /** Scans on disk that ClickHouse did not have yet, in seconds of load, in the middle and at the end. */
  lagMiddleS: number;
  lagEndS: number;
  /** Bytes that a scan takes in the spool. */
  bytesPerScan: number;
  /** Seconds at this rate after which a spool of the default size is full; Infinity if it does not grow. */
  spoolFullAfterS: number;
  /** The same while ClickHouse is away. */
  spoolFullAloneS: number;
}

interface Arrived {
  rows: number;
  /** Each INSERT makes a part, numbered one after the other. */
  inserts: number;
}

const arrivedIn = async (client: ClickHouseClient): Promise<Arrived> => {
  const result = await client.query({
    query: `SELECT (SELECT toFloat64(count()) FROM scans) AS rows, toFloat64(max(max_block_number)) AS inserts
            FROM system.parts WHERE database = currentDatabase() AND table = 'scans'`,
    format: 'JSONEachRow',
  });
  return (await result.json<Arrived>())[0]!;
};

/** The default of SPOOL_BYTES_MAX. */
const spoolBytesMax = loadSettings({}).redirector.spoolBytesMax;

const lagRows = async (redirector: Waymark): Promise<number> =>
  (await redirector.metric('scans_spooled_total')) - (await redirector.metric('scans_sent_total'));

/** How long a batch may take to arrive. */
const arrivalMsMax = 15_000;

/** The work up to a moment. */
interface Sums extends Arrived {
  redirects: number;
  ms: number;
  redirectorCpuMs: number;
  clickhouseCpuMs: number;
}

/** The sums right after a batch has arrived: in between, some of it is still under way. */
const sumsAtArrival = async (
  client: ClickHouseClient,
  clickhousePid: number,
  redirector: Waymark,
): Promise<Sums> => {
  const before = await arrivedIn(client);
  const endMs = performance.now() + arrivalMsMax;
  for (;;) {
    await sleep(100);
    const arrived = await arrivedIn(client);
    if (arrived.rows === before.rows && performance.now() < endMs) continue;
    return {
      ...arrived,
      ms: performance.now(),
      clickhouseCpuMs: cpuMsOf(clickhousePid),
      redirectorCpuMs: cpuMsOf(redirector.pid),
      redirects: await redirector.metric('scans_spooled_total'),
    };
  }
};

const figuresOf = (start: Sums, end: Sums) => {
  const [rows, redirects] = [end.rows - start.rows, end.redirects - start.redirects];
  return {
    rowsPerSecond: (rows * 1000) / (end.ms - start.ms),
    rowsPerInsert: rows / (end.inserts - start.inserts),
    clickhouseCpuUs: ((end.clickhouseCpuMs - start.clickhouseCpuMs) * 1000) / rows,
    redirectorCpuUs: ((end.redirectorCpuMs - start.redirectorCpuMs) * 1000) / redirects,
  };
};

export const measureEvents = async (context: Context): Promise<EventsResult> => {
  const { environment, quick, start } = context;
  const { requestsFile, clickhousePid } = environment;
  const seconds = quick ? 4 : 20;
  const client = createClickHouse(environment.clickhouseUrl, 'waymark-loadtest', 60_000);
  const redirector = await start({ name: 'events' });
  // This row measures ClickHouse, too: it may use both cores.
  moveToCores(clickhousePid, bothCores);
  try {
    const load = runWrk({ ...redirector, requestsFile, connections, seconds: seconds + 14 });
    await sleep(3000);
    const first = await sumsAtArrival(client, clickhousePid, redirector);
    await sleep((seconds * 1000) / 2);
    const middle = await lagRows(redirector);
    await sleep((seconds * 1000) / 2);
    const end = await lagRows(redirector);
    const bytesPerScan = (await redirector.metric('spool_bytes')) / Math.max(1, end);
    const figures = figuresOf(first, await sumsAtArrival(client, clickhousePid, redirector));
    const { requests, durationMs } = await load;
    const redirectsPerSecond = (requests * 1000) / durationMs;
    const growthPerSecond = Math.max(0, redirectsPerSecond - figures.rowsPerSecond);
    return {
      ...figures,
      redirectsPerSecond,
      lagMiddleS: middle / redirectsPerSecond,
      lagEndS: end / redirectsPerSecond,
      bytesPerScan,
      spoolFullAfterS: spoolBytesMax / (growthPerSecond * bytesPerScan),
      spoolFullAloneS: spoolBytesMax / (redirectsPerSecond * bytesPerScan),
    };
  } finally {
    moveToCores(clickhousePid, String(loadCore));
    await redirector.stop();
    await client.close();
  }
};
