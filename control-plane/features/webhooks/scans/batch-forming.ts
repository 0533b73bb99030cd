/** Forms batches several times a second, in each control plane. */
import type { Closeable } from '#shared/lifecycle.ts';
import type { Background } from '../../../jobs/background.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { type FormedRound, formDueBatches } from './form-batches.ts';

const intervalMs = 500;

export interface BatchFormingOptions {
  pool: Pool;
  background: Background;
  onFormed(formed: FormedRound): void;
}

export const startBatchForming = ({ pool, background, onFormed }: BatchFormingOptions): Closeable => {
  const closing = new AbortController();
  let forming = false;

  const formAll = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const formed = await formDueBatches(pool);
      onFormed(formed);
      if (!formed.hasMore) return;
    }
  };

  const timer = setInterval(() => {
    if (forming) return;
    forming = true;
    const done = formAll().finally(() => {
      forming = false;
    });
    background.start('forming batches of scans', done);
  }, intervalMs);

  return {
    async close() {
      clearInterval(timer);
      closing.abort();
    },
  };
};
