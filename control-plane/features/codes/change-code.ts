/** Changes to a code by its owner: PUT, PATCH, DELETE and activation. */
import type { Outbox } from '../../framework/outbox.ts';
import { retryWhenOvertaken } from '../../platform/db/overtaken.ts';
import { inTransaction, rolledBack } from '../../platform/db/transaction.ts';
import { activation, deactivation } from './code-changes.ts';
import { anyVersion, type Precondition } from './preconditions.ts';
import { type ChangePreparationOptions, createChangePreparation, type Update } from './prepare-change.ts';
import type { WholeCode } from './store/code.ts';
import { type Change, deactivateCode, updateCode } from './store/write.ts';

export interface CodeEditorOptions extends ChangePreparationOptions {
  outbox: Outbox;
}

export interface UpdatedCode {
  code: WholeCode;
  /** About the new style. */
  warnings: readonly string[];
}

/** Each change throws PRECONDITION_FAILED if the code is not as its client expects, and then changes nothing. */
export interface CodeEditor {
  /**
   * @param dryRun whether the update is undone: the code is as it would be
   * @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT if the code cannot be updated, EXTERNAL_ID_TAKEN, UNPROCESSABLE
   * naming a field
   */
  update(
    workspaceId: string,
    id: string,
    update: Update,
    expect?: Precondition,
    dryRun?: boolean,
  ): Promise<UpdatedCode>;
  /** Leaves an active code as it is. @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT for a locked code */
  activate(workspaceId: string, id: string, expect?: Precondition): Promise<WholeCode>;
  /** @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT for a code in legal hold */
  deactivate(workspaceId: string, id: string, expect?: Precondition): Promise<WholeCode>;
}

const expecting =
  (expect: Precondition, change: Change): Change =>
  (current) => {
    expect(current);
    return change(current);
  };

export const createCodeEditor = (options: CodeEditorOptions): CodeEditor => {
  const { pool, outbox } = options;
  const preparation = createChangePreparation(options);
  return {
    async update(workspaceId, id, { fixed, of, isStyled }, expect = anyVersion, dryRun = false) {
      const run = dryRun ? rolledBack : inTransaction;
      const change = await preparation.changeOf(
        workspaceId,
        id,
        {
          fixed,
          isStyled,
          of(current) {
            expect(current);
            return of(current);
          },
        },
        dryRun,
      );
      if (!isStyled)
        return { code: await updateCode(pool, outbox, workspaceId, id, change, run), warnings: [] };
      return retryWhenOvertaken('code', async () => {
        const proven = await preparation.prove(workspaceId, id, change);
        const code = await updateCode(pool, outbox, workspaceId, id, proven.change, run);
        return { code, warnings: proven.warnings };
      });
    },
    activate: (workspaceId, id, expect = anyVersion) =>
      updateCode(pool, outbox, workspaceId, id, expecting(expect, activation)),
    deactivate: (workspaceId, id, expect = anyVersion) =>
      deactivateCode(pool, outbox, workspaceId, id, expecting(expect, deactivation)),
  };
};
