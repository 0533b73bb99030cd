/** One round of a scenario on one server, and the rounds in turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';
import { interleave, mediansOf } from '../bench/interleave.ts';
import { behindPidsOf, closedRound, serverPidsOf } from '../bench/rounds.ts';
import { runGenerator } from '../load/generator.ts';
import type { GeneratorResult } from '../load/generator-options.ts';
import { cpuMsBetween, readCpu } from '../measure/cpu-time.ts';
import { foreignShare } from '../measure/quiet.ts';
import { type Range, rangeOf } from '../measure/statistics.ts';
import type { RealContext } from './context.ts';
import type { Scenario } from './scenarios.ts';
import { labelOf, type Server, type ServerId, whyMissing } from './server-kinds.ts';
import { tlsConnections } from './servers.ts';

export interface ScanRound {
  /** Microseconds of CPU for each scan, of the server and of what works behind it. */
  cpuUs: number;
  behindCpuUs: number;
  perSecond: number;
  /** The share of the core that others took. */
  foreignShare: number;
  /** From when a scan was due; absent at full load. */
  p50Ms?: number;
  p99Ms?: number;
  /** The generator's own delay. */
  lagP99Ms?: number;
}

/** Medians, with the range of the first; or the reason why they are missing. */
export type ServerScan = { server: ServerId; label: string } & (
  | (ScanRound & { cpuUsRange: Range; idleShare?: number })
  | { why: string }
);

export interface ScenarioResult {
  id: string;
  title: string;
  ratePerSecond?: number;
  servers: ServerScan[];
}

/** More than are needed, so that a stall leaves some free for the scans that are due meanwhile. */
const rateConnections = { kept: 256, new: 512, newTls: 512 };

export const toRound = (result: GeneratorResult): ScanRound => {
  const { counted, countedMs, cpu, latencies, sendLag } = result;
  return {
    cpuUs: (cpu.serverMs * 1000) / counted,
    behindCpuUs: (cpu.behindMs * 1000) / counted,
    perSecond: (counted * 1000) / countedMs,
    foreignShare: foreignShare(cpu.coreBusyMs, cpu.serverMs, countedMs),
    ...(latencies ? { p50Ms: latencies.p50Ms, p99Ms: latencies.p99Ms } : {}),
    ...(sendLag ? { lagP99Ms: sendLag.p99Ms } : {}),
  };
};

/** Seconds of a round: at a low rate longer, so that it has some hundred scans. */
const secondsOf = ({ quick }: RealContext, ratePerSecond: number | undefined): number => {
  if (quick) return 1;
  if (ratePerSecond === undefined) return 2;
  return ratePerSecond <= 100 ? 5 : 3;
};

const byGenerator = async (
  context: RealContext,
  { connectionKind, ratePerSecond, codes }: Scenario,
  server: Server,
): Promise<ScanRound> => {
  const seconds = secondsOf(context, ratePerSecond);
  const result = await runGenerator({
    port: server.port,
    connections: ratePerSecond === undefined ? tlsConnections : rateConnections[connectionKind],
    connectionKind,
    roundRobin: true,
    requests: await context.codes.source(codes, (ratePerSecond ?? 0) * (seconds + 1)),
    load:
      ratePerSecond === undefined ? { kind: 'closed', seconds } : { kind: 'steady', ratePerSecond, seconds },
    watch: { serverPids: serverPidsOf(server), behindPids: behindPidsOf(server) },
  });
  await server.drained?.();
  return toRound(result);
};

const byWrk = async (context: RealContext, scenario: Scenario, server: Server): Promise<ScanRound> => {
  const seconds = secondsOf(context, undefined);
  if (scenario.connectionKind === 'kept') {
    return closedRound({ ...server, closesUnannounced: false }, seconds);
  }
  return closedRound({ ...server, requestsFile: await context.codes.lastRequestsFile() }, seconds);
};

const scanRound = (context: RealContext, scenario: Scenario, server: Server): Promise<ScanRound> =>
  scenario.ratePerSecond === undefined && scenario.connectionKind !== 'newTls'
    ? byWrk(context, scenario, server)
    : byGenerator(context, scenario, server);

/** The median of each figure of several rounds. */
export const medianOf = (rounds: readonly ScanRound[]): ScanRound & { cpuUsRange: Range } => ({
  ...mediansOf(rounds),
  cpuUsRange: rangeOf(rounds.map(({ cpuUs }) => cpuUs)),
});

/** The share of a core that each server takes while no client asks it, over a few seconds. */
const idleShares = async (
  context: RealContext,
  servers: readonly Server[],
): Promise<Map<ServerId, number>> => {
  const before = servers.map((server) => readCpu(serverPidsOf(server)));
  const startMs = performance.now();
  await sleep(context.quick ? 1000 : 5000);
  const elapsedMs = performance.now() - startMs;
  return new Map(
    servers.map((server, index) => [
      server.id,
      cpuMsBetween(before[index]!, readCpu(serverPidsOf(server))) / elapsedMs,
    ]),
  );
};

/** The servers of a scenario that can be started, and why the others cannot. */
const startServers = async ({ servers, say }: RealContext, ids: readonly ServerId[]) => {
  const ready: Server[] = [];
  const failures = new Map<ServerId, string>();
  for (const id of ids) {
    const missing = whyMissing(id);
    if (missing !== undefined) failures.set(id, missing);
    else {
      await servers.get(id).then(
        (server) => ready.push(server),
        (error: unknown) => failures.set(id, messageOf(error)),
      );
    }
    if (failures.has(id)) say(`${id}: ${failures.get(id)}`);
  }
  return { ready, failures };
};

/** The rounds of each server. One that fails is left out from then on, and the reason is kept. */
const interleavedRounds = async (
  context: RealContext,
  scenario: Scenario,
  servers: readonly Server[],
  failures: Map<ServerId, string>,
): Promise<Map<ServerId, ScanRound[]>> => {
  const { say, quick, quietRound } = context;
  const results = await interleave(servers, { rounds: quick ? 1 : 3 }, async (server) => {
    if (failures.has(server.id)) return [];
    try {
      const measure = () => scanRound(context, scenario, server);
      return [await (quick ? measure() : quietRound(measure))];
    } catch (error) {
      failures.set(server.id, messageOf(error));
      say(`${server.id}: ${messageOf(error)}`);
      return [];
    }
  });
  return new Map([...results].map(([{ id }, rounds]) => [id, rounds.flat()]));
};

/** Rounds in turn. */
export const measureScenario = async (context: RealContext, scenario: Scenario): Promise<ScenarioResult> => {
  context.say(scenario.title);
  const { ready, failures } = await startServers(context, scenario.servers);
  // The codes of the tail are made and scanned before anything is measured.
  if (scenario.codes === 'tail') await context.codes.source('tail', 0);
  const isSteady = scenario.ratePerSecond !== undefined;
  const idle = isSteady ? await idleShares(context, ready) : new Map<ServerId, number>();
  const results = await interleavedRounds(context, scenario, ready, failures);
  const scanOf = (server: ServerId): ServerScan => {
    const [label, why, idleShare] = [labelOf(server), failures.get(server), idle.get(server)];
    if (why !== undefined) return { server, label, why };
    const figures = medianOf(results.get(server)!);
    return { server, label, ...figures, ...(idleShare === undefined ? {} : { idleShare }) };
  };
  const { id, title, ratePerSecond, servers } = scenario;
  const result = { id, title, servers: servers.map(scanOf) };
  return ratePerSecond === undefined ? result : { ...result, ratePerSecond };
};
