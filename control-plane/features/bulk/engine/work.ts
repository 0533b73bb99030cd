/** The work of a workspace's job: the next slice of its oldest operation of which something can be done, or the last step of one. */
import type { Logger } from '#shared/logger.ts';
import type { Pool } from '../../../db/pool.ts';
import type { Kind, KindName } from './kind.ts';
import { runLastStep } from './last-step.ts';
import { enqueue } from './queue.ts';
import { createSlices, type Progress, type SlicesOptions } from './slices.ts';
import { listUnfinished, type StoredOperation } from './store/operations.ts';

export interface WorkOptions extends SlicesOptions {
  pool: Pool;
  kinds: readonly Kind[];
  logger: Logger;
}

/** @throws where the database is away */
export type Work = (workspaceId: string) => Promise<void>;

/** Operations that one job tries without success: each may take as long as what is away takes to be given up. */
const heldUpMax = 2;
/** How long a workspace waits where nothing could be done. */
const laterDelayMs = 1_000;

const isDone = ({ succeeded, failed, total }: StoredOperation): boolean => succeeded + failed === total;

export const createWork = (options: WorkOptions): Work => {
  const { pool, logger } = options;
  const slices = createSlices(options);
  const kinds = new Map<KindName, Kind>(options.kinds.map((kind) => [kind.name, kind]));

  const goOn = async (operation: StoredOperation): Promise<Progress> => {
    const kind = kinds.get(operation.kind);
    if (!kind) {
      // Another process has a later release than this one.
      logger.warn({ bulkId: operation.id, kind: operation.kind }, 'this kind of bulk operation is not known');
      return 'nothing to do';
    }
    return isDone(operation) ? runLastStep(pool, operation, kind, logger) : slices.goOn(operation, kind);
  };

  return async (workspaceId) => {
    let heldUp = 0;
    for (const operation of await listUnfinished(pool, workspaceId)) {
      const progress = await goOn(operation);
      if (progress === 'done' || progress === 'busy') return;
      if (progress === 'later' && ++heldUp === heldUpMax) break;
    }
    if (heldUp > 0) await enqueue(pool, workspaceId, laterDelayMs);
  };
};
