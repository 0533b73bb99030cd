/**
 * All connections of a control plane to PostgreSQL: opened here and nowhere else, so that their number is known. A server refuses
 * those beyond its max_connections, from whichever process they come.
 */
import type { Logger } from '#shared/logger.ts';
import { type Listening, listenTo } from './listen.ts';
import { createPool, type Pool, type Queryable } from './pool.ts';

export interface Connections {
  /** Opens a pool; it is closed with the process. @param name shown in pg_stat_activity @param connectionsMax by default 16 */
  pool(name: string, connectionsMax?: number): Pool;
  /** Listens on a channel, on a connection of its own, until the process closes. */
  listen(channel: string, onNotified: (payload?: string) => void): Listening;
  /** The most connections that all of these have open at once. */
  max(): number;
}

/** @param onClose takes what closes each of them */
export const createConnections = (
  databaseUrl: string,
  logger: Logger,
  onClose: (close: () => unknown) => void,
): Connections => {
  const pools: Pool[] = [];
  let listening = 0;
  return {
    pool(name, connectionsMax) {
      const pool = createPool(databaseUrl, name, logger, connectionsMax);
      pools.push(pool);
      onClose(() => pool.end());
      return pool;
    },
    listen(channel, onNotified) {
      const opened = listenTo(databaseUrl, channel, onNotified, logger);
      listening++;
      onClose(() => opened.close());
      return opened;
    },
    max: () => pools.reduce((sum, { options }) => sum + options.max, listening),
  };
};

/** What a role without privileges may have open, of all clients together. */
interface Allowed {
  maxConnections: number;
  /** Of those, kept back for superusers and for roles that may use them. */
  reserved: number;
  /** Those of the role and of the database; -1 where there is no limit. */
  ofRole: number;
  ofDatabase: number;
}

export const readAllowed = async (db: Queryable): Promise<Allowed> => {
  const { rows } = await db.query<Allowed>(
    `SELECT current_setting('max_connections')::int AS "maxConnections",
       current_setting('superuser_reserved_connections')::int
         + coalesce(current_setting('reserved_connections', true)::int, 0) AS reserved,
       (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS "ofRole",
       (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS "ofDatabase"`,
  );
  return rows[0]!;
};

/** The smallest of the limits, by its name. */
const boundOf = ({
  maxConnections,
  reserved,
  ofRole,
  ofDatabase,
}: Allowed): { name: string; most: number } => {
  const limits = [
    {
      name: `max_connections (${maxConnections}, ${reserved} of them reserved)`,
      most: maxConnections - reserved,
    },
    { name: `the CONNECTION LIMIT of the role (${ofRole})`, most: ofRole },
    { name: `the CONNECTION LIMIT of the database (${ofDatabase})`, most: ofDatabase },
  ].filter(({ most }) => most >= 0);
  return limits.reduce((least, each) => (each.most < least.most ? each : least));
};

/** Says how many connections this process may use of how many, and warns where it cannot have them even if it runs alone. */
export const sayConnections = (connections: Connections, allowed: Allowed, logger: Logger): void => {
  const own = connections.max();
  const { name, most } = boundOf(allowed);
  logger.info(
    `this control plane may use ${own} connections to PostgreSQL of ${most} allowed; all control planes together need as many each`,
  );
  if (own > most)
    logger.warn(
      `PostgreSQL does not allow the ${own} connections that this control plane may use: raise ${name}, or its work fails under load`,
    );
};
