/**
 * Reads of answers that are read page by page while they are sent. However many are under way, and however long PostgreSQL takes,
 * they leave most of a pool's connections to requests that are short. Each such answer waits for one page at most, so that the
 * order of their coming is fair enough.
 */
import type { Pool, Queryable } from './pool.ts';

/** The share of the pool that they may use. */
const share = 1 / 4;

/** For each pool: one for all who read from it. */
const readers = new WeakMap<Pool, Queryable>();

/** The pool, for pages: a connection is held while a page is read, and at most a quarter of them is. */
export const pageReads = (pool: Pool): Queryable => {
  const known = readers.get(pool);
  if (known) return known;
  const reader = bounded(pool);
  readers.set(pool, reader);
  return reader;
};

const bounded = (pool: Pool): Queryable => {
  const readsMax = Math.max(1, Math.floor(pool.options.max * share));
  const waiting: (() => void)[] = [];
  let reading = 0;
  const enter = async (): Promise<void> => {
    if (reading >= readsMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else reading++;
  };
  /** The next one gets the place. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else reading--;
  };
  const query = async (...statement: Parameters<Pool['query']>) => {
    await enter();
    try {
      return await pool.query(...statement);
    } finally {
      leave();
    }
  };
  return { query: query as Queryable['query'] };
};
