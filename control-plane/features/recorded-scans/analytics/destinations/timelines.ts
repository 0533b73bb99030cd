/**
 * Where the scans of codes led, from the rule, the variant and the system that each scan has, and the setup of its code at that
 * time. A scan does not say where it led: to record it would cost every scan, and the history has it for the few that are asked.
 */
import { isLocationType } from '#schemas/api/data-types.ts';
import { destinationAt } from '#shared/decide/schedule.ts';
import type { Queryable } from '../../../../platform/db/pool.ts';
import type { ScanWindow } from '../window.ts';
import {
  findVersions,
  type PresentCode,
  partsOf,
  type Replaced,
  readPresent,
  readReplaced,
  type Setup,
} from './histories.ts';

/** What a code led to from a moment on, until the next. Undefined: not known. */
interface Phase {
  fromMs: number;
  setup: Setup | undefined;
}

export interface Timeline {
  code: Pick<PresentCode, 'dataType' | 'isEncrypted'>;
  /** From the beginning of the window on, the earliest first: at least one. */
  phases: readonly Phase[];
}

/** The facts of a scan on which its destination depends. */
export interface LedScan {
  /** Among the phases of its code. */
  phase: number;
  ruleId: string;
  variantId: string;
  os: string;
}

/** `none`: a page of ours was shown. */
export type Led = { destination: string } | 'none' | 'unknown';

const known = (destination: string | undefined): Led =>
  destination === undefined ? 'unknown' : { destination };

/** The same order as shared/decide/decide.ts has. */
export const ledTo = ({ code, phases }: Timeline, { phase, ruleId, variantId, os }: LedScan): Led => {
  const { setup, fromMs } = phases[phase]!;
  if (code.isEncrypted) return 'none';
  if (!setup) return 'unknown';
  if (ruleId !== '') return known(setup.rules[ruleId]);
  const app = os === 'ios' ? setup.ios : os === 'android' ? setup.android : undefined;
  if (app !== undefined) return { destination: app };
  if (variantId !== '') return known(setup.variants[variantId]);
  if (!isLocationType(code.dataType)) return 'none';
  const { destination, schedule } = setup;
  if (destination === undefined && !schedule.some(({ atMs }) => atMs <= fromMs)) return 'unknown';
  return known(destinationAt({ destination: destination ?? '', schedule: [...schedule] }, fromMs));
};

/** The setup before a change. */
const before = (setup: Setup, { changedAtMs, before: replaced }: Replaced): Setup => {
  const earlier = { ...setup, ...partsOf(replaced) };
  // The history has the destination that was in effect: that of the schedule, once one of its times had come.
  const isOfSchedule = 'destination' in replaced && earlier.schedule.some(({ atMs }) => atMs <= changedAtMs);
  return isOfSchedule ? { ...earlier, destination: undefined } : earlier;
};

/** A schedule divides a phase. */
const divided = ({ fromMs, setup }: Phase, untilMs: number): Phase[] => [
  { fromMs, setup },
  ...(setup?.schedule ?? [])
    .filter(({ atMs }) => atMs > fromMs && atMs < untilMs)
    .map(({ atMs }) => ({ fromMs: atMs, setup })),
];

/**
 * @param changes of the code in the window, the latest first
 * @param isWhole whether no earlier change can have been in the window
 */
const timelineOf = (
  code: PresentCode,
  changes: readonly Replaced[],
  { fromMs, toMs }: ScanWindow,
  isWhole: boolean,
): Timeline => {
  const phases: Phase[] = [];
  let setup: Setup = code;
  for (const change of changes) {
    phases.unshift({ fromMs: change.changedAtMs, setup });
    setup = before(setup, change);
  }
  phases.unshift({ fromMs, setup: isWhole ? setup : undefined });
  return {
    code,
    phases: phases.flatMap((phase, at) => divided(phase, phases[at + 1]?.fromMs ?? toMs)),
  };
};

/** The changes that lead from the present back without a gap. */
const withoutGaps = (version: number, changes: readonly Replaced[]): Replaced[] => {
  const end = changes.findIndex((change, at) => change.version !== version - at);
  return end < 0 ? [...changes] : changes.slice(0, end);
};

/** @returns for each code of the workspace that is found @throws {ClientError} as {@link readReplaced} */
export const readTimelines = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  window: ScanWindow,
): Promise<ReadonlyMap<string, Timeline>> => {
  const codes = await readPresent(db, workspaceId, ids);
  const changed = codes.filter(({ updatedAtMs }) => updatedAtMs >= window.fromMs).map(({ id }) => id);
  const replaced = Map.groupBy(
    changed.length > 0 ? await readReplaced(db, changed, window.fromMs) : [],
    ({ codeId }) => codeId,
  );
  const changesOf = new Map(
    codes.map((code) => [code.id, withoutGaps(code.version, replaced.get(code.id) ?? [])]),
  );
  const madeBefore = codes
    .filter(({ updatedAtMs }) => updatedAtMs >= window.fromMs)
    .map(({ id, version }) => ({ id, version: version - changesOf.get(id)!.length }));
  const found = await findVersions(db, madeBefore);
  const gaps = new Set(
    madeBefore.filter(({ id, version }) => version > 1 && !found.has(id)).map(({ id }) => id),
  );
  return new Map(
    codes.map((code) => [code.id, timelineOf(code, changesOf.get(code.id)!, window, !gaps.has(code.id))]),
  );
};
