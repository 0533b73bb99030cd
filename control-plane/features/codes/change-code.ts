/** Changes to a code by its owner: PUT, DELETE and activation. */
import type { UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import type { Outbox } from '../../framework/outbox.ts';
import { retryWhenOvertaken } from '../../platform/db/overtaken.ts';
import { activation, deactivation } from './code-changes.ts';
import { type ChangePreparationOptions, createChangePreparation, isStyled } from './prepare-change.ts';
import type { WholeCode } from './store/code.ts';
import { deactivateCode, updateCode } from './store/write.ts';

export interface CodeEditorOptions extends ChangePreparationOptions {
  outbox: Outbox;
}

export interface UpdatedCode {
  code: WholeCode;
  /** About the new style. */
  warnings: readonly string[];
}

export interface CodeEditor {
  /**
   * @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT if the code cannot be updated, UNPROCESSABLE naming a field
   */
  update(workspaceId: string, id: string, body: UpdateCodeBody): Promise<UpdatedCode>;
  /** Leaves an active code as it is. @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT for a locked code */
  activate(workspaceId: string, id: string): Promise<WholeCode>;
  /** @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT for a code in legal hold */
  deactivate(workspaceId: string, id: string): Promise<WholeCode>;
}

export const createCodeEditor = (options: CodeEditorOptions): CodeEditor => {
  const { pool, outbox } = options;
  const preparation = createChangePreparation(options);
  return {
    async update(workspaceId, id, body) {
      const change = await preparation.changeOf(workspaceId, id, body);
      if (!isStyled(body))
        return { code: await updateCode(pool, outbox, workspaceId, id, change), warnings: [] };
      return retryWhenOvertaken('code', async () => {
        const proven = await preparation.prove(workspaceId, id, change);
        const code = await updateCode(pool, outbox, workspaceId, id, proven.change);
        return { code, warnings: proven.warnings };
      });
    },
    activate: (workspaceId, id) => updateCode(pool, outbox, workspaceId, id, activation),
    deactivate: (workspaceId, id) => deactivateCode(pool, outbox, workspaceId, id, deactivation),
  };
};
