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

  const isAnyLeft = async (table: string, where: string): Promise<boolean> =>
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

  return {
    run,
    read,
    /**
     * Changes rows once, and waits until they are changed.
     * @param mark of no other statement
     * @throws {UnderWay} if that takes long
     */
    async change(table: string, query: string, mark: string): Promise<void> {
      const endMs = performance.now() + waitMsMax;
      if ((await progressOf(table, mark)) === 'unknown')
        await run(`${query} AND ${literal(mark)} != ''`, { mutations_sync: '0' });
      while ((await progressOf(table, mark)) !== 'done') {
        if (performance.now() > endMs) throw new UnderWay();
        await sleep(pollMs);
      }
    },
    /**
     * Removes rows, and waits until they are gone. Whether rows are to be removed may depend on others, which are gone before them:
     * it is not over while a removal with the mark is under way, even if none is found any more.
     * @throws {UnderWay} if that takes long
     */
    async remove(table: string, where: string, mark: string): Promise<void> {
      const endMs = performance.now() + waitMsMax;
      for (;;) {
        const isUnderWay = (await progressOf(table, mark)) === 'under way';
        if (!isUnderWay) {
          if (!(await isAnyLeft(table, where))) return;
          await run(`DELETE FROM ${table} WHERE ${where} AND ${literal(mark)} != ''`, {
            lightweight_deletes_sync: 0,
          });
        }
        if (performance.now() > endMs) throw new UnderWay();
        if (isUnderWay) await sleep(pollMs);
      }
    },
  };
};

export type ClickHouseWork = ReturnType<typeof createClickHouseWork>;
