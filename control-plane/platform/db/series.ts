/**
 * Statements that travel together: one write, one answer, one wait. PostgreSQL runs them in order; after an error it skips the
 * others of the series (the extended query protocol: no Sync between them), so that a statement never runs without those before.
 * `pg` has a pipeline, too, but each of its statements has its own Sync: after a failed BEGIN the next one would run for good.
 */
import pg from 'pg';
import { isConnectionLost, type Pool } from './pool.ts';

/** The parts of `pg`'s connection and query that it has for other classes of queries, without types. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, unknown>;
  readonly submittedNamedStatements: Record<string, unknown>;
  sync(): void;
}
interface Query {
  name: string | undefined;
  text: string;
  callback: (error: Error | null, result?: pg.QueryResult) => void;
  submit(connection: Connection): Error | null;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleEmptyQuery(connection: Connection): void;
}

/** A statement of a series, and who waits for it. */
export interface Waiting {
  readonly statement: pg.QueryConfig;
  resolve(result: pg.QueryResult): void;
  reject(error: Error): void;
}

/** @returns the statement for {@link sendTogether}, and its result; its error names who asked, as that of `pg`'s own queries does */
export const ask = (statement: pg.QueryConfig): { waiting: Waiting; result: Promise<pg.QueryResult> } => {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  const result = promise.catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
  return { waiting: { statement, resolve, reject }, result };
};

/** They take no time of their own beside other statements. */
const frame = /^(BEGIN|COMMIT)$/;

/** For `client.query`, which calls the methods as answers come. */
class Series implements pg.Submittable {
  /** Called after the last answer: `pg` adds its time limit to it. */
  callback: (error?: Error | null) => void;
  /** For `pg`, which would give all of them together the time of one: PostgreSQL answers after the last one. */
  readonly query_timeout: number | undefined;
  readonly #waiting: readonly Waiting[];
  readonly #queries: readonly Query[];
  readonly #results: pg.QueryResult[] = [];
  #answered = 0;
  #failure: Error | undefined;
  /** The statement that `pg` has closed again, since a value of it cannot be sent. */
  #closed: string | undefined;

  constructor(waiting: readonly Waiting[], answerMsMax: number | undefined, onEnd: () => void) {
    this.#waiting = waiting;
    const statements = waiting.filter(({ statement: { text } }) => !frame.test(text)).length;
    this.query_timeout = answerMsMax && answerMsMax * Math.max(statements, 1);
    this.callback = onEnd;
    this.#queries = waiting.map(({ statement }) => {
      const query = new pg.Query({
        ...statement,
        queryMode: 'extended',
      } as pg.QueryConfig) as unknown as Query;
      query.callback = (error, result) => {
        if (error) this.#failure ??= error;
        else this.#results[this.#answered] = result!;
      };
      return query;
    });
  }

  /** The statement whose answer comes next. */
  get #current(): Query | undefined {
    return this.#queries[this.#answered];
  }

  /** `pg` remembers by them which statements a connection has prepared. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  submit(connection: pg.Connection): void {
    const own = connection as unknown as Connection;
    const unsynced = Object.create(own, { sync: { value: () => {} } }) as Connection;
    own.stream.cork();
    try {
      for (const query of this.#queries) {
        const refusal = query.submit(unsynced);
        if (refusal) this.#failure = refusal;
        // A value that cannot be sent. What was sent before it is answered.
        else if (this.#failure) this.#closed = query.name;
        if (this.#failure) break;
      }
      own.sync();
    } finally {
      own.stream.uncork();
    }
  }

  handleRowDescription(message: unknown): void {
    this.#current?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#current?.handleDataRow(message);
  }

  handleEmptyQuery(connection: Connection): void {
    this.#complete(connection);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#current?.handleCommandComplete(message, connection);
    this.#complete(connection);
  }

  /** The query gives its result, or the error of a row that could not be read. */
  #complete(connection: Connection): void {
    if (!this.#failure) this.#current?.handleReadyForQuery(connection);
    this.#answered++;
  }

  /** PostgreSQL refuses the current statement, or the connection is lost. */
  handleError(error: Error, connection: Connection): void {
    this.#failure ??= error;
    for (const { name } of this.#queries.slice(this.#answered))
      if (name) delete connection.submittedNamedStatements[name];
    this.#settle();
  }

  handleReadyForQuery(connection: Connection): void {
    // `pg` has seen that it was prepared, and does not see that it was closed.
    if (this.#closed) {
      delete connection.parsedStatements[this.#closed];
      delete connection.submittedNamedStatements[this.#closed];
    }
    this.#settle();
  }

  /** A statement that was skipped fails as the one before. */
  #settle(): void {
    for (const [at, { resolve, reject }] of this.#waiting.entries()) {
      const result = this.#results[at];
      if (result) resolve(result);
      else reject(this.#failure ?? new Error('a statement of a series was not answered'));
    }
    this.callback(this.#failure ?? null);
  }
}

/** A part of `pg`'s client that has no type. */
interface Limited {
  readonly connectionParameters: { readonly query_timeout?: number };
}

/**
 * Sends statements together. Each has the time of a statement that is sent alone.
 * @param waiting one or more, each a single statement
 * @param onEnd once each has its result or its error
 */
export const sendTogether = (
  client: pg.ClientBase,
  waiting: readonly Waiting[],
  onEnd: () => void = () => {},
): void => {
  const { query_timeout } = (client as unknown as Limited).connectionParameters;
  client.query(new Series(waiting, query_timeout, onEnd));
};

/**
 * Runs statements that read one after the other on one connection.
 * @returns their results, in order
 * @throws the error of the first that fails
 */
export const queryTogether = async <Rows extends readonly pg.QueryResultRow[]>(
  pool: Pool,
  statements: readonly pg.QueryConfig[],
): Promise<{ [Place in keyof Rows]: pg.QueryResult<Rows[Place] & pg.QueryResultRow> }> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const asked = statements.map(ask);
    sendTogether(
      client,
      asked.map(({ waiting }) => waiting),
    );
    return (await Promise.all(asked.map(({ result }) => result))) as never;
  } catch (error) {
    broken = error instanceof Error && isConnectionLost(error) ? error : undefined;
    throw error;
  } finally {
    client.release(broken);
  }
};
