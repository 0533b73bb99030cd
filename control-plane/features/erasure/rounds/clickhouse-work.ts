/** How rows are changed and removed in ClickHouse: a removal goes on there, and may take longer than a turn of a job. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { literal } from '../../recorded-scans/sql.ts';

const pollMs = 50;

/** A removal goes on in ClickHouse, or another process has the round: it continues later. */
export class UnderWay extends Error {}

export const readRows = async <Row>(clickhouse: ClickHouseClient, query: string): Promise<Row[]> =>
  (await clickhouse.query({ query, format: 'JSONEachRow' })).json<Row>();

/** @param waitMsMax for one removal @param keep called before each statement that changes something */
export const createClickHouseWork = (
  clickhouse: ClickHouseClient,
  waitMsMax: number,
  keep: () => Promise<void>,
) => {
  const run = async (query: string, settings: Record<string, string | number> = {}): Promise<void> => {
    await keep();
    await clickhouse.command({ query, clickhouse_settings: settings });
  };
  const read = <Row>(query: string): Promise<Row[]> => readRows<Row>(clickhouse, query);

  const isAny = async (table: string, where: string): Promise<boolean> =>
    (await read(`SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`)).length > 0;

  /**
   * @param mark of the statement, by which it is found again
   * @throws {Error} with the reason, while ClickHouse tries again what has failed
   */
  const progressOf = async (table: string, mark: string): Promise<'unknown' | 'under way' | 'done'> => {
    const found = await read<{ done: number; why: string }>(
      `SELECT is_done AS done, latest_fail_reason AS why FROM system.mutations WHERE database = currentDatabase()
         AND table = ${literal(table)} AND position(command, ${literal(mark)}) > 0`,
    );
    if (found.length === 0) return 'unknown';
    const left = found.filter(({ done }) => !done);
    const failed = left.find(({ why }) => why !== '');
    if (failed) throw new Error(`a change of ${table} fails in ClickHouse: ${failed.why}`);
    return left.length === 0 ? 'done' : 'under way';
  };

  /** Whether the change was begun. */
  const isBegun = async (table: string, mark: string): Promise<boolean> =>
    (await progressOf(table, mark)) !== 'unknown';

  /**
   * Changes rows once, and waits until they are changed.
   * @param mark of no other statement
   * @throws {UnderWay} if that takes long
   */
  const change = async (table: string, query: string, mark: string): Promise<void> => {
    const endMs = performance.now() + waitMsMax;
    if (!(await isBegun(table, mark)))
      await run(`${query} AND ${literal(mark)} != ''`, { mutations_sync: '0', lightweight_deletes_sync: 0 });
    while ((await progressOf(table, mark)) !== 'done') {
      if (performance.now() > endMs) throw new UnderWay();
      await sleep(pollMs);
    }
  };

  return {
    run,
    read,
    isBegun,
    change,
    /** Removes the rows that are there now, if any are: as {@link change}. Rows of later INSERTs stay. */
    async remove(table: string, where: string, mark: string): Promise<void> {
      if ((await isBegun(table, mark)) || (await isAny(table, where)))
        await change(table, `DELETE FROM ${table} WHERE ${where}`, mark);
    },
  };
};

export type ClickHouseWork = ReturnType<typeof createClickHouseWork>;
