/** The results of a run, and the findings that follow from them. */
import type { Outcomes } from '../../bench/run-rows.ts';
import type { Machine } from '../../measure/machine.ts';
import { findingOf, type RowOutcome, withDisturbance } from '../../report/findings.ts';
import type { Finding } from '../../report/judge.ts';
import type { ScanRound, ScenarioResult, ServerScan } from '../rounds.ts';
import type { IdleResult } from '../rows/idle.ts';
import type { MemoryResult } from '../rows/memory.ts';
import { type MillionResult, millionComplete } from '../rows/million.ts';
import type { TraceResult } from '../rows/trace.ts';
import type { ScenarioRow } from '../scenarios.ts';
import type { ServerId } from '../servers.ts';
import type { RealCriterionId } from './criteria.ts';

export interface ScenarioResults {
  scenarios: ScenarioResult[];
}

export type RowResults = Record<ScenarioRow, ScenarioResults> & {
  memory: MemoryResult;
  idle: IdleResult;
  million: MillionResult;
  trace: TraceResult;
};

export interface RealResults {
  date: string;
  machine: Machine;
  /** Whether the generator's core is the sibling thread of the server's. */
  isSibling: boolean;
  quick: boolean;
  rows: Outcomes<RowResults>;
}

export const scanOf = (scenario: ScenarioResult, id: ServerId): ServerScan | undefined =>
  scenario.servers.find(({ server }) => server === id);

/** A generator that got less far than this share of its rate did not keep it. */
const keptRateMin = 0.98;

/** Whether scans came at the rate that was asked for. */
export const keptRate = (perSecond: number, ratePerSecond: number | undefined): boolean =>
  ratePerSecond === undefined || perSecond >= keptRateMin * ratePerSecond;

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
const againstBare = (row: RowOutcome<ScenarioResults>, id: string): Finding =>
  findingOf(row, ({ scenarios }) => {
    const scenario = scenarios.find((each) => each.id === id);
    const [ours, theirs] = (['waymark', 'bare'] as const).map(
      (server) => scenario && scanOf(scenario, server),
    );
    if (!ours || !theirs) return { why: 'it did not run' };
    if ('why' in ours) return { why: ours.why };
    if ('why' in theirs) return { why: theirs.why };
    return ratioOf(ours, theirs, scenario?.ratePerSecond);
  });

/** Withdraws what was measured with fewer codes than are promised. */
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

const idleFinding = ({ share, seconds, codes }: IdleResult): Finding => ({
  value: share * 100,
  note: `${seconds} s with ${codes.toLocaleString('en-US')} codes held`,
});

export const findingsOf = ({ rows }: RealResults): Record<RealCriterionId, Finding> => ({
  keptFull: againstBare(rows['keep-alive'], 'kept-full'),
  tcpTail: againstBare(rows.rates, 'tcp-1000-tail'),
  longTail: findingOf(
    rows.million,
    withMillion(({ tail, hot, ratePerSecond }) => ratioOf(tail, hot, ratePerSecond)),
  ),
  memory: findingOf(
    rows.million,
    withMillion(({ residentBytes, peakBytes }) => ({
      value: residentBytes / 2 ** 20,
      note: `after the load; at most ${Math.round(peakBytes / 2 ** 20)} MB`,
    })),
  ),
  redisCommands: findingOf(rows.million, withMillion(redisFinding)),
  idle: findingOf(rows.idle, idleFinding),
});
