/** Rows that become dynamic codes. */
import type { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { ClientError } from '#shared/errors.ts';
import type { Creation } from '../../../creation/creation-request.ts';
import { validateBody } from '../../../http/validation.ts';
import type { CreateDynamicCode } from '../../codes/create-code.ts';
import { type BulkRow, bulkKind, type Kind, type Outcome } from '../engine/kind.ts';

export interface CreateKindOptions {
  body: ReturnType<typeof createCodeBodies>['create'];
  createDynamicCode: CreateDynamicCode;
}

type Effect = (
  ...parameters: Parameters<Creation<unknown>['effect']> extends [infer Tx, unknown, infer After]
    ? [Tx, After]
    : never
) => ReturnType<Creation<unknown>['effect']>;

export const createKind = ({ body, createDynamicCode }: CreateKindOptions): Kind => {
  const prepareRow = async (workspaceId: string, row: BulkRow): Promise<Effect> => {
    let effect: Effect | undefined;
    await createDynamicCode(workspaceId, validateBody(body, row.body), async (creation) => {
      const prepared = await creation.prepare();
      effect = (tx, afterCommit) => creation.effect(tx, prepared, afterCommit);
      return {};
    });
    return effect!;
  };

  return bulkKind<Effect>({
    name: 'create',
    sliceRowsMax: 100,
    async prepare({ workspaceId }, rows) {
      const outcomes: Outcome<Effect>[] = [];
      for (const row of rows) {
        try {
          outcomes.push({ value: await prepareRow(workspaceId, row) });
        } catch (error) {
          if (!(error instanceof ClientError)) throw error;
          outcomes.push({ error });
        }
      }
      return outcomes;
    },
    async effect(tx, _, prepared, afterCommit) {
      const results = [];
      for (const { value } of prepared) {
        const { body: code } = await value(tx, afterCommit);
        const { id, redirectUrl } = code as { id: string; redirectUrl: string };
        results.push({ status: 'created', id, redirectUrl });
      }
      return results;
    },
  });
};
