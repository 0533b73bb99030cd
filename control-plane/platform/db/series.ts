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

/** For `client.query`, which calls the methods as answers come. */
export class Series implements pg.Submittable {
  /** Called after the last answer: `pg` adds its time limit to it. */
  callback: (error?: Error | null) => void;
  readonly #waiting: readonly Waiting[];
  readonly #queries: readonly Query[];
  readonly #results: pg.QueryResult[] = [];
  #failure: Error | undefined;

  /** @param waiting one or more, each a single statement @param onEnd once each has its result or its error */
  constructor(waiting: readonly Waiting[], onEnd: () => void) {
    this.#waiting = waiting;
    this.callback = onEnd;
    this.#queries = waiting.map(({ statement }) => {
      const query = new pg.Query({
        ...statement,
        queryMode: 'extended',
      } as pg.QueryConfig) as unknown as Query;
      query.callback = (error, result) => {
        if (error) this.#failure ??= error;
        else this.#results.push(result!);
      };
      return query;
    });
  }

  /** The statement whose answer comes next. */
  get #current(): Query | undefined {
    return this.#queries[this.#results.length];
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
  }

  /** PostgreSQL refuses the current statement, or the connection is lost. */
  handleError(error: Error, connection: Connection): void {
    this.#failure ??= error;
    for (const { name } of this.#queries.slice(this.#results.length))
      if (name) delete connection.submittedNamedStatements[name];
    this.#settle();
  }

  handleReadyForQuery(): void {
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
    const results = statements.map((statement) => {
      const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
      return { promise, waiting: { statement, resolve, reject } };
    });
    client.query(
      new Series(
        results.map(({ waiting }) => waiting),
        () => {},
      ),
    );
    return (await Promise.all(results.map(({ promise }) => promise))) as never;
  } catch (error) {
    broken = error instanceof Error && isConnectionLost(error) ? error : undefined;
    throw error;
  } finally {
    client.release(broken);
  }
};
