/** Asks ClickHouse, which is shared: few statements at once, fairly by workspace, and each for a limited time. */
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { ClientError } from '#shared/errors.ts';
import { createFairGate } from '../../../platform/fair-queue/fair-gate.ts';

/** A row of an answer, whose numbers are numbers. */
export type Row = Readonly<Record<string, string | number>>;

/**
 * @throws {ClientError} UNAVAILABLE while ClickHouse does not answer, or takes longer than a request may; RATE_LIMITED if too
 *   many statements of the workspace wait
 */
export type AskScans = (workspaceId: string, sql: string) => Promise<Row[]>;

const runningMax = 4;
const waitingMax = 64;
const waitingPerTenantMax = 16;
const waitMsMax = 10_000;
/** Less than the client waits (framework/services.ts). */
const statementSecondsMax = 4;

const messages = {
  tenantFull: 'Too many analytics of this workspace are being read; send fewer at once',
  busy: 'Too many analytics are being read; try again shortly',
};

const settings = {
  max_execution_time: statementSecondsMax,
  // Lists of codes are a part of the statement.
  max_query_size: '1048576',
  cancel_http_readonly_queries_on_client_close: 1,
  output_format_json_quote_64bit_integers: 0,
} as const;

export const createAskScans = (clickhouse: ClickHouseClient): AskScans => {
  const gate = createFairGate({ runningMax, waitingMax, waitingPerTenantMax, waitMsMax, messages });

  const ask = async (query: string): Promise<Row[]> => {
    try {
      const result = await clickhouse.query({ query, format: 'JSONEachRow', clickhouse_settings: settings });
      return await result.json<Row>();
    } catch (cause) {
      throw new ClientError('UNAVAILABLE', 'Analytics are temporarily unavailable', { cause });
    }
  };

  return (workspaceId, sql) => gate.pass({ tenant: workspaceId, cost: 1 }, () => ask(sql));
};
