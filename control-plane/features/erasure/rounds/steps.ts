/** The steps of a round between its staging and its end, in their order. What is done of them is kept in PostgreSQL. */
import type { Queryable } from '../../../platform/db/pool.ts';
import { forgetScanCounts } from '../../codes/store/erased.ts';
import { keptDaysOf } from '../../recorded-scans/retention/settings.ts';
import type { ClickHouseWork } from './clickhouse-work.ts';
import {
  clearedCodes,
  countDays,
  countStaged,
  countsOfErased,
  daysOfList,
  emptyRows,
  listDays,
  listEmpty,
  listScannedSince,
} from './lists.ts';
import {
  breakdownTables,
  dayMs,
  emptyVisitors,
  erasedScans,
  fillVisitors,
  requestsAbout,
  stagedScans,
  sumsTables,
  takeOff,
  visitorTables,
} from './statements.ts';
import type { Erased } from './store.ts';

/** A process that is killed before its end is saved repeats it. */
export interface Step {
  readonly name: string;
  run(): Promise<void>;
}

export interface StepParts {
  db: Queryable;
  /** How long the server keeps single scans. */
  serverDays: number;
  work: ClickHouseWork;
  erasures: readonly Erased[];
  attempt: string;
}

/** One block, so that a repetition is recognised as a whole. */
const named = (name: string) => ({
  insert_deduplication_token: name,
  insert_deduplicate: 1,
  max_threads: 1,
  max_block_size: 2 ** 24,
  min_insert_block_size_rows: 2 ** 24,
  min_insert_block_size_bytes: 0,
  deduplicate_blocks_in_dependent_materialized_views: 1,
});

/** Between two of these a cap that is counted again may count too few: more than are there would close it for good. */
const takeOffSums = ({ work: { run }, erasures, attempt }: StepParts): Step[] => [
  ...sumsTables.map((table) => ({
    name: `take off ${table}`,
    run: () => run(takeOff(table, attempt), named(`${attempt} ${table}`)),
  })),
  ...(clearedCodes(erasures).length > 0
    ? [{ name: 'count scans', run: () => run(countStaged(attempt, erasures)) }]
    : []),
];

const removal = ({ work: { remove }, attempt }: StepParts, table: string, where: string): Step => {
  const name = `remove ${table}`;
  return { name, run: () => remove(table, where, `${attempt} ${name}`) };
};

const removeScans = (parts: StepParts): Step[] => {
  const { erasures, attempt } = parts;
  return [
    removal(parts, 'scans', stagedScans(attempt, erasures)),
    // Also what was added to the log alone.
    removal(parts, 'scan_log', erasedScans(erasures)),
    // A conversion has the time of its scan.
    removal(parts, 'conversions', erasedScans(erasures)),
    ...(erasures.some(({ what }) => what === 'code')
      ? [
          removal(parts, 'request_log', requestsAbout(erasures)),
          removal(parts, 'erased_counts', countsOfErased(erasures)),
        ]
      : []),
  ];
};

const removeDays = ({ work: { run, remove }, erasures, attempt }: StepParts): Step[] => [
  { name: 'list days', run: () => run(listDays(attempt, erasures), named(`${attempt} days`)) },
  ...['scans_daily', 'scans_daily_breakdown'].map((table) => ({
    name: `remove days of ${table}`,
    run: () => remove(table, daysOfList(attempt, erasures), `${attempt} days`),
  })),
  ...(clearedCodes(erasures).length > 0
    ? [{ name: 'count days', run: () => run(countDays(attempt, erasures)) }]
    : []),
];

const removeEmpty = ({ work: { run, isBegun, remove }, attempt }: StepParts): Step[] =>
  breakdownTables.flatMap((table) => [
    {
      name: `list empty ${table}`,
      run: () => run(listEmpty(table, attempt), named(`${attempt} empty ${table}`)),
    },
    {
      name: `remove empty ${table}`,
      async run() {
        const mark = `${attempt} empty`;
        if (!(await isBegun(table, mark))) await run(listScannedSince(table, attempt));
        await remove(table, emptyRows(table, attempt), mark);
      },
    },
  ]);

/**
 * Since when the visitors of each workspace can be filled again. Single scans of the day before are deleted in the next night, which
 * a round may outlast: then nothing would be left to fill from.
 */
const fillableSince = async ({ db, serverDays, erasures }: StepParts): Promise<Map<string, number>> => {
  const kept = await keptDaysOf(
    db,
    erasures.map(({ workspaceId }) => workspaceId),
    serverDays,
  );
  return new Map([...kept].map(([id, days]) => [id, Math.max(Date.now() - (days - 1) * dayMs, 0)]));
};

const makeVisitors = (parts: StepParts): Step[] => {
  const { run, change } = parts.work;
  const { erasures, attempt } = parts;
  return visitorTables.flatMap((table) => [
    {
      name: `empty visitors of ${table}`,
      run: async () =>
        change(table, emptyVisitors(table, attempt, await fillableSince(parts)), `${attempt} visitors`),
    },
    { name: `fill visitors of ${table}`, run: () => run(fillVisitors(table, attempt, erasures)) },
  ]);
};

/** Copied counts of codes that stay. One code at a time: the copy writes many in one statement, and would deadlock with many. */
const forgetCounts = ({ db, erasures }: StepParts): Step => ({
  name: 'forget counts',
  async run() {
    for (const { codeId, what } of erasures) if (what === 'scans') await forgetScanCounts(db, codeId);
  },
});

export const stepsOf = (parts: StepParts): Step[] => [
  ...takeOffSums(parts),
  ...removeScans(parts),
  ...removeDays(parts),
  ...removeEmpty(parts),
  ...makeVisitors(parts),
  forgetCounts(parts),
];
