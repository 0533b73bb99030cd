/**
 * The time in which an update reaches every redirector process: from the start of a PUT to the first scan that the last of
 * four processes answers with the new destination. The whole service runs as `npm start` runs it, and everything has both cores,
 * this command included.
 *
 * An update wakes PostgreSQL, the control plane, Redis and four redirectors one after the other. On two cores each waits for what
 * runs already, so that the figure is the scheduler's once the cores are busy. Therefore it is measured at two loads. The *calm*
 * one leaves the cores idle for most of the time, as an operator's should be, and tells what an update takes. The *full* one tells
 * what is left of that if they are not.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '../../bench/context.ts';
import { apiKey } from '../../bench/planes.ts';
import { type Service, startService } from '../../bench/service.ts';
import { call, callFor } from '../../bench/workspace.ts';
import { runGenerator } from '../../load/generator.ts';
import { requestsFor, writeRequests } from '../../load/traffic.ts';
import { watchAllCores } from '../../measure/core-use.ts';
import { bothCores, loadCore, moveToCores } from '../../measure/pinning.ts';
import { type Latencies, latenciesOf } from '../../measure/statistics.ts';
import { type Watchers, watchEachProcess } from '../update-watchers.ts';

export interface UpdateFigures extends Latencies {
  updates: number;
  loadPerSecond: number;
  /** The share of both cores in which anything ran, 0 to 1. */
  busyShare: number;
  /** The share that others than the service and the load took, 0 to 1. */
  foreignShare: number;
  /** By how much this command's own pauses were too long: differences below it mean nothing. */
  generatorP99Ms: number;
}

export interface UpdateResult {
  processes: number;
  calm: UpdateFigures;
  full: UpdateFigures;
}

const processes = 4;
const codes = 100;
const calmPerSecond = 500;
const fullPerSecond = 5000;
const connections = 64;
/** The longest pause before an update, so that it comes at any moment of what the service does once a second. */
const pauseMsMax = 150;
/** The generator's start, and the first updates, for which V8 compiles the control plane. */
const warmUpSeconds = 6;
/** The load outlasts the last update. */
const spareSeconds = 2;
const createdCode = z.object({ id: z.string() });

const clientOf = ({ apiUrl }: Service) => ({ url: apiUrl, apiKey });

/** Sends one update after the other for some seconds. */
type SendUpdates = (seconds: number) => Promise<Float64Array>;

const createSendUpdates = (service: Service, id: string, watchers: Watchers): SendUpdates => {
  let updates = 0;

  const timeUpdate = async (): Promise<number> => {
    const destination = `https://example.com/updated/${updates++}`;
    const seen = watchers.untilAllAnswer((response) => response.includes(`ocation: ${destination}\r\n`));
    const startMs = performance.now();
    await (await call(clientOf(service), 'PUT', `/api/qr/codes/${id}`, { destination })).arrayBuffer();
    return (await seen) - startMs;
  };

  return async (seconds) => {
    const latenciesMs: number[] = [];
    const endMs = performance.now() + seconds * 1000;
    while (performance.now() < endMs) {
      await sleep(Math.random() * pauseMsMax);
      latenciesMs.push(await timeUpdate());
    }
    return Float64Array.from(latenciesMs);
  };
};

interface Bench {
  service: Service;
  requestsFile: string;
  watchers: Watchers;
  sendUpdates: SendUpdates;
}

const measureAt = async (bench: Bench, loadPerSecond: number, seconds: number): Promise<UpdateFigures> => {
  const { service, requestsFile, watchers, sendUpdates } = bench;
  const load = runGenerator(
    {
      port: service.port,
      connections,
      connectionKind: 'kept',
      roundRobin: true,
      requests: { kind: 'requests', file: requestsFile },
      load: {
        kind: 'steady',
        ratePerSecond: loadPerSecond,
        seconds: warmUpSeconds + seconds + spareSeconds,
        sleeps: true,
      },
      watch: { serverPids: [], behindPids: [] },
    },
    bothCores,
  );
  const measure = async () => {
    await sendUpdates(warmUpSeconds);
    watchers.takeLagsMs();
    const endWatch = watchAllCores(service.pid);
    const latenciesMs = await sendUpdates(seconds);
    return { latenciesMs, lagsMs: watchers.takeLagsMs(), use: endWatch() };
  };
  const [{ latenciesMs, lagsMs, use }] = await Promise.all([measure(), load]);
  const ownMs = use.serverMs + use.behindMs;
  return {
    updates: latenciesMs.length,
    loadPerSecond,
    ...latenciesOf(latenciesMs),
    busyShare: ownMs / (use.elapsedMs * 2) + use.foreignShare,
    foreignShare: use.foreignShare,
    generatorP99Ms: latenciesOf(lagsMs).p99Ms,
  };
};

const openBench = async ({ environment }: Context, service: Service): Promise<Bench> => {
  const ids: string[] = [];
  for (let code = 0; code < codes; code++) {
    const data = `https://example.com/code/${code}`;
    ids.push((await callFor(createdCode, clientOf(service), 'POST', '/api/qr/codes', { data })).id);
  }
  const requestsFile = path.join(environment.home, 'requests-update');
  await writeRequests(requestsFile, requestsFor(ids.slice(1), '/r/'));
  const watchers = await watchEachProcess(service, processes, ids[0]!);
  return { service, requestsFile, watchers, sendUpdates: createSendUpdates(service, ids[0]!, watchers) };
};

export const measureUpdates = async (context: Context): Promise<UpdateResult> => {
  const seconds = context.quick ? 4 : 30;
  const service = await startService(path.join(context.environment.home, 'service'), {
    REDIRECTOR_WORKERS: String(processes),
    TRUSTED_PROXIES: '127.0.0.1',
    BOOTSTRAP_API_KEY: apiKey,
    EXAMPLES: 'false',
  });
  try {
    moveToCores(process.pid, bothCores);
    const bench = await openBench(context, service);
    const calm = await measureAt(bench, calmPerSecond, seconds);
    const full = await measureAt(bench, fullPerSecond, seconds);
    bench.watchers.close();
    return { processes, calm, full };
  } finally {
    moveToCores(process.pid, String(loadCore));
    await service.stop();
  }
};
