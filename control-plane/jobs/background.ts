/** Work that an answer does not wait for, but a shutdown does. */
import { messageOf } from '#shared/errors.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';

export interface Background extends Closeable {
  /** For work on whose success nothing depends: a failure is logged, sparsely, and that is all. */
  start(what: string, work: Promise<unknown>): void;
}

export const createBackground = (logger: Logger): Background => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const underWay = new Set<Promise<unknown>>();
  return {
    start(what, work) {
      const settled = work
        .catch((error: unknown) => warn(`${what}: ${messageOf(error)}`, { err: error }, `${what} failed`))
        .finally(() => underWay.delete(settled));
      underWay.add(settled);
    },
    async close() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
};
