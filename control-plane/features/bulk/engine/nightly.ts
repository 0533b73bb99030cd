/** The nightly task: it removes results that were not fetched, and forgets operations that ended long ago. */

import type { Logger } from '#shared/logger.ts';
import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Kind } from './kind.ts';
import type { StoredOperation } from './store/operations.ts';
import { forgetOperations, listExpired, removeExpired } from './store/results.ts';

export const resultKeptDays = 7;
/** So long can be read how an operation went. */
export const operationKeptDays = 30;
const schedule = '30 3 * * *';

export const nightlyTask = (pool: Pool, kinds: readonly Kind[], logger: Logger): Task => {
  /** One that cannot be removed holds up no other: it comes again on the next night. */
  const expire = async (kind: Kind, operation: StoredOperation): Promise<void> => {
    try {
      await kind.remove?.(operation);
      await removeExpired(pool, operation.id);
    } catch (error) {
      logger.warn({ err: error, bulkId: operation.id }, 'a bulk result could not be removed');
    }
  };

  const expireAll = async (kind: Kind): Promise<void> => {
    const keptDays = kind.resultKeptDays ?? resultKeptDays;
    let last: StoredOperation | undefined;
    do {
      const expired = await listExpired(pool, kind.name, keptDays, last?.seq ?? '0');
      for (const operation of expired) await expire(kind, operation);
      last = expired.at(-1);
    } while (last);
  };

  return {
    task: 'sweep-bulk',
    schedule,
    async run() {
      for (const kind of kinds) await expireAll(kind);
      await forgetOperations(pool, operationKeptDays);
    },
  };
};
