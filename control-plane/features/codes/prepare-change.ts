/** Turns the checked body of an update into a change of a code: all its slow or expensive parts. */
import { isDeepStrictEqual } from 'node:util';
import type { createCodeBodies, UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import { styleKeys } from '#schemas/api/style.ts';
import { validateBody } from '../../api/http/validation.ts';
import { OvertakenError } from '../../platform/db/overtaken.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { codeChangesOf } from './code-changes.ts';
import { requireFuture } from './expiry.ts';
import type { ProveStyle } from './prepare-code.ts';
import type { Passwords } from './protection/passwords.ts';
import { findWholeCode } from './store/find.ts';
import type { Change } from './store/write.ts';

export interface ChangePreparationOptions {
  pool: Pool;
  passwords: Pick<Passwords, 'hash'>;
  kits: Pick<BrandKits, 'applicable'>;
  prove: ProveStyle;
  destinationOf: ReturnType<typeof createCodeBodies>['destinationOf'];
}

/** A change whose style is proven. */
export interface ProvenChange {
  /**
   * @throws {OvertakenError} if another update came between: the style that both make together has not been drawn yet
   */
  change: Change;
  /** From the proof. */
  warnings: readonly string[];
}

/** Whether an update changes the style. */
export const isStyled = (body: UpdateCodeBody): boolean => styleKeys.some((key) => body[key] !== undefined);

export interface ChangePreparation {
  /**
   * The change that a body makes to a code in whatever state; its style is not proven.
   * @throws {ClientError} UNPROCESSABLE naming a field; for a body with a password also the errors of the change
   */
  changeOf(workspaceId: string, id: string, body: UpdateCodeBody): Promise<Change>;
  /** Proves the style that the change gives the present code. @throws {ClientError} UNPROCESSABLE naming a field */
  prove(workspaceId: string, id: string, change: Change): Promise<ProvenChange>;
}

/** @returns the change that a body makes. passwordHash: undefined keeps the password, null removes it */
export const createPlainChange =
  (destinationOf: ChangePreparationOptions['destinationOf']) =>
  (body: UpdateCodeBody, passwordHash?: string | null): Change =>
  (current) => {
    if (body.destination !== undefined && body.destination !== current.destination)
      validateBody(destinationOf(current.dataType, body.destination), body);
    return codeChangesOf(current, body, passwordHash);
  };

export const createChangePreparation = (options: ChangePreparationOptions): ChangePreparation => {
  const { pool, passwords, kits, prove } = options;
  const plainChange = createPlainChange(options.destinationOf);

  /** Hashing is expensive: a refused update must not cost a hash. */
  const hashPassword = async (workspaceId: string, id: string, body: UpdateCodeBody) => {
    if (typeof body.password !== 'string') return body.password;
    plainChange(body)(await findWholeCode(pool, workspaceId, id));
    return passwords.hash(body.password, workspaceId);
  };

  return {
    async changeOf(workspaceId, id, body) {
      requireFuture('expiresAt', body.expiresAt, new Date());
      if (typeof body.brandKitId === 'string') await kits.applicable(workspaceId, body.brandKitId);
      return plainChange(body, await hashPassword(workspaceId, id, body));
    },
    /** Done before the style is stored, and not under a lock: drawing takes a while. */
    async prove(workspaceId, id, change) {
      const seen = await findWholeCode(pool, workspaceId, id);
      const { style } = change(seen);
      const isNew = style && !isDeepStrictEqual(style, seen.style);
      const warnings = isNew ? await prove({ id, workspaceId, linkBase: seen.linkBase }, style) : [];
      return {
        warnings,
        change(current) {
          const changes = change(current);
          if (changes.style && !isDeepStrictEqual(changes.style, style)) throw new OvertakenError();
          return changes;
        },
      };
    },
  };
};
