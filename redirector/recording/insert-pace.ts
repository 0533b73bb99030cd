/**
 * How often redirector processes send a segment each. ClickHouse makes a part of every INSERT, in each table that the scans
 * reach, and must merge parts as fast as they come: what it takes is a number of INSERTs a second from all processes, not
 * from one. The reckoning for a hundred processes is in clickhouse-sink.ts.
 */

/**
 * @param ageMs of a segment that few processes send
 * @param insertsPerSecond of all processes
 * @param processes that are alive
 * @returns the age at which a process closes its segment
 */
export const paceSegments = (ageMs: number, insertsPerSecond: number, processes: number): number =>
  Math.max(ageMs, (processes * 1000) / insertsPerSecond);
