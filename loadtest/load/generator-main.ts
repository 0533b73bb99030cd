/**
 * The load generator as a process: its options come as one JSON argument, its result goes out as one JSON line. It looks at
 * the processes that it asks itself, right before the first counted request and right after the last counted answer.
 */
import { type CpuReading, cpuMsBetween, readCpu } from '../measure/cpu-time.ts';
import { serverCore } from '../measure/pinning.ts';
import { busyMsOf } from '../measure/quiet.ts';
import {
  type CarrierEvents,
  createNewConnections,
  openKeptConnections,
  openMixedConnections,
} from './carriers.ts';
import { runClosedLoop } from './closed-loop.ts';
import { type GeneratorOptions, type GeneratorResult, generatorOptions } from './generator-options.ts';
import { runOpenLoop, steadyArrivals } from './open-loop.ts';
import { openRequests, traceRequests } from './requests.ts';
import { createTrace } from './trace.ts';

/** Before a closed loop counts. */
const closedWarmUpMs = 500;

/** Looks at the watched processes when counting begins and ends. */
const createWatch = ({ serverPids, behindPids }: GeneratorOptions['watch']) => {
  const read = (): { server: CpuReading; behind: CpuReading; busyMs: number } => ({
    server: readCpu(serverPids),
    behind: readCpu(behindPids),
    busyMs: busyMsOf(serverCore),
  });
  let before = read();
  let after = before;
  return {
    onCounting(): void {
      before = read();
    },
    onCounted(): void {
      after = read();
    },
    cpu: (): GeneratorResult['cpu'] => ({
      serverMs: cpuMsBetween(before.server, after.server),
      behindMs: cpuMsBetween(before.behind, after.behind),
      coreBusyMs: after.busyMs - before.busyMs,
    }),
  };
};

type Watch = ReturnType<typeof createWatch>;

const runTrace = async (options: GeneratorOptions, watch: Watch) => {
  const { port, connections, connectionKind, load, requests } = options;
  if (load.kind !== 'trace' || requests.kind !== 'ids') throw new Error('a trace needs a file of ids');
  const trace = createTrace(load);
  const fresh = { port, connections, isTls: connectionKind === 'newTls' };
  return runOpenLoop({
    ...watch,
    open: (events) => openMixedConnections(fresh, (request) => trace.isKept[request] === 1, events),
    requestAt: await traceRequests(trace, requests.file),
    dueMs: trace.dueMs,
    uncounted: 0,
  });
};

const requestsOf = async ({ requests, measured }: GeneratorOptions) => {
  const others = await openRequests(requests);
  if (!measured) return others;
  const measuredAt = await openRequests({ kind: 'requests', file: measured.file });
  return (request: number): Buffer =>
    request % measured.every === 0 ? measuredAt(request / measured.every) : others(request);
};

const run = async (options: GeneratorOptions, watch: Watch) => {
  const { port, connections, connectionKind, load } = options;
  if (load.kind === 'trace') return runTrace(options, watch);
  const open = async (events: CarrierEvents) =>
    connectionKind === 'kept'
      ? openKeptConnections(port, connections, events, options.roundRobin)
      : createNewConnections({ port, connections, isTls: connectionKind === 'newTls' }, events);
  const common = { ...watch, open, requestAt: await requestsOf(options) };
  return load.kind === 'closed'
    ? runClosedLoop({ ...common, warmUpMs: closedWarmUpMs, countedMs: load.seconds * 1000 })
    : runOpenLoop({
        ...common,
        ...steadyArrivals(load.ratePerSecond, load.seconds),
        status: options.status,
        measured: options.measured,
        sleeps: load.sleeps,
      });
};

const options = generatorOptions.parse(JSON.parse(process.argv[2] ?? ''));
const watch = createWatch(options.watch);
const result = await run(options, watch);
console.log(JSON.stringify({ ...result, cpu: watch.cpu() }));
