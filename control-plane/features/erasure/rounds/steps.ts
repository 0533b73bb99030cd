/** The steps of a round between its staging and its end, in their order. What is done of them is kept in PostgreSQL. */
import type { Queryable } from '../../../platform/db/pool.ts';
import { forgetScanCounts } from '../../codes/store/erased.ts';
import type { ClickHouseWork } from './clickhouse-work.ts';
import {
  breakdownTables,
  emptyRows,
  emptyVisitors,
  erasedDays,
  erasedScans,
  fillVisitors,
  requestsAbout,
  stagedScans,
  sumsTables,
  takeOff,
  visitorTables,
} from './statements.ts';
import type { Round } from './store.ts';

/** A process that is killed before its end is saved repeats it. */
export interface Step {
  readonly name: string;
  run(): Promise<void>;
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

const takeOffSums = ({ run }: ClickHouseWork, attempt: string): Step[] =>
  sumsTables.map((table) => ({
    name: `take off ${table}`,
    run: () => run(takeOff(table, attempt), named(`${attempt} ${table}`)),
  }));

const removeScans = ({ remove }: ClickHouseWork, { erasures }: Round, attempt: string): Step[] => {
  const removal = (table: string, where: string): Step => ({
    name: `remove ${table}`,
    run: () => remove(table, where, attempt),
  });
  return [
    removal('scans', stagedScans(attempt, erasures)),
    removal('scan_log', stagedScans(attempt, erasures)),
    // A conversion has the time of its scan.
    removal('conversions', erasedScans(erasures)),
    ...(erasures.some(({ what }) => what === 'code')
      ? [removal('request_log', requestsAbout(erasures))]
      : []),
  ];
};

const cleanSums = ({ run, change, remove }: ClickHouseWork, { erasures }: Round, attempt: string): Step[] => [
  ...['scans_daily', 'scans_daily_breakdown'].map((table) => ({
    name: `remove days of ${table}`,
    run: () => remove(table, erasedDays(erasures), attempt),
  })),
  ...breakdownTables.map((table) => ({
    name: `remove empty ${table}`,
    run: () => remove(table, emptyRows(table, attempt), attempt),
  })),
  ...visitorTables.flatMap((table) => [
    {
      name: `empty visitors of ${table}`,
      run: () => change(table, emptyVisitors(table, attempt), `${attempt} visitors`),
    },
    { name: `fill visitors of ${table}`, run: () => run(fillVisitors(table, attempt, erasures)) },
  ]),
];

/** Copied counts of codes that stay. One code at a time: the copy writes many in one statement, and would deadlock with many. */
const forgetCounts = (db: Queryable, { erasures }: Round): Step => ({
  name: 'forget counts',
  async run() {
    for (const { codeId, what } of erasures) if (what === 'scans') await forgetScanCounts(db, codeId);
  },
});

export const stepsOf = (db: Queryable, work: ClickHouseWork, round: Round, attempt: string): Step[] => [
  ...takeOffSums(work, attempt),
  ...removeScans(work, round, attempt),
  ...cleanSums(work, round, attempt),
  forgetCounts(db, round),
];
