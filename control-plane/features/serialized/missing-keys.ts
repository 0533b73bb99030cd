/** Batches whose key this process does not have: nobody can print or verify their items. */
import type { Logger } from '#shared/logger.ts';
import type { SerialSignatures } from '#shared/serial-signatures.ts';
import type { Queryable } from '../../db/pool.ts';
import { listGenerations } from './store/batches.ts';

/** Says so in the log where there are any. */
export const reportMissingKeys = async (
  db: Queryable,
  signatures: Pick<SerialSignatures, 'knows'>,
  logger: Logger,
): Promise<void> => {
  const generations = (await listGenerations(db)).filter((generation) => !signatures.knows(generation));
  if (generations.length === 0) return;
  logger.error(
    { generations },
    `SERIAL_KEYS must have the keys of the generations ${generations.join(', ')}: serialized batches are signed with them, and their items cannot be verified`,
  );
};
