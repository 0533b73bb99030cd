/** The chDB engine: a pool of connections to one data folder, each left clean for the next statement. */
import os from 'node:os';
import { type ChdbResult, drainPending, Session } from 'chdb';
import { quoteName, quoteString } from './sql.ts';

/** A statement with its own settings. */
export interface Statement {
  sql: string;
  /** Marks the statement in the process list, so that it can be found and ended. Letters, digits, `-` and `_`. */
  id: string;
  database: string;
  /** Settings, and `param_…` for each query parameter. */
  settings: ReadonlyMap<string, string>;
  format: string;
  kind: 'read' | 'write';
}

export interface Engine {
  readonly version: string;
  /** @throws {Error} with ClickHouse's code and message */
  run(statement: Statement, signal: AbortSignal): Promise<ChdbResult>;
  close(): Promise<void>;
}

interface Connection {
  session: Session;
  /** Settings of the last statement that the next one must not inherit. */
  dirty: string[];
  /** The current database; undefined if that is uncertain. */
  database: string | undefined;
}

/** Connections are lent out; while all are lent, takers wait in line. */
const createPool = (open: () => Session, size: number) => {
  const idle: Connection[] = Array.from({ length: size }, () => ({
    session: open(),
    dirty: [],
    database: undefined,
  }));
  const waiting: ((connection: Connection) => void)[] = [];
  return {
    take(): Promise<Connection> {
      const connection = idle.pop();
      return connection ? Promise.resolve(connection) : new Promise((resolve) => waiting.push(resolve));
    },
    give(connection: Connection): void {
      const next = waiting.shift();
      if (next) next(connection);
      else idle.push(connection);
    },
  };
};

/**
 * The database that is never dropped. Any other may have been dropped since this connection last used it, and must be
 * selected again.
 */
const permanent = 'default';

/**
 * The statements before a request's own: they reset the last request's settings and set the current ones, in one
 * statement, since each takes the engine half a millisecond.
 */
const preamble = (connection: Connection, { database, settings }: Statement): string[] => {
  const changes = [
    ...connection.dirty.filter((name) => !settings.has(name)).map((name) => `${name} = DEFAULT`),
    // Parameters by SET, too: the binding call of the library runs one statement at a time in the whole process.
    ...[...settings].map(([name, value]) => `${name} = ${quoteString(value)}`),
  ];
  return [
    ...(connection.database === database && database === permanent ? [] : [`USE ${quoteName(database)}`]),
    ...(changes.length === 0 ? [] : [`SET ${changes.join(', ')}`]),
  ];
};

/** A failed statement leaves its output in front of its connection's next result: removes that. */
const drain = async (connection: Connection): Promise<void> => {
  for (const sql of [...connection.dirty.map((name) => `SET ${name} = DEFAULT`), 'SELECT 1']) {
    // A drain that reports the old failure once more has done its work.
    await connection.session.queryAsync(sql).catch(() => undefined);
  }
  connection.dirty = [];
  connection.database = undefined;
};

/** Half of the machine, 4 GiB at most: the engine's own default is all of it. */
const memoryBytesMax = Math.min(Math.floor(os.totalmem() / 2), 4 * 2 ** 30);

/**
 * Opens the folder, which is created if it does not exist. One process may have it open.
 * @param connections for each of reading and writing
 * @throws {Error} Code 76 when another process has the folder open
 */
export const openEngine = (dir: string, connections = 4): Engine => {
  const connectionArgs = [`--max_server_memory_usage=${memoryBytesMax}`];
  const open = () => new Session(dir, { connectionArgs });
  // Keeps the engine loaded, and kills statements whose client is gone.
  const root = open();
  // A fixed number of connections: a closed one is kept while any call is under way, so that one for each request
  // would fill the memory under load. Writers do not wait behind slow readers.
  const pools = { read: createPool(open, connections), write: createPool(open, connections) };

  const kill = ({ id }: Statement): void => {
    const mark = quoteString(`%/*${id}*/%`);
    // ASYNC, since the statement ends only after this call has returned its thread.
    const sql = `KILL QUERY WHERE query LIKE ${mark} AND query NOT LIKE '%KILL QUERY%' ASYNC`;
    // It fails if the statement has already ended.
    root.queryAsync(sql).catch(() => undefined);
  };

  const execute = async (connection: Connection, statement: Statement, signal: AbortSignal) => {
    const before = preamble(connection, statement);
    connection.dirty = [...statement.settings.keys()].filter((name) => !name.startsWith('param_'));
    connection.database = statement.database;
    const sql = [...before, `/*${statement.id}*/ ${statement.sql}`].join(';\n');
    let repeat: NodeJS.Timeout | undefined;
    const stop = () => {
      kill(statement);
      // The statement may not have begun: it is killed once it has.
      repeat = setInterval(kill, 500, statement);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await connection.session.queryAsync(sql, { format: statement.format });
    } catch (error) {
      await drain(connection);
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      clearInterval(repeat);
    }
  };

  return {
    version: root.query('SELECT version()', 'TSV').trim(),
    async run(statement, signal) {
      const pool = pools[statement.kind];
      const connection = await pool.take();
      try {
        // The client may have left while it waited in line.
        signal.throwIfAborted();
        return await execute(connection, statement, signal);
      } finally {
        pool.give(connection);
      }
    },
    async close() {
      await drainPending();
      root.close();
    },
  };
};
