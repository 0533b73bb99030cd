/** Transactions. */
import type pg from 'pg';
import { statementOfLog } from './actions.ts';
import { isConnectionLost, type Pool, type Queryable } from './pool.ts';
import { ask, sendTogether, type Waiting } from './series.ts';

/**
 * The statements of a transaction: a function that takes it leaves the commit to its caller. Each journey to PostgreSQL costs both
 * sides some 0.1 ms of CPU, so statements travel together if they do not need each other's results: BEGIN with the first one, the
 * statements of one turn of the event loop (`Promise.all`) with each other, and the last ones with COMMIT.
 */
export interface Transaction extends Queryable {
  /** Runs the statement before the commit; an error undoes the transaction. */
  queryAtCommit(statement: pg.QueryConfig): void;
}

/** How work is run in one transaction: {@link inTransaction} or {@link rolledBack}. */
export type RunInTransaction = typeof inTransaction;

/**
 * Runs `work` in one transaction: committed when it returns, rolled back if it throws. A store's public functions open
 * the transaction; the functions they call take it. The action that it belongs to is logged in it, see actions.ts.
 * @throws the error of `work`, or PostgreSQL's on BEGIN or COMMIT
 */
export const inTransaction = async <Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  const tx = new OpenTransaction(client);
  let broken: Error | undefined;
  try {
    const result = await work(tx);
    await tx.commit();
    return result;
  } catch (error) {
    broken = await tx.rollBack(error);
    throw error;
  } finally {
    client.release(broken);
  }
};

/** Thrown to undo work that has succeeded. */
class Undone extends Error {}

/**
 * Runs `work` as {@link inTransaction} does, and undoes it: its result says what it would have done.
 * @throws the error of `work`
 */
export const rolledBack: RunInTransaction = async (pool, work) => {
  let done: { result: Awaited<ReturnType<typeof work>> } | undefined;
  try {
    await inTransaction(pool, async (tx) => {
      done = { result: await work(tx) };
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return done!.result;
};

const begin: pg.QueryConfig = { name: 'begin', text: 'BEGIN' };
const commit: pg.QueryConfig = { name: 'commit', text: 'COMMIT' };

const isStream = (statement: unknown): statement is pg.Submittable =>
  typeof (statement as pg.Submittable).submit === 'function';

class OpenTransaction implements Transaction {
  readonly #client: pg.PoolClient;
  /** Sent at the end of this turn of the event loop, or once the statements under way are answered. */
  #waiting: Waiting[] = [];
  readonly #atCommit: pg.QueryConfig[] = [];
  #isUnderWay = false;
  #isBegun = false;
  #isOver = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  readonly query = ((statement: pg.QueryConfig | string | pg.Submittable, values?: unknown[]) => {
    if (isStream(statement)) return this.#stream(statement);
    if (this.#isOver) return Promise.reject(new Error('the transaction is over'));
    return this.#run(typeof statement === 'string' ? { text: statement, values: values ?? [] } : statement);
  }) as Queryable['query'];

  queryAtCommit(statement: pg.QueryConfig): void {
    this.#atCommit.push(statement);
  }

  /** @throws what a statement throws, or that PostgreSQL rolled the transaction back */
  async commit(): Promise<void> {
    const log = statementOfLog(this);
    const last = [...this.#atCommit, ...(log ? [log] : [])];
    if (!this.#isBegun && this.#waiting.length === 0 && this.#atCommit.length === 0) return;
    const ended = Promise.all([...last, commit].map((statement) => this.#run(statement)));
    // Nothing is sent after COMMIT: it would be of no transaction.
    this.#isOver = true;
    const results = await ended;
    if (results.at(-1)!.command !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back');
  }

  /**
   * @returns why the connection is unusable, so that the pool drops it; undefined if it is usable. A connection that was
   * just lost, or did not answer in time, is not even asked: PostgreSQL rolls back its transaction.
   */
  async rollBack(error: unknown): Promise<Error | undefined> {
    this.#isOver = true;
    for (const { reject } of this.#waiting) reject(new Error('the transaction is over'));
    this.#waiting = [];
    if (error instanceof Error && isConnectionLost(error)) return error;
    if (!this.#isBegun) return undefined;
    try {
      await this.#client.query('ROLLBACK');
      return undefined;
    } catch (failure) {
      return failure instanceof Error ? failure : new Error(String(failure));
    }
  }

  #run(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const { waiting, result } = ask(statement);
    if (this.#waiting.length === 0) queueMicrotask(() => this.#send());
    this.#waiting.push(waiting);
    return result;
  }

  #send(): void {
    if (this.#isUnderWay || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (!this.#isBegun) waiting.unshift({ statement: begin, resolve() {}, reject() {} });
    this.#isBegun = true;
    this.#isUnderWay = true;
    sendTogether(this.#client, waiting, () => {
      this.#isUnderWay = false;
      this.#send();
    });
  }

  #stream<Stream extends pg.Submittable>(stream: Stream): Stream {
    if (this.#isOver) throw new Error('the transaction is over');
    if (!this.#isBegun) throw new Error('a transaction begins with a statement, not with a stream');
    return this.#client.query(stream);
  }
}
