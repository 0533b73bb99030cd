/** Rows that change codes. */
import type { TextReplacement } from '#schemas/api/bulk-replace.ts';
import { ClientError } from '#shared/errors.ts';
import { redirectUrl } from '#shared/redirect-url.ts';
import type { ChangeBatch, PreparedChange } from '../../codes/batch/change-batch.ts';
import { type BulkOperation, type BulkRow, bulkKind, type Kind } from '../engine/kind.ts';

/** Shared by all rows: the texts, if the codes were found by one. */
export type ReplaceOptions = { [Name in 'find' | 'replace']?: TextReplacement[Name] };

/** A row as stored; it has its own update, unless the operation has texts. */
export interface ReplaceRow {
  id: string;
  update?: unknown;
}

export interface ReplaceKindOptions {
  batch: ChangeBatch;
  qrHost: string;
}

const rowOf = ({ body }: BulkRow): ReplaceRow => body as ReplaceRow;

/** Rows per slice: their codes are locked together. */
const sliceRowsMax = 100;

export const createReplaceKind = ({ batch, qrHost }: ReplaceKindOptions): Kind => {
  const prepareTexts = (
    { workspaceId }: BulkOperation,
    texts: { find: string; replace: string },
    rows: readonly BulkRow[],
  ) =>
    batch.prepareReplacement(
      workspaceId,
      rows.map((row) => rowOf(row).id),
      texts,
    );

  const prepareUpdates = ({ workspaceId }: BulkOperation, rows: readonly BulkRow[]) =>
    batch.prepare(
      workspaceId,
      rows.map((row) => ({ id: rowOf(row).id, body: rowOf(row).update })),
    );

  return bulkKind<PreparedChange>({
    name: 'replace',
    sliceRowsMax,
    async prepare(operation, rows) {
      const { find, replace } = operation.options as ReplaceOptions;
      return find !== undefined && replace !== undefined
        ? prepareTexts(operation, { find, replace }, rows)
        : prepareUpdates(operation, rows);
    },
    async effect(tx, { workspaceId }, prepared, afterCommit) {
      const changes = prepared.map(({ value }) => value);
      const results = await batch.effect(tx, workspaceId, changes, afterCommit);
      return results.map((result, index) => {
        if (result instanceof ClientError) return result;
        const { warnings } = changes[index]!;
        return {
          status: result.isChanged ? 'updated' : 'unchanged',
          id: result.code.id,
          redirectUrl: redirectUrl(qrHost, result.code),
          ...(warnings.length > 0 && { warnings }),
        };
      });
    },
  });
};
