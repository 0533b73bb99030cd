/** Rows that become dynamic codes. */
import { redirectUrl } from '#shared/redirect-url.ts';
import type { CodeBatch } from '../../codes/batch/code-batch.ts';
import type { PreparedCode } from '../../codes/prepare-code.ts';
import { bulkKind, type Kind } from '../engine/kind.ts';

export interface CreateKindOptions {
  batch: CodeBatch;
  qrHost: string;
}

export const createKind = ({ batch, qrHost }: CreateKindOptions): Kind =>
  bulkKind<PreparedCode>({
    name: 'create',
    sliceRowsMax: 100,
    prepare: ({ workspaceId }, rows) =>
      batch.prepare(
        workspaceId,
        rows.map(({ body }) => body),
      ),
    async effect(tx, _, prepared, afterCommit) {
      const codes = await batch.effect(
        tx,
        prepared.map(({ value }) => value),
        afterCommit,
      );
      return codes.map((code, index) => {
        const { warnings } = prepared[index]!.value;
        return {
          status: 'created',
          id: code.id,
          redirectUrl: redirectUrl(qrHost, code),
          ...(warnings.length > 0 && { warnings }),
        };
      });
    },
  });
