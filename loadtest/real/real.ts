/** Real scans: a phone connects, asks once for any code, and leaves. */
import { quick } from '../load-test/flags.ts';
import { defineLoadTest } from '../load-test/load-test.ts';
import { generatorIsSibling } from '../measure/siblings.ts';
import { type CriterionOf, tableOf, withDisturbance } from '../report/findings.ts';
import { atMost, type Finding } from '../report/judge.ts';
import { environment, type RealContext } from './context.ts';
import { measureScenario, type ScanRound } from './rounds.ts';
import { type IdleResult, measureIdle } from './rows/idle.ts';
import { type MemoryResult, measureMemory } from './rows/memory.ts';
import { type MillionResult, measureMillion, millionComplete } from './rows/million.ts';
import { measureTrace, type TraceResult } from './rows/trace.ts';
import { type ScenarioRow, scenarios } from './scenarios.ts';
import type { ServerId } from './server-kinds.ts';
import {
  detailTable,
  keptRate,
  memoryTable,
  type ScenarioResults,
  scanOf,
  scenariosOf,
  summaryTable,
} from './tables.ts';

export type Rows = Record<ScenarioRow, ScenarioResults> & {
  memory: MemoryResult;
  idle: IdleResult;
  million: MillionResult;
  trace: TraceResult;
};

const scenarioRow =
  (row: ScenarioRow) =>
  async (context: RealContext): Promise<ScenarioResults> => {
    const results = [];
    for (const scenario of scenarios[row]) results.push(await measureScenario(context, scenario));
    return { scenarios: results };
  };

/** The ratio of the CPU of two rounds, with what disturbed it. */
const ratioOf = (ours: ScanRound, theirs: ScanRound, ratePerSecond?: number): Finding => {
  const note = `${ours.cpuUs.toFixed(1)} / ${theirs.cpuUs.toFixed(1)} µs`;
  for (const { perSecond } of [ours, theirs]) {
    if (!keptRate(perSecond, ratePerSecond)) {
      return { why: `the generator kept ${Math.round(perSecond)}/s of ${ratePerSecond}/s; ${note}` };
    }
  }
  const finding = { value: ours.cpuUs / theirs.cpuUs, note };
  return withDisturbance(finding, [ours.foreignShare, theirs.foreignShare]);
};

/** The redirector against the floor in one scenario. */
const againstBare =
  (id: string, servers: readonly [ours: ServerId, floor: ServerId] = ['waymark', 'bare']) =>
  (results: ScenarioResults): Finding => {
    const scenario = results.scenarios.find((each) => each.id === id);
    const [ours, theirs] = servers.map((server) => scenario && scanOf(scenario, server));
    if (!ours || !theirs) return { why: 'it did not run' };
    if ('why' in ours) return { why: ours.why };
    if ('why' in theirs) return { why: theirs.why };
    return ratioOf(ours, theirs, scenario?.ratePerSecond);
  };

/** Withdraws a figure that was measured with fewer codes than are promised. */
const withMillion =
  (finding: (million: MillionResult) => Finding) =>
  (million: MillionResult): Finding => {
    const found = finding(million);
    if (million.codes >= millionComplete || 'why' in found) return found;
    return {
      why: `with ${million.codes.toLocaleString('en-US')} codes only: ${found.value.toFixed(2)}; ${found.note}`,
    };
  };

const redisFinding = ({ redis: { scans, calls } }: MillionResult): Finding => {
  const all = calls.reduce((sum, [, count]) => sum + count, 0);
  const most = calls.slice(0, 4).map(([name, count]) => `${name} ${count}`);
  return { value: (all * 1000) / scans, note: `${all} for ${scans} scans: ${most.join(', ')}` };
};

/** If the generator is the sibling thread of the server's core, it slows a server down, the more the server uses the caches. */
const keptFullGoals = { ownCore: atMost(1.6, '×', 1.4), sibling: atMost(1.9, '×', 1.7) };

/** @param isSibling whether the generator's core is the sibling thread of the server's */
export const criteriaOf = (isSibling: boolean): readonly CriterionOf<Rows>[] => [
  {
    id: 'keptFull',
    title: `keep-alive at full load against bare uWS (${isSibling ? 'the generator on the sibling thread' : 'the generator on a core of its own'})`,
    ...(isSibling ? keptFullGoals.sibling : keptFullGoals.ownCore),
    row: 'keep-alive',
    finding: againstBare('kept-full'),
  },
  {
    id: 'keptRate',
    title: 'keep-alive, 1,000/s, against bare uWS',
    ...atMost(1.8, '×', 1.5),
    row: 'rates',
    finding: againstBare('kept-1000-hot'),
  },
  {
    id: 'tcpRate',
    title: 'new TCP connections, 1,000/s, against bare uWS',
    ...atMost(1.8, '×', 1.5),
    row: 'rates',
    finding: againstBare('tcp-1000-hot'),
  },
  {
    id: 'tcpTail',
    title: 'new TCP connections, 1,000/s over 100,000 codes, against bare uWS',
    ...atMost(1.8, '×', 1.5),
    row: 'rates',
    finding: againstBare('tcp-1000-tail'),
  },
  {
    id: 'tls',
    title: 'new TLS connections against bare uWS with TLS',
    ...atMost(1.25, '×'),
    row: 'tls',
    finding: againstBare('tls-full', ['waymarkTls', 'bareTls']),
  },
  {
    id: 'longTail',
    title: 'a million codes at 5,000/s, each once in 200 s, against 50 codes',
    ...atMost(1.3, '×'),
    row: 'million',
    finding: withMillion(({ tail, hot, ratePerSecond }) => ratioOf(tail, hot, ratePerSecond)),
  },
  {
    id: 'memory',
    title: 'memory with a million codes held',
    ...atMost(350, ' MB'),
    row: 'million',
    finding: withMillion(({ residentBytes, peakBytes }) => ({
      value: residentBytes / 2 ** 20,
      note: `after the load; at most ${Math.round(peakBytes / 2 ** 20)} MB`,
    })),
  },
  {
    id: 'redisCommands',
    title: 'Redis commands for scans of held codes',
    ...atMost(3, ' per 1,000 scans'),
    row: 'million',
    finding: withMillion(redisFinding),
  },
  {
    id: 'idle',
    title: 'share of a core while no client asks',
    ...atMost(0.3, '%'),
    row: 'idle',
    finding: ({ share, seconds, codes }) => ({
      value: share * 100,
      note: `${seconds} s with ${codes.toLocaleString('en-US')} codes held`,
    }),
  },
];

export const real = defineLoadTest({
  name: 'real',
  about: 'measures what a real scan costs: new connections, TLS, rarely scanned codes',
  flags: {
    quick,
    redirector: { kind: 'file', takes: 'FILE', help: "measures another build's redirector/main.ts" },
  },
  only: { noun: 'row' },
  programs: ['wrk', 'nginx', 'haproxy', 'caddy', 'openssl'],
  pinned: true,
  environment,
  rows: {
    'keep-alive': scenarioRow('keep-alive'),
    'new-tcp': scenarioRow('new-tcp'),
    rates: scenarioRow('rates'),
    tls: scenarioRow('tls'),
    'tls-rates': scenarioRow('tls-rates'),
    memory: measureMemory,
    idle: measureIdle,
    // The last two: they stop the redirector that the others ask.
    million: measureMillion,
    trace: measureTrace,
  },
  criteria: () => criteriaOf(generatorIsSibling()),
  remarks: () => [
    `the generator runs on ${generatorIsSibling() ? "the sibling thread of the server's core" : 'a core of its own'}, according to the kernel`,
  ],
  tables: (rows) => [
    ...(scenariosOf(rows).length > 0 ? [detailTable(rows)] : []),
    ...tableOf(rows.memory, memoryTable),
    `CPU µs a scan, user and system, medians:\n\n${summaryTable(rows)}`,
  ],
});
