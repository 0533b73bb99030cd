/** Making a dynamic code, by whatever name it is asked for. */
import type { CreateCodeBody } from '#schemas/api/codes.ts';
import type { Style } from '#schemas/api/style.ts';
import type { CodeIds } from '#shared/ids.ts';
import type { Create } from '../../http/creation.ts';
import type { Reply } from '../../http/operation.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { createPreparation } from './create.ts';
import { toCodeObject, withWarnings } from './object.ts';
import type { Passwords } from './passwords.ts';
import type { Publishing } from './publishing.ts';
import { createSeal } from './sealing.ts';
import { createCode } from './store.ts';

/**
 * Draws the picture that a style gives the code with this id.
 * @returns what of the style is read, and yet is not good
 * @throws {ClientError} UNPROCESSABLE naming what of the style cannot be drawn or read
 */
export type ProveStyle = (
  code: { id: string; workspaceId: string },
  style: Style,
) => Promise<readonly string[]>;

export interface CreatingOptions {
  ids: CodeIds;
  passwords: Passwords;
  kits: Pick<BrandKits, 'applicable'>;
  prove: ProveStyle;
  publishing: Pick<Publishing, 'publishCreated'>;
  baseUrl: string;
  qrHost: string;
}

export type CreateDynamicCode = (workspaceId: string, body: CreateCodeBody, create: Create) => Promise<Reply>;

export const createCodeCreation = (options: CreatingOptions): CreateDynamicCode => {
  const { ids, passwords, kits, prove, publishing, baseUrl, qrHost } = options;
  const prepare = createPreparation(passwords, createSeal());

  return async (workspaceId, body, create) => {
    if (body.brandKitId !== undefined) await kits.applicable(workspaceId, body.brandKitId);
    // Before the transaction: a password takes a while, and so does a picture.
    const prepared = await prepare(workspaceId, body);
    const proven = ids.create();
    // Black on white needs no proof.
    const warnings = prepared.style ? await prove({ id: proven, workspaceId }, prepared.style) : [];
    const candidates = [proven];
    return create(async (db, afterCommit) => {
      const code = await createCode(db, () => candidates.pop() ?? ids.create(), prepared);
      afterCommit(() => publishing.publishCreated(code));
      return {
        status: 201,
        headers: { location: `${baseUrl}/api/qr/codes/${code.id}` },
        body: withWarnings(toCodeObject(code, 0, qrHost), warnings),
      };
    });
  };
};
