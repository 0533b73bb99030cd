/**
 * How often each redirector process sends a segment. ClickHouse makes a part of every INSERT, in each table that the scans
 * reach, and must merge parts as fast as they come. So the bound is a number of INSERTs a second of all processes together.
 * The reckoning for a hundred processes is in clickhouse-sink.ts.
 */

/**
 * @param ageMs of a segment that few processes send
 * @param insertsPerSecond of all processes
 * @param processes that are alive
 * @returns the age at which a process closes its segment
 */
export const paceSegments = (ageMs: number, insertsPerSecond: number, processes: number): number =>
  Math.max(ageMs, (processes * 1000) / insertsPerSecond);
