/**
 * All connections of a control plane to PostgreSQL: opened here and nowhere else, so that there are at most DATABASE_CONNECTIONS_MAX.
 * Requests, jobs and webhook deliveries have a pool each: none waits for a connection because another kind of work is slow.
 */
import { type Config, ConfigError } from '#shared/config.ts';
import type { Logger } from '#shared/logger.ts';
import { type Listening, listenTo } from './listen.ts';
import { createPool, type Pool, type Queryable } from './pool.ts';

export interface Connections {
  /** Of requests. */
  readonly requests: Pool;
  /** Of the queue's jobs: one for LISTEN, and two for each slice of work. */
  readonly jobs: Pool;
  /** Of webhook deliveries: one claims, one writes, one loads batches or counts, one vacuums. */
  readonly deliveries: Pool;
  /** Listens on a channel, on a connection of its own, until the process closes. */
  listen(channel: string, onNotified: (payload?: string) => void): Listening;
}

/** How many jobs the queue runs at once. */
export const jobsAtOnce = 3;

/** Pools beside that of requests, which has the rest. */
const poolSizes = { jobs: 1 + 2 * jobsAtOnce, deliveries: 4 };
/** Channels that features listen on. */
const channelsMax = 1;

/**
 * @param max at most so many are open at once
 * @param onClose takes what closes each of them
 */
export const createConnections = (
  { databaseUrl, databaseConnectionsMax: max }: Pick<Config, 'databaseUrl' | 'databaseConnectionsMax'>,
  logger: Logger,
  onClose: (close: () => unknown) => void,
): Connections => {
  const open = (name: string, size: number): Pool => {
    const pool = createPool(databaseUrl, name, logger, size);
    onClose(() => pool.end());
    return pool;
  };
  let channels = 0;
  return {
    requests: open('waymark-requests', max - poolSizes.jobs - poolSizes.deliveries - channelsMax),
    jobs: open('waymark-jobs', poolSizes.jobs),
    deliveries: open('waymark-deliveries', poolSizes.deliveries),
    listen(channel, onNotified) {
      if (++channels > channelsMax) throw new Error(`more than ${channelsMax} channels are listened on`);
      const opened = listenTo(databaseUrl, channel, onNotified, logger);
      onClose(() => opened.close());
      return opened;
    },
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

const readAllowed = async (db: Queryable): Promise<Allowed> => {
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

/**
 * Says how many connections this control plane may open, of how many.
 * @throws {ConfigError} if PostgreSQL does not allow as many even to one control plane
 */
export const requireConnections = async (db: Queryable, max: number, logger: Logger): Promise<void> => {
  const { name, most } = boundOf(await readAllowed(db));
  if (max > most)
    throw new ConfigError(
      `DATABASE_CONNECTIONS_MAX is ${max}, and PostgreSQL allows ${most}: raise ${name}, or lower DATABASE_CONNECTIONS_MAX`,
    );
  logger.info(
    `this control plane opens at most ${max} connections to PostgreSQL (DATABASE_CONNECTIONS_MAX) of ${most} allowed; each control plane needs as many`,
  );
};
