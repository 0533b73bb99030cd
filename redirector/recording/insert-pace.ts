/**
 * How often each redirector process sends a segment. ClickHouse makes a part of every INSERT, in each table that scans
 * reach, and must merge parts as fast as they arrive. So the limit is a number of INSERTs a second for all processes
 * together. clickhouse-sink.ts has the calculation for a hundred processes.
 */

/**
 * @param ageMs of a segment, if there are few processes
 * @param insertsPerSecond of all processes
 * @param processes that are alive
 * @returns the age at which a process closes its segment
 */
export const paceSegments = (ageMs: number, insertsPerSecond: number, processes: number): number =>
  Math.max(ageMs, (processes * 1000) / insertsPerSecond);
