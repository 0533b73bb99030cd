/** Turns the checked body of an update into a change of a code: all its slow or expensive parts. */
import { isDeepStrictEqual } from 'node:util';
import type { createCodeBodies, UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import { styleKeys } from '#schemas/api/style.ts';
import { validateBody } from '../../api/http/validation.ts';
import { OvertakenError } from '../../platform/db/overtaken.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { codeChangesOf, type Prepared } from './code-changes.ts';
import { requireFuture } from './expiry.ts';
import { type CodeLabels, labelled } from './labels.ts';
import type { ProveStyle } from './prepare-code.ts';
import type { Passwords } from './protection/passwords.ts';
import type { WholeCode } from './store/code.ts';
import { findWholeCode } from './store/find.ts';
import type { Change } from './store/write.ts';

export interface ChangePreparationOptions {
  pool: Pool;
  passwords: Pick<Passwords, 'hash'>;
  kits: Pick<BrandKits, 'applicable'>;
  prove: ProveStyle;
  labels: CodeLabels;
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

/** The body of an update to the present code. @throws {ClientError} what forbids the update */
export type UpdateOf = (current: WholeCode) => UpdateCodeBody;

/** An update whose body may depend on the code. */
export interface Update {
  /** The same for every code, so that they are checked and hashed before it is known. */
  fixed: Pick<UpdateCodeBody, 'password' | 'expiresAt' | 'brandKitId' | 'tags' | 'folderId'>;
  of: UpdateOf;
  /** Whether it changes the style. */
  isStyled: boolean;
}

const isStyled = (body: UpdateCodeBody): boolean => styleKeys.some((key) => body[key] !== undefined);

export const updateBy = (body: UpdateCodeBody): Update => ({
  fixed: body,
  of: () => body,
  isStyled: isStyled(body),
});

export interface ChangePreparation {
  /**
   * The change that an update makes to a code in whatever state; its style is not proven.
   * @throws {ClientError} UNPROCESSABLE naming a field; for an update with a password also the errors of the change
   */
  changeOf(workspaceId: string, id: string, update: Update, dryRun?: boolean): Promise<Change>;
  /** Proves the style that the change gives the present code. @throws {ClientError} UNPROCESSABLE naming a field */
  prove(workspaceId: string, id: string, change: Change): Promise<ProvenChange>;
}

/** @returns the change that an update makes */
export const createPlainChange =
  (destinationOf: ChangePreparationOptions['destinationOf']) =>
  (of: UpdateOf, prepared: Prepared = {}): Change =>
  (current) => {
    const body = of(current);
    if (body.destination !== undefined && body.destination !== current.destination)
      validateBody(destinationOf(current.dataType, body.destination), body);
    return codeChangesOf(current, body, prepared, new Date());
  };

export const createChangePreparation = (options: ChangePreparationOptions): ChangePreparation => {
  const { pool, passwords, kits, prove, labels } = options;
  const plainChange = createPlainChange(options.destinationOf);

  /** A refused update must neither cost a hash, which is expensive, nor make tags. */
  const requireChangeable = async (workspaceId: string, id: string, { fixed, of }: Update): Promise<void> => {
    if (typeof fixed.password === 'string' || fixed.tags?.length)
      plainChange(of)(await findWholeCode(pool, workspaceId, id));
  };

  return {
    async changeOf(workspaceId, id, update, dryRun = false) {
      const { password, expiresAt, brandKitId } = update.fixed;
      requireFuture('expiresAt', expiresAt, new Date());
      if (typeof brandKitId === 'string') await kits.applicable(workspaceId, brandKitId);
      await requireChangeable(workspaceId, id, update);
      const passwordHash =
        typeof password === 'string' ? await passwords.hash(password, workspaceId) : password;
      return plainChange(update.of, {
        passwordHash,
        ...(await labelled(labels, workspaceId, update.fixed, dryRun)),
      });
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
