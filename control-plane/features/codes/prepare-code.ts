/**
 * Turns a checked body into a code that is ready to be stored: all parts of a create that are slow or can be refused.
 */
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import type { Style } from '#schemas/api/style.ts';
import type { CodeIds } from '#shared/ids.ts';
import type { LinkedCode } from '#shared/redirect-url.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { type WantedAlias, wantedAliasOf } from './aliases/targets.ts';
import { requireFuture } from './expiry.ts';
import { type CodeLabels, labelled } from './labels.ts';
import { createNewCodeBuilder } from './new-code.ts';
import type { Passwords } from './protection/passwords.ts';
import type { Seal } from './protection/seal.ts';
import type { NewCode } from './store/code.ts';

/**
 * Proves that the code with this id is readable in its style.
 * @returns warnings about a style that is readable, but not good
 * @throws {ClientError} UNPROCESSABLE naming the field of the style that cannot be drawn or read
 */
export type ProveStyle = (
  code: LinkedCode & { workspaceId: string },
  style: Style,
) => Promise<readonly string[]>;

export interface PreparedCode {
  /** The row to store, under the id whose picture has been proven. */
  code: NewCode & { id: string };
  /** From the proof. */
  warnings: readonly string[];
  /** Undefined: none. */
  alias: WantedAlias | undefined;
  /** Beside that one. They are not checked before. */
  furtherAliases?: readonly WantedAlias[];
}

export interface CodePreparationOptions {
  ids: CodeIds;
  passwords: Pick<Passwords, 'hash'>;
  seal: Seal;
  kits: Pick<BrandKits, 'applicable'>;
  prove: ProveStyle;
  labels: CodeLabels;
  /** The link base that new codes of a workspace get. */
  linkBaseOf(workspaceId: string): Promise<string | null>;
}

/** @throws {ClientError} naming the refused field; RATE_LIMITED or UNAVAILABLE if too much is waiting */
export type PrepareCode = (
  workspaceId: string,
  body: CreateCodeBody,
  dryRun?: boolean,
) => Promise<PreparedCode>;

export const createCodePreparation = (options: CodePreparationOptions): PrepareCode => {
  const { ids, passwords, seal, kits, prove, labels, linkBaseOf } = options;
  const buildNewCode = createNewCodeBuilder(passwords, seal);
  return async (workspaceId, body, dryRun = false) => {
    const now = new Date();
    requireFuture('expiry', body.expiry, now);
    requireFuture('expiresAt', body.expiresAt, now);
    if (body.brandKitId !== undefined) await kits.applicable(workspaceId, body.brandKitId);
    const built = await buildNewCode(workspaceId, body);
    const code = { ...built, ...(await labelled(labels, workspaceId, body, dryRun)) };
    const id = ids.create();
    // Black on white needs no proof.
    const alias = wantedAliasOf(body);
    if (!code.style) return { code: { id, ...code }, warnings: [], alias };
    const linkBase = await linkBaseOf(workspaceId);
    return { code: { id, ...code }, warnings: await prove({ id, workspaceId, linkBase }, code.style), alias };
  };
};
