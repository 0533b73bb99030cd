/** Connections to ClickHouse. */
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';

export type { ClickHouseClient };

/**
 * @param url `http://user:password@host:8123/database`
 * @param application shown in ClickHouse's query log
 */
export const createClickHouse = (
  url: string,
  application: string,
  requestTimeoutMs: number,
): ClickHouseClient =>
  createClient({
    url,
    application,
    request_timeout: requestTimeoutMs,
    max_open_connections: 8,
    // Callers log errors; the client's own lines are not JSON.
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { enabled: true, idle_socket_ttl: 2500 },
  });
