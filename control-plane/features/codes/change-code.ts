/** How the owner of a code changes it: PUT and DELETE. */
import { isDeepStrictEqual } from 'node:util';
import type { createCodeBodies, UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import { styleKeys } from '#schemas/api/style.ts';
import { OvertakenError, retryWhenOvertaken } from '../../db/overtaken.ts';
import type { Pool } from '../../db/pool.ts';
import { validateBody } from '../../http/validation.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { codeChangesOf, deactivation } from './code-changes.ts';
import { requireFuture } from './expiry.ts';
import type { ProveStyle } from './prepare-code.ts';
import type { Passwords } from './protection/passwords.ts';
import type { WholeCode } from './store/code.ts';
import { findWholeCode } from './store/find.ts';
import { type Change, deactivateCode, updateCode } from './store/write.ts';

export interface CodeEditorOptions {
  pool: Pool;
  outbox: Outbox;
  passwords: Passwords;
  kits: Pick<BrandKits, 'applicable'>;
  prove: ProveStyle;
  destinationOf: ReturnType<typeof createCodeBodies>['destinationOf'];
}

export interface UpdatedCode {
  code: WholeCode;
  /** Warnings about a new style. */
  warnings: readonly string[];
}

export interface CodeEditor {
  /**
   * @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT where the code cannot be updated, UNPROCESSABLE naming a field
   */
  update(workspaceId: string, id: string, body: UpdateCodeBody): Promise<UpdatedCode>;
  /** @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT for a code in legal hold */
  deactivate(workspaceId: string, id: string): Promise<WholeCode>;
}

export const createCodeEditor = (options: CodeEditorOptions): CodeEditor => {
  const { pool, outbox, passwords, kits, prove, destinationOf } = options;

  /** Proves the style that the change makes of the present code. @returns it, and its warnings */
  const proveChange = async (workspaceId: string, id: string, change: Change) => {
    const seen = await findWholeCode(pool, workspaceId, id);
    const { style } = change(seen);
    const isNew = style && !isDeepStrictEqual(style, seen.style);
    return { style, warnings: isNew ? await prove({ id, workspaceId }, style) : [] };
  };

  /** A style is proven before it is stored, and not under a lock: a picture takes a while. */
  const updateProven = (workspaceId: string, id: string, change: Change): Promise<UpdatedCode> =>
    retryWhenOvertaken('code', async () => {
      const proven = await proveChange(workspaceId, id, change);
      const changeAsProven: Change = (current) => {
        const changes = change(current);
        // Another update came between: the style that both make together has not been drawn yet.
        if (changes.style && !isDeepStrictEqual(changes.style, proven.style)) throw new OvertakenError();
        return changes;
      };
      const code = await updateCode(pool, outbox, workspaceId, id, changeAsProven);
      return { code, warnings: proven.warnings };
    });

  /** @param passwordHash undefined where the password stays, null where it is removed */
  const changeTo =
    (body: UpdateCodeBody, passwordHash: string | null | undefined): Change =>
    (current) => {
      if (body.destination !== undefined && body.destination !== current.destination)
        validateBody(destinationOf(current.dataType, body.destination), body);
      return codeChangesOf(current, body, passwordHash);
    };

  /** Hashing is expensive: a refused update must not cost a hash. */
  const hashPassword = async (workspaceId: string, id: string, body: UpdateCodeBody) => {
    if (typeof body.password !== 'string') return body.password;
    changeTo(body, undefined)(await findWholeCode(pool, workspaceId, id));
    return passwords.hash(body.password, workspaceId);
  };

  return {
    async update(workspaceId, id, body) {
      requireFuture('expiresAt', body.expiresAt, new Date());
      if (typeof body.brandKitId === 'string') await kits.applicable(workspaceId, body.brandKitId);
      const change = changeTo(body, await hashPassword(workspaceId, id, body));
      const isStyled = styleKeys.some((key) => body[key] !== undefined);
      if (isStyled) return updateProven(workspaceId, id, change);
      return { code: await updateCode(pool, outbox, workspaceId, id, change), warnings: [] };
    },
    deactivate: (workspaceId, id) => deactivateCode(pool, outbox, workspaceId, id, deactivation),
  };
};
