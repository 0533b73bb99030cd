/** The codes that a replacement of texts finds. */
import { setImmediate as nextIteration } from 'node:timers/promises';
import { bulkRowsMax } from '#schemas/api/bulk.ts';
import type { DryRunReport, TextReplacement, TextRest } from '#schemas/api/bulk-replace.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import { pageReads } from '../../../platform/db/page-reads.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { ChangeBatch } from '../../codes/batch/change-batch.ts';
import type { WholeCode } from '../../codes/store/code.ts';
import { countCodesWithText, findCodesWithText, findSeq, readUnstyled } from '../../codes/store/find-text.ts';
import type { Change } from '../../codes/store/write.ts';

/** Codes that hold the text, as many as one call changes, oldest first. */
export interface Matches {
  ids: readonly string[];
  rest: TextRest;
}

/** @throws {ClientError} UNPROCESSABLE naming after */
const seqOf = async (pool: Pool, workspaceId: string, after: string | undefined): Promise<string> => {
  const seq = after === undefined ? '0' : await findSeq(pool, workspaceId, after);
  if (seq !== undefined) return seq;
  throw new ClientError(
    'UNPROCESSABLE',
    `after must be the id of a code of the workspace; given: ${quoted(after)}`,
    { fault: 'reference' },
  );
};

/** @throws {ClientError} UNPROCESSABLE naming after, if it is not a code of the workspace */
export const findMatches = async (
  pool: Pool,
  workspaceId: string,
  { find: text, after }: TextReplacement,
): Promise<Matches> => {
  const afterSeq = await seqOf(pool, workspaceId, after);
  const found = await findCodesWithText(pool, workspaceId, { text, afterSeq }, bulkRowsMax + 1);
  const codes = found.slice(0, bulkRowsMax);
  const ids = codes.map(({ id }) => id);
  if (found.length <= bulkRowsMax) return { ids, rest: { remaining: 0 } };
  const last = codes.at(-1)!;
  const remaining = await countCodesWithText(pool, workspaceId, { text, afterSeq: last.seq });
  return { ids, rest: { remaining, nextAfter: last.id } };
};

/** @throws {ClientError} UNPROCESSABLE naming find, if no code holds it */
export const requireMatches = ({ ids }: Matches, { find, after }: TextReplacement): void => {
  if (ids.length > 0) return;
  const place = after === undefined ? 'destination' : `destination of a code after ${quoted(after)}`;
  throw new ClientError('UNPROCESSABLE', `find is in no ${place}; given: ${quoted(find)}`);
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

/** A code may have half a megabyte, and a thousand are asked for at once: memory holds these. */
const codesAtOnce = 20;

/**
 * The report of a dry run. It reads a few codes at a time, as an export does. Percent-encoding one destination takes some
 * milliseconds: other requests are served after each.
 */
export const reportMatches = async (
  pool: Pool,
  workspaceId: string,
  batch: Pick<ChangeBatch, 'replacement'>,
  { find, replace }: TextReplacement,
  { ids, rest }: Matches,
): Promise<DryRunReport> => {
  const change = batch.replacement(find, replace);
  const changes: DryRunReport['changes'] = [];
  for (let at = 0; at < ids.length; at += codesAtOnce) {
    const codes = await readUnstyled(pageReads(pool), workspaceId, ids.slice(at, at + codesAtOnce));
    for (const code of codes) {
      changes.push(reportOf(code, change));
      await nextIteration();
    }
  }
  return { dryRun: true, total: changes.length, ...rest, changes };
};
