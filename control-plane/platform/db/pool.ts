/** Connections to PostgreSQL. */
import pg from 'pg';
import type { Logger } from '#shared/logger.ts';

export type Pool = pg.Pool;

/** Runs a statement: a pool runs it alone, a transaction as one of several. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** No request waits longer than this for a connection … */
const connectionTimeoutMs = 3_000;
/** … nor, once it has one, for an answer. */
const statementTimeoutMs = 10_000;
/** A transaction whose process is stuck must not keep its locks. */
const idleInTransactionTimeoutMs = 15_000;
const poolConnectionsMax = 16;

/** @param name shown in pg_stat_activity */
export const createPool = (
  databaseUrl: string,
  name: string,
  logger: Logger,
  connectionsMax = poolConnectionsMax,
): Pool => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: name,
    max: connectionsMax,
    connectionTimeoutMillis: connectionTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The server's own limit applies first; this one is for a server that does not answer at all.
    query_timeout: statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
  });
  // Without listeners, a server that closes a connection would end the process. A connection lost in use also fails its
  // current statement.
  pool.on('error', (error) => logger.warn({ err: error }, 'idle database connection failed'));
  pool.on('connect', (client) =>
    client.on('error', (error) => logger.debug({ err: error }, 'database connection failed')),
  );
  return pool;
};

const lostConnectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
]);
/**
 * Connection failures, too many or no connections allowed, shutdown, statement cancelled by its time limit, a server
 * that has become a read-only copy.
 */
const lostConnectionSqlState = /^(08...|53300|55000|57P0.|57014|25P03|25006)$/;
/** Disk or memory full; overtaken by another transaction, or deadlocked. */
const refusedSqlState = /^(53[12]00|40001|40P01)$/;
/** Messages of pg itself, which have no code. */
const lostConnectionMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/**
 * Whether an error means that PostgreSQL cannot do it now, being down, full or overloaded, so that a later attempt may
 * succeed.
 */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isConnectionLost(error) || (error instanceof pg.DatabaseError && refusedSqlState.test(error.code ?? ''));

/** Whether an error also means that the connection is unusable. */
export const isConnectionLost = (error: unknown): boolean => {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    lostConnectionCodes.has(code) ||
    (error instanceof pg.DatabaseError && lostConnectionSqlState.test(code)) ||
    lostConnectionMessage.test(error.message)
  );
};
