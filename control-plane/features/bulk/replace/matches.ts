/** The codes that a replacement of texts finds. */
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import { bulkRowsMax } from '#schemas/api/bulk.ts';
import type { DryRunReport, TextReplacement } from '#schemas/api/bulk-replace.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Pool } from '../../../db/pool.ts';
import type { ChangeBatch } from '../../codes/batch/change-batch.ts';
import type { WholeCode } from '../../codes/store/code.ts';
import { countCodesWithText, findCodesWithText } from '../../codes/store/find-text.ts';
import type { Change } from '../../codes/store/write.ts';

/**
 * All of them, oldest first.
 * @throws {ClientError} UNPROCESSABLE naming find, where they are more than one operation takes
 */
export const findMatches = async (pool: Pool, workspaceId: string, find: string): Promise<WholeCode[]> => {
  const found = await findCodesWithText(pool, workspaceId, find, bulkRowsMax + 1);
  if (found.length <= bulkRowsMax) return found;
  const total = await countCodesWithText(pool, workspaceId, find);
  throw new ClientError(
    'UNPROCESSABLE',
    `find must be in the destinations of at most ${bulkRowsMax} codes; ${quoted(find)} is in ${total}: give a longer text, or ` +
      'the rows themselves',
  );
};

const reportOf = (code: WholeCode, change: Change): DryRunReport['changes'][number] => {
  const { id, destination } = code;
  try {
    return { id, destination, newDestination: change(code).destination ?? destination };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { id, destination, message: error.message, code: error.code };
  }
};

/** What would become of them. To percent-encode one destination takes some milliseconds: after each, other requests have a turn. */
export const reportMatches = async (
  batch: Pick<ChangeBatch, 'replacement'>,
  { find, replace }: TextReplacement,
  codes: readonly WholeCode[],
): Promise<DryRunReport> => {
  const change = batch.replacement(find, replace);
  const changes: DryRunReport['changes'] = [];
  for (const code of codes) {
    changes.push(reportOf(code, change));
    await nextTurnOfLoop();
  }
  return { total: codes.length, changes };
};
