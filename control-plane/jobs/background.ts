/** Work that an answer does not wait for, but a shutdown does. */
import { messageOf } from '#shared/errors.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';

export interface Background extends Closeable {
  /** For work on whose success nothing depends: a failure is logged, sparsely, and that is all. */
  start(what: string, work: Promise<unknown>): void;
  /** The same for work that does all there is to do: while it is under way, further calls run it once more, and no more. */
  startOnce(what: string, work: () => Promise<unknown>): void;
}

export const createBackground = (logger: Logger): Background => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const underWay = new Set<Promise<unknown>>();
  /** What runs, and whether it is to run again. */
  const once = new Map<string, boolean>();

  const logged = (what: string, work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => warn(`${what}: ${messageOf(error)}`, { err: error }, `${what} failed`));

  const start = (what: string, work: Promise<unknown>): void => {
    const settled = logged(what, work).finally(() => underWay.delete(settled));
    underWay.add(settled);
  };

  /** A run that fails is repeated as well: what it was asked for is still to be done. */
  const repeat = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    do {
      once.set(what, false);
      await logged(what, work());
    } while (once.get(what));
    once.delete(what);
  };

  return {
    start,
    startOnce(what, work) {
      if (once.has(what)) once.set(what, true);
      else start(what, repeat(what, work));
    },
    async close() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
};
