/**
 * The time in which an update reaches every redirector process: from the start of a PUT to the first scan that the last of
 * four processes answers with the new destination, under load. The whole service runs as `npm start` runs it.
 */
import path from 'node:path';
import { z } from 'zod';
import type { Context } from '../../bench/context.ts';
import { apiKey } from '../../bench/planes.ts';
import { type Service, startService } from '../../bench/service.ts';
import { call, callFor } from '../../bench/workspace.ts';
import { startAutocannon } from '../../load/autocannon.ts';
import { type Connection, connect } from '../../load/connection.ts';
import { requestOf, requestsFor, writeRequests } from '../../load/traffic.ts';
import { processOfClientPorts, treeOf } from '../../measure/processes.ts';
import { percentile } from '../../measure/statistics.ts';

export interface UpdateResult {
  updates: number;
  processes: number;
  loadPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const processes = 4;
const codes = 100;
const loadPerSecond = 5000;
/**
 * Beside the load, four connections ask for the changed code, with this pause after an answer: without a pause their requests
 * alone would keep both cores busy.
 */
const askEveryMs = 1;
const createdCode = z.object({ id: z.string() });

const clientOf = ({ apiUrl }: Service) => ({ url: apiUrl, apiKey });

/** Asks for one code again and again, until an answer is the wanted one. */
interface Watcher {
  untilAnswered(nextRequest: () => string, isWanted: (response: string) => boolean): Promise<number>;
  connection: Connection;
}

const openWatcher = async (port: number): Promise<Watcher> => {
  let onResponse = (_response: string): void => {};
  const connection = await connect(port, {
    onResponse: (response) => onResponse(response),
    onClosed: () => {},
  });
  return {
    connection,
    untilAnswered: (nextRequest, isWanted) =>
      new Promise((resolve) => {
        onResponse = (response) => {
          if (isWanted(response)) resolve(performance.now());
          else setTimeout(() => connection.send(nextRequest()), askEveryMs);
        };
        connection.send(nextRequest());
      }),
  };
};

/** Opens connections until each process has one: the kernel spreads them over the processes (SO_REUSEPORT). */
const watcherForEach = async (service: Service): Promise<Watcher[]> => {
  const watchers = new Map<number, Watcher>();
  const others: Watcher[] = [];
  for (let attempts = 0; attempts < 500 && watchers.size < processes; attempts++) {
    const watcher = await openWatcher(service.port);
    // An answer proves that a process has accepted it.
    await watcher.untilAnswered(
      () => requestOf('/r/none', attempts),
      () => true,
    );
    const pid = processOfClientPorts(treeOf(service.pid)).get(watcher.connection.localPort);
    if (pid === undefined || watchers.has(pid)) others.push(watcher);
    else watchers.set(pid, watcher);
  }
  for (const { connection } of others) connection.close();
  if (watchers.size < processes)
    throw new Error(`only ${watchers.size} of ${processes} processes were reached`);
  return [...watchers.values()];
};

const timeUpdates = async (service: Service, id: string, count: number): Promise<Float64Array> => {
  const watchers = await watcherForEach(service);
  const latenciesMs = new Float64Array(count);
  let scans = 0;
  // Another address each time: a client may ask 600 times a minute.
  const nextRequest = () => requestOf(`/r/${id}`, scans++ % 60_000);
  for (let update = 0; update < count; update++) {
    const destination = `https://example.com/updated/${update}`;
    const seen = watchers.map((watcher) =>
      watcher.untilAnswered(nextRequest, (response) => response.includes(`ocation: ${destination}\r\n`)),
    );
    const startMs = performance.now();
    await (await call(clientOf(service), 'PUT', `/api/qr/codes/${id}`, { destination })).arrayBuffer();
    latenciesMs[update] = Math.max(...(await Promise.all(seen))) - startMs;
  }
  for (const { connection } of watchers) connection.close();
  return latenciesMs.sort();
};

export const measureUpdates = async (context: Context): Promise<UpdateResult> => {
  const count = context.quick ? 20 : 200;
  const service = await startService(path.join(context.environment.home, 'service'), {
    REDIRECTOR_WORKERS: String(processes),
    TRUSTED_PROXIES: '127.0.0.1',
    BOOTSTRAP_API_KEY: apiKey,
    EXAMPLES: 'false',
  });
  try {
    const ids: string[] = [];
    for (let code = 0; code < codes; code++) {
      const data = `https://example.com/code/${code}`;
      ids.push((await callFor(createdCode, clientOf(service), 'POST', '/api/qr/codes', { data })).id);
    }
    const requestsFile = path.join(context.environment.home, 'requests-update');
    await writeRequests(requestsFile, requestsFor(ids.slice(1), '/r/'));
    const load = await startAutocannon({
      ...service,
      requestsFile,
      connections: 40,
      seconds: 120,
      ratePerSecond: loadPerSecond,
    });
    const latenciesMs = await timeUpdates(service, ids[0]!, count);
    load.stop();
    await load.done;
    return {
      updates: count,
      processes,
      loadPerSecond,
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
      maxMs: percentile(latenciesMs, 1),
    };
  } finally {
    await service.stop();
  }
};
