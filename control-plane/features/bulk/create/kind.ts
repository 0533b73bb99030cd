/** Rows that become dynamic codes. */
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import { aliasUrl, redirectUrl } from '#shared/redirect-url.ts';
import type { CodeBatch } from '../../codes/batch/code-batch.ts';
import type { PreparedCode } from '../../codes/prepare-code.ts';
import { bulkKind, type Kind } from '../engine/kind.ts';

export interface CreateKindOptions {
  batch: CodeBatch;
  qrHost: string;
}

/**
 * Rows of a dry run: prepared as those of a creation, and not stored. A kind of its own, not an option of the other: an
 * earlier version of the service would not know the option, and create them.
 */
export const validateKind = ({ batch }: Pick<CreateKindOptions, 'batch'>): Kind =>
  bulkKind<PreparedCode>({
    name: 'validate',
    sliceRowsMax: 100,
    prepare: ({ workspaceId }, rows) =>
      batch.prepare(
        workspaceId,
        rows.map(({ body }) => body),
        { dryRun: true },
      ),
    effect: async (_tx, _operation, prepared) =>
      prepared.map(({ value: { warnings } }) => ({
        status: 'valid',
        ...(warnings.length > 0 && { warnings }),
      })),
  });

/** Stored of the call beside its rows; earlier releases stored nothing. */
const createOptions = z.object({ createdBy: z.string().nullable().default(null) });

export const createKind = ({ batch, qrHost }: CreateKindOptions): Kind =>
  bulkKind<PreparedCode>({
    name: 'create',
    sliceRowsMax: 100,
    prepare: ({ workspaceId }, rows) =>
      batch.prepare(
        workspaceId,
        rows.map(({ body }) => body),
      ),
    async effect(tx, { options }, prepared, afterCommit) {
      const codes = await batch.effect(
        tx,
        createOptions.parse(options).createdBy,
        prepared.map(({ value }) => value),
        afterCommit,
      );
      return codes.map((code, index) => {
        if (code instanceof ClientError) return code;
        const { warnings } = prepared[index]!.value;
        return {
          status: 'created',
          id: code.id,
          redirectUrl: redirectUrl(qrHost, code),
          ...(code.alias && { aliases: [aliasUrl(qrHost, code.alias)] }),
          ...(warnings.length > 0 && { warnings }),
        };
      });
    },
  });
