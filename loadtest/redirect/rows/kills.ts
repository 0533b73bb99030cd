/**
 * kill -9 under full load, again and again. A client counts the scans of each code that were acknowledged; afterwards
 * ClickHouse must know each of them, and none twice, in the raw table and in both rollups. A scan that was recorded and not
 * acknowledged is no error: the kill came between the write and the answer, and a phone may see its redirect fail and scan again.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import type { Context } from '../../bench/context.ts';
import { recordOf, writeRecords } from '../../bench/environment.ts';
import { type Connection, connect } from '../../load/connection.ts';
import { codeCount, newIds, requestsFor } from '../../load/traffic.ts';

export interface KillsResult {
  kills: number;
  acknowledged: number;
  recorded: number;
  /** Acknowledged, and missing in the raw table. */
  lost: number;
  /** Rows that the raw table has more than once, and the difference of either rollup from it. */
  countedTwice: number;
}

const connectionCount = 64;
const workspace = 'ws_kills11111111111';

interface Totals {
  raw: Map<string, number>;
  duplicates: number;
  daily: number;
  breakdown: number;
}

/** Closed loop until the server is gone. @param acknowledged grows by one at the index of each code that is answered */
const loadUntilGone = async (
  port: number,
  requests: readonly string[],
  acknowledged: Uint32Array,
): Promise<{ gone: Promise<void>; close(): void }> => {
  let position = Math.floor(Math.random() * requests.length);
  let open = connectionCount;
  let end = () => {};
  const gone = new Promise<void>((resolve) => {
    end = resolve;
  });
  const connections: Connection[] = [];
  const start = async (): Promise<void> => {
    let code = 0;
    const next = (): void => {
      position = (position + 1) % requests.length;
      code = position % codeCount;
      connection.send(requests[position]!);
    };
    const connection = await connect(port, {
      onResponse(response) {
        if (response.startsWith('302', 9)) acknowledged[code]!++;
        next();
      },
      onClosed() {
        if (--open === 0) end();
      },
    });
    connections.push(connection);
    next();
  };
  for (let index = 0; index < connectionCount; index++) await start();
  return {
    gone,
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
};

const rowsOf = async <T>(client: ClickHouseClient, query: string): Promise<T[]> => {
  const result = await client.query({ query, format: 'JSONEachRow', query_params: { workspace } });
  return result.json<T>();
};

const numberOf = async (client: ClickHouseClient, expression: string, from: string): Promise<number> =>
  Number((await rowsOf<{ value: string }>(client, `SELECT ${expression} AS value FROM ${from}`))[0]!.value);

const totalsOf = async (client: ClickHouseClient): Promise<Totals> => {
  const where = 'WHERE workspace_id = {workspace: String}';
  const counts = await rowsOf<{ code_id: string; scans: string }>(
    client,
    `SELECT code_id, count() AS scans FROM scans ${where} GROUP BY code_id`,
  );
  return {
    raw: new Map(counts.map((row) => [row.code_id, Number(row.scans)])),
    duplicates: await numberOf(client, 'count() - uniqExact(event_id)', `scans ${where}`),
    daily: await numberOf(client, 'sum(scans) + sum(bots)', `scans_daily ${where}`),
    breakdown: await numberOf(
      client,
      'sum(scans)',
      `scans_daily_breakdown ${where} AND dimension = 'device'`,
    ),
  };
};

/** Compares what was acknowledged with what was recorded. */
export const compare = (
  ids: readonly string[],
  acknowledged: ArrayLike<number>,
  { raw, duplicates, daily, breakdown }: Totals,
): Pick<KillsResult, 'acknowledged' | 'recorded' | 'lost' | 'countedTwice'> => {
  let lost = 0;
  let total = 0;
  ids.forEach((id, index) => {
    const count = acknowledged[index] ?? 0;
    total += count;
    lost += Math.max(0, count - (raw.get(id) ?? 0));
  });
  const recorded = [...raw.values()].reduce((sum, count) => sum + count, 0);
  const countedTwice = duplicates + Math.abs(daily - recorded) + Math.abs(breakdown - recorded);
  return { acknowledged: total, recorded, lost, countedTwice };
};

/** The process is ended by its own pid, which this command started. */
const killOnce = async (
  context: Context,
  port: number | undefined,
  requests: readonly string[],
  acknowledged: Uint32Array,
): Promise<number> => {
  const redirector = await context.start({ name: 'kills', ...(port === undefined ? {} : { port }) });
  const load = await loadUntilGone(redirector.port, requests, acknowledged);
  await sleep(500 + Math.random() * 1000);
  process.kill(redirector.pid, 'SIGKILL');
  await Promise.all([redirector.exited, load.gone]);
  load.close();
  return redirector.port;
};

export const measureKills = async (context: Context): Promise<KillsResult> => {
  const { environment, quick, say } = context;
  const kills = quick ? 3 : 20;
  const ids = newIds(environment.codeIds, codeCount);
  await writeRecords(
    environment.redis,
    ids.map((id) => recordOf(id, { workspaceId: workspace })),
  );
  const requests = requestsFor(ids, '/r/');
  const acknowledged = new Uint32Array(codeCount);
  let port: number | undefined;
  for (let kill = 0; kill < kills; kill++) port = await killOnce(context, port, requests, acknowledged);
  say(`${kills} × kill -9 done, draining ${path.join(environment.home, 'kills')}`);
  const last = await context.start({ name: 'kills' });
  try {
    await last.drained();
  } finally {
    await last.stop();
  }
  const client = createClickHouse(environment.clickhouseUrl, 'waymark-loadtest', 60_000);
  try {
    return { kills, ...compare(ids, acknowledged, await totalsOf(client)) };
  } finally {
    await client.close();
  }
};
